import { Button } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { fromNow } from '#domain/dates.ts'
import type { Doubt } from '#domain/lead-doubts.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { Panel } from '#ui/panel.tsx'
import classes from './leads.module.css'
import {
  mostWaiting,
  useAcceptSubmission,
  useDeleteSubmissions,
  useForms,
  useWaiting,
  type WaitingSubmission,
} from './queries.ts'

const doubtWords: Record<Doubt, string> = {
  trap: 'Filled in a hidden field',
  fast: 'Sent too fast for a person',
  stamp: 'Not sent from the form’s own page',
  links: 'Full of links',
}

/** What looks like spam, until the user accepts or deletes it. */
export function Quarantine() {
  const { data: waiting = [] } = useWaiting()
  const { mutate: remove, isPending } = useDeleteSubmissions()
  if (waiting.length === 0) return null
  return (
    <Panel title="Quarantine" text="These look like spam. Accept one to add it as a contact.">
      <ul className={classes.waiting}>
        {waiting.map((each) => (
          <Waiting key={each.id} submission={each} />
        ))}
      </ul>
      {waiting.length > 1 && (
        <div className={classes.foot}>
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            disabled={isPending}
            onClick={() => remove(waiting.map(({ id }) => id))}
          >
            {waiting.length < mostWaiting
              ? `Delete all ${counted(waiting.length, 'submission')}`
              : `Delete these ${counted(waiting.length, 'submission')}`}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function Waiting({ submission }: { submission: WaitingSubmission }) {
  const { id, form_id, who, doubts, lead, created_at } = submission
  const { rows: forms } = useForms()
  const accept = useAcceptSubmission()
  const remove = useDeleteSubmissions()
  const timeZone = useTimeZone()
  const now = useNow()
  const form = forms.find((each) => each.id === form_id)
  const isBusy = accept.isPending || remove.isPending
  const name = who ?? 'Someone'
  const reasons = doubts.map((doubt) => doubtWords[doubt as Doubt] ?? 'Looks odd')
  return (
    <li className={classes.submission}>
      <div className={classes.what}>
        <div className={classes.who}>
          <bdi>{name}</bdi>
        </div>
        <div className={classes.quiet}>
          {[form?.name, fromNow(created_at, now, timeZone), ...reasons].filter(Boolean).join(' · ')}
        </div>
        <dl className={classes.values}>
          {(lead.lines ?? []).map(({ label, text }) => (
            <div key={label} className={classes.value}>
              <dt>{label}</dt>
              <dd>
                <bdi>{text}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div className={classes.actions}>
        <Button
          variant="default"
          aria-label={`Accept ${name}`}
          disabled={isBusy}
          onClick={() => accept.mutate(id)}
        >
          Accept
        </Button>
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          aria-label={`Delete ${name}`}
          disabled={isBusy}
          onClick={() => remove.mutate([id])}
        >
          Delete
        </Button>
      </div>
    </li>
  )
}
