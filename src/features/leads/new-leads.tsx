import { Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import { counted } from '#domain/counted.ts'
import { fromNow } from '#domain/dates.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { NoticeSection } from '#ui/notice-section.tsx'
import classes from './leads.module.css'
import { useNewLeads, useSeeLeads } from './queries.ts'

type NewLeadsProps = { onLeave: () => void }

/** Who filled in a form since the user last looked, and how much waits in quarantine. */
export function NewLeads({ onLeave }: NewLeadsProps) {
  const { data } = useNewLeads()
  const { mutate: see, isPending } = useSeeLeads()
  const timeZone = useTimeZone()
  const now = useNow()
  if (!data || (data.leads.length === 0 && data.waiting === 0)) return null
  const { leads, waiting } = data
  return (
    <NoticeSection
      title="New leads"
      order={3}
      action={
        leads.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isPending}
            onClick={() => see(leads.map(({ id }) => id))}
          >
            Mark as seen
          </Button>
        )
      }
    >
      <ul className={classes.list}>
        {leads.map(({ id, who, form, at, contact_id }) => (
          <li key={id} className={classes.line}>
            {contact_id ? (
              <Anchor
                component={Link}
                to={`/app/contacts/${contact_id}`}
                className={classes.who ?? ''}
                onClick={() => {
                  see([id])
                  onLeave()
                }}
              >
                <bdi>{who ?? 'Someone'}</bdi>
              </Anchor>
            ) : (
              <span className={classes.who}>
                <bdi>{who ?? 'Someone'}</bdi>
              </span>
            )}
            <span className={classes.quiet}>
              <bdi>{form}</bdi> · {fromNow(at, now, timeZone)}
            </span>
          </li>
        ))}
        {waiting > 0 && (
          <li className={classes.line}>
            <Anchor component={Link} to="/app/settings/forms" size="sm" onClick={onLeave}>
              {counted(waiting, 'submission')} in quarantine
            </Anchor>
          </li>
        )}
      </ul>
    </NoticeSection>
  )
}
