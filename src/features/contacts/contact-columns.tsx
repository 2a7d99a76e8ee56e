import { contactInitials, contactName, leadStatusColor } from '#domain/contact.ts'
import { fromNow, shownMoment } from '#domain/dates.ts'
import { type ContactColumn, contactFields, contactSorts } from '#domain/fields/contacts.ts'
import { Cut, NextTask, RecordLink } from '#features/fields/index.ts'
import { type ColumnsOptions, tableColumns } from '#features/tables/index.ts'
import { WaitingMark } from '#features/waiting/index.ts'
import type { Column } from '#ui/data-table.tsx'
import { RecordAvatar, RecordCell } from '#ui/record-cell.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import type { Contact } from './queries.ts'

export type ContactColumnsOptions = ColumnsOptions<Contact, ContactColumn>

/** The table's columns: the contact itself, and what was chosen. */
export function columnsOf(options: ContactColumnsOptions, now: number): Column<Contact>[] {
  const { timeZone } = options
  return tableColumns(
    {
      record: {
        key: 'contact',
        header: 'Contact',
        width: 172,
        grow: 3,
        cell: (contact, to) => (
          <RecordCell
            avatar={<ContactAvatar contact={contact} />}
            name={contactName(contact)}
            to={to}
            about={contact.role_title}
          >
            <WaitingMark id={contact.id} />
          </RecordCell>
        ),
      },
      fields: contactFields,
      sorts: contactSorts,
      edited: ['email', 'phone_number', 'lead_status', 'lead_score', 'tags', 'birthday', 'notes'],
      nameOf: contactName,
      special: {
        company: ({ company_id, company_name }) => (
          <RecordLink to={company_id && `/app/companies/${company_id}`} name={company_name} />
        ),
        lead_status: ({ lead_status }) => <LeadStatusBadge status={lead_status} />,
        last_contacted: ({ last_contacted: at }) =>
          at ? (
            <span title={shownMoment(at, timeZone)}>{fromNow(at, now, timeZone)}</span>
          ) : (
            <Cut text={null} />
          ),
        next_task: ({ next_task }) => <NextTask task={next_task} timeZone={timeZone} />,
      },
    },
    options,
  )
}

export function ContactAvatar({ contact }: { contact: Contact }) {
  return <RecordAvatar text={contactInitials(contact)} isRound />
}

export function LeadStatusBadge({ status }: { status: string }) {
  return <TintBadge color={leadStatusColor(status)}>{status}</TintBadge>
}
