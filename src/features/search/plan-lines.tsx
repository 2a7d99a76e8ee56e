import { contactName } from '#domain/contact.ts'
import { shownMoney } from '#domain/money.ts'
import type { QuickAdd } from '#domain/quick-add.ts'
import { priorityNames, shownDue, usualPriority } from '#domain/task.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { TintBadge } from '#ui/tint-badge.tsx'
import { ChoiceLine } from './choice-list.tsx'
import { kinds } from './kinds.ts'
import type { Hit, KnownRecords, Other } from './queries.ts'

type PlanLinesProps = {
  plan: QuickAdd
  /** The existing records; undefined until loaded. */
  known: KnownRecords | undefined
}

/** The records that a line of text would create, and which of them exist already. */
export function PlanLines({ plan, known }: PlanLinesProps) {
  const timeZone = useTimeZone()
  const { contact, company, deal, task } = plan
  const [knownContact] = known?.contact ?? []
  const [knownCompany] = known?.company ?? []
  const [knownDeal] = known?.deal ?? []
  const badge = (kind: Hit['kind'], there: Hit | undefined) =>
    known && <Badge {...{ kind, there }} />
  return (
    <>
      {contact && (
        <ChoiceLine
          icon={kinds.contacts.icon}
          title={knownContact?.title || contactLabel(contact)}
          facts={[knownContact?.about, contact.email, contact.phone_number]}
          kind={badge('contacts', knownContact)}
        />
      )}
      {company && (
        <ChoiceLine
          icon={kinds.companies.icon}
          title={knownCompany?.title ?? company.name}
          facts={[knownCompany?.about]}
          kind={badge('companies', knownCompany)}
        />
      )}
      {deal && (
        <ChoiceLine
          icon={kinds.deals.icon}
          title={knownDeal?.title ?? deal.name}
          facts={[deal.value === null ? null : valueWords(deal.value, knownDeal?.value)]}
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
            task.priority !== usualPriority && priorityNames[task.priority],
          ]}
          kind={badge('tasks', undefined)}
        />
      )}
    </>
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
      title={part === 'contact' ? `Instead with ${hit.title}` : `Instead at ${hit.title}`}
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

function valueWords(value: number, before: number | undefined): string {
  const isNew = before === undefined || before === value
  return isNew ? shownMoney(value) : `${shownMoney(before)} → ${shownMoney(value)}`
}
