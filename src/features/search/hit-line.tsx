import { shownDay } from '#domain/dates.ts'
import { marked } from '#domain/marked.ts'
import { shownMoney } from '#domain/money.ts'
import { tableOf } from '#domain/timeline.ts'
import { fileParam } from '#features/files/index.ts'
import { conversationParam } from '#features/mail/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { ChoiceLine } from './choice-list.tsx'
import { kinds } from './kinds.ts'
import type { Hit } from './queries.ts'
import classes from './search.module.css'

/**
 * The address of a hit. A task has no page, so this is its list with a search; a file is opened on its record, and a mail
 * in its conversation there.
 */
export function pathOf({ kind, id, title, of, thread }: Hit): string {
  if (kind === 'files' && of) return `/app/${tableOf(of.record)}/${of.id}?${fileParam}=${id}`
  if (kind === 'mails' && of) {
    return `/app/${tableOf(of.record)}/${of.id}?${conversationParam}=${thread}`
  }
  if (kind === 'tasks') return `/app/tasks?${new URLSearchParams({ q: title })}`
  return `/app/${kind}/${id}`
}

type HitLineProps = { hit: Hit; words: string }

/** A hit with facts that distinguish it from others of the same name. */
export function HitLine({ hit, words }: HitLineProps) {
  const timeZone = useTimeZone()
  const { name, icon } = kinds[hit.kind]
  const facts = [
    hit.stage,
    hit.value === undefined ? null : shownMoney(hit.value, hit.currency),
    hit.completed ? 'Completed' : hit.due_date && `Due ${shownDay(hit.due_date, timeZone)}`,
    hit.sent_at && shownDay(hit.sent_at, timeZone),
    hit.about,
    reachedBy(hit, words),
  ]
  return (
    <ChoiceLine
      icon={icon}
      title={<Marked text={hit.title || 'Unnamed'} words={words} />}
      facts={facts}
      show={(fact) => <Marked text={fact} words={words} />}
      kind={name}
    />
  )
}

/** The phone number if digits were typed, otherwise the e-mail address. */
function reachedBy({ email, phone_number }: Hit, words: string): string | null | undefined {
  return /^\+?[\d\s().-]+$/.test(words) ? (phone_number ?? email) : (email ?? phone_number)
}

function Marked({ text, words }: { text: string; words: string }) {
  let place = 0
  return marked(text, words).map((part) => {
    place += part.text.length
    return part.isHit ? (
      <mark key={place} className={classes.hit}>
        {part.text}
      </mark>
    ) : (
      part.text
    )
  })
}
