import { Link } from 'react-router'
import { contactInitials, contactName, leadStatusColor } from '#domain/contact.ts'
import { fromNow, shownMoment } from '#domain/dates.ts'
import { type ContactColumn, contactFields, contactSorts } from '#domain/fields/contacts.ts'
import { type Fields, isField } from '#domain/fields/field.ts'
import { isOwnName, type OwnKey, ownKeys } from '#domain/fields/own.ts'
import { Cut, fieldColumns, NextTask, RecordLink } from '#features/fields/index.ts'
import type { Column } from '#ui/data-table.tsx'
import { fromList } from '#ui/from-list.ts'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './contact-columns.module.css'
import type { Contact } from './queries.ts'

type ColumnsOptions = {
  shown: (ContactColumn | OwnKey)[]
  own: Fields
  linkTo: (contact: Contact) => string
  /** Begins to edit a cell. */
  onEditCell: (row: Contact, name: string, pencil: HTMLElement) => void
  timeZone: string
  now: number
}

/** The table's columns: the contact itself, and what was chosen. */
export function columnsOf({
  shown,
  own,
  linkTo,
  onEditCell,
  timeZone,
  now,
}: ColumnsOptions): Column<Contact>[] {
  return [
    {
      key: 'contact',
      header: 'Contact',
      sort: 'name',
      width: 190,
      grow: 4,
      cell: (contact) => <ContactCell contact={contact} to={linkTo(contact)} />,
    },
    ...fieldColumns<Contact, ContactColumn | OwnKey>({
      fields: { ...contactFields, ...own },
      // Own fields may not be read yet.
      shown: shown.filter((key) => isField({ ...contactFields, ...own }, key)),
      sorts: [...contactSorts, ...ownKeys(own)],
      timeZone,
      editing: { isEdited: isEditedInCell, nameOf: contactName, onEdit: onEditCell },
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
    }),
  ]
}

/** What is edited in its cell, beside the user's own fields. */
const editedInCells = ['lead_status', 'lead_score']

const isEditedInCell = (name: string) => isOwnName(name) || editedInCells.includes(name)

function ContactCell({ contact, to }: { contact: Contact; to: string }) {
  return (
    <div className={classes.contact}>
      <ContactAvatar contact={contact} />
      <div className={classes.lines}>
        <Link
          to={to}
          state={fromList}
          data-row-link
          className={classes.name}
          title={contactName(contact)}
        >
          <bdi>{contactName(contact)}</bdi>
        </Link>
        {contact.role_title && (
          <bdi className={classes.role} title={contact.role_title}>
            {contact.role_title}
          </bdi>
        )}
      </div>
    </div>
  )
}

export function ContactAvatar({ contact }: { contact: Contact }) {
  return (
    <span className={classes.avatar} aria-hidden>
      {contactInitials(contact)}
    </span>
  )
}

export function LeadStatusBadge({ status }: { status: string }) {
  return <TintBadge color={leadStatusColor(status)}>{status}</TintBadge>
}
