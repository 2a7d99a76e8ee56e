import { IconAlertTriangle, IconCalendarEvent, IconNote, IconPhone } from '@tabler/icons-react'
import { contactName } from '#domain/contact.ts'
import { shownDate, shownDay } from '#domain/dates.ts'
import { shownMoney } from '#domain/money.ts'
import { taggedPart } from '#domain/quick-add-line.ts'
import type { QuickAdd } from '#domain/quick-add-records.ts'
import { priorityNames, shownDue, usualPriority } from '#domain/task.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { repeatInWords } from '#features/tasks/index.ts'
import { TintBadge } from '#ui/tint-badge.tsx'
import { ChoiceLine } from './choice-list.tsx'
import { kinds } from './kinds.ts'
import type { Hit, KnownRecords, Other } from './queries.ts'

const noteIcons = { note: IconNote, call: IconPhone, meeting: IconCalendarEvent }
const noteNames = { note: 'Note', call: 'Call', meeting: 'Meeting' }

type PlanLinesProps = {
  plan: QuickAdd
  /** The existing records; undefined until loaded. */
  known: KnownRecords | undefined
}

/** The records that a line of text would create, and which of them exist already. */
export function PlanLines({ plan, known }: PlanLinesProps) {
  const timeZone = useTimeZone()
  const { contact, company, deal, task, note, unread } = plan
  const [knownContact] = known?.contact ?? []
  const [knownCompany] = known?.company ?? []
  const [knownDeal] = known?.deal ?? []
  const tagsOf = (part: 'contact' | 'company' | 'deal') =>
    taggedPart(plan) === part && plan.tags.map((tag) => `#${tag}`).join(' ')
  const badge = (kind: Hit['kind'], there: Hit | undefined) =>
    known && <Badge {...{ kind, there }} />
  return (
    <>
      {contact && (
        <ChoiceLine
          icon={kinds.contacts.icon}
          title={knownContact?.title || contactLabel(contact)}
          facts={[
            knownContact?.about,
            contact.role_title,
            contact.email,
            contact.phone_number,
            tagsOf('contact'),
          ]}
          kind={badge('contacts', knownContact)}
        />
      )}
      {company && (
        <ChoiceLine
          icon={kinds.companies.icon}
          title={knownCompany?.title ?? company.name}
          facts={[knownCompany?.about, company.website, tagsOf('company')]}
          kind={badge('companies', knownCompany)}
        />
      )}
      {deal && (
        <ChoiceLine
          icon={kinds.deals.icon}
          title={knownDeal?.title ?? deal.name}
          facts={[
            valueWords(deal, knownDeal),
            deal.expected_close_date && `Closes ${shownDate(deal.expected_close_date)}`,
            tagsOf('deal'),
          ]}
          kind={badge('deals', knownDeal)}
        />
      )}
      {task && (
        <ChoiceLine
          icon={kinds.tasks.icon}
          title={task.title}
          facts={[
            task.due_date &&
              shownDue({ due_date: task.due_date, due_all_day: task.due_all_day }, timeZone),
            task.repeat && repeatInWords(task),
            task.priority !== usualPriority && priorityNames[task.priority],
          ]}
          kind={badge('tasks', undefined)}
        />
      )}
      {note && (
        <ChoiceLine
          icon={noteIcons[note.kind]}
          title={note.body ?? noteNames[note.kind]}
          facts={[note.happened_at && shownDay(note.happened_at, timeZone)]}
          kind={known && <TintBadge color="green">{`New ${note.kind}`}</TintBadge>}
        />
      )}
      {unread.length > 0 && <UnreadLine words={unread} />}
    </>
  )
}

/** What nothing is made of: it is in no record. */
function UnreadLine({ words }: { words: string[] }) {
  return (
    <ChoiceLine
      icon={IconAlertTriangle}
      title={words.map((word) => `“${word}”`).join(' ')}
      facts={['Not used']}
      kind={<TintBadge color="orange">Not understood</TintBadge>}
    />
  )
}

function Badge({ kind, there }: { kind: Hit['kind']; there: Hit | undefined }) {
  const name = kinds[kind].name.toLowerCase()
  return there ? (
    <TintBadge color="gray">{`Existing ${name}`}</TintBadge>
  ) : (
    <TintBadge color="green">{`New ${name}`}</TintBadge>
  )
}

/** The same line with another match for an ambiguous name. */
export function OtherLine({ other: { part, hit } }: { other: Other }) {
  const kind = part === 'contact' ? 'contacts' : 'companies'
  return (
    <ChoiceLine
      icon={kinds[kind].icon}
      title={part === 'contact' ? `With ${hit.title} instead` : `At ${hit.title} instead`}
      facts={[hit.about]}
      kind={<Badge kind={kind} there={hit} />}
    />
  )
}

/** The name of a contact, or its address or phone number. */
export function contactLabel(contact: NonNullable<QuickAdd['contact']>): string {
  const { first_name, last_name, email, phone_number } = contact
  return first_name || last_name ? contactName(contact) : (email ?? phone_number ?? '')
}

function valueWords(
  { value, currency }: NonNullable<QuickAdd['deal']>,
  known: Hit | undefined,
): string | null {
  if (value === null)
    return known?.value === undefined ? null : shownMoney(known.value, known.currency)
  const own = currency ?? known?.currency
  const isSame = known?.value === value && (currency ?? known.currency) === known.currency
  if (known?.value === undefined || isSame) return shownMoney(value, own)
  return `${shownMoney(known.value, known.currency)} › ${shownMoney(value, own)}`
}
