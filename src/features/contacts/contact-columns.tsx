import { Link } from 'react-router'
import { contactInitials, contactName, leadStatusColor, phoneLink } from '#domain/contact.ts'
import { fromNow, shownDay, shownMoment } from '#domain/dates.ts'
import { type ContactColumn, contactFields } from '#domain/fields/contacts.ts'
import { columnLabels } from '#domain/fields/list.ts'
import { mailtoLink } from '#domain/mail-merge.ts'
import type { Column } from '#ui/data-table.tsx'
import { fromList } from '#ui/from-list.ts'
import { LinkWithCopy } from '#ui/link-with-copy.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import classes from './contact-columns.module.css'
import type { Contact } from './queries.ts'

type ColumnsOptions = {
  shown: ContactColumn[]
  linkTo: (contact: Contact) => string
  timeZone: string
  now: number
}

/** The table's columns: the contact itself, and what was chosen. */
export function columnsOf({ shown, linkTo, timeZone, now }: ColumnsOptions): Column<Contact>[] {
  const all: Record<ContactColumn, Omit<Column<Contact>, 'key' | 'header' | 'sort'>> = {
    email: { width: 150, grow: 3, cell: ({ email }) => <EmailLink email={email} /> },
    phone: { width: 126, grow: 2, cell: (contact) => <PhoneLink phone={contact.phone_number} /> },
    company: { width: 100, grow: 2, cell: ({ company_name }) => <Cut text={company_name} /> },
    lead_status: {
      width: 112,
      grow: 1,
      cell: ({ lead_status }) => <LeadStatusBadge status={lead_status} />,
    },
    notes: { width: 90, grow: 2, cell: ({ notes }) => <Cut text={notes} isQuiet /> },
    created: {
      width: 100,
      grow: 1,
      cell: ({ created_at }) => (
        <span title={shownMoment(created_at, timeZone)}>{shownDay(created_at, timeZone)}</span>
      ),
    },
    lead_score: {
      width: 88,
      grow: 1,
      isFigure: true,
      cell: ({ lead_score }) => lead_score.toLocaleString('en-US'),
    },
    last_contacted: {
      width: 112,
      grow: 1,
      cell: ({ last_contacted }) =>
        last_contacted ? (
          <span title={shownMoment(last_contacted, timeZone)}>
            {fromNow(last_contacted, now, timeZone)}
          </span>
        ) : (
          <Cut text={null} />
        ),
    },
    next_task: {
      width: 130,
      grow: 2,
      cell: ({ next_task }) => <Cut text={next_task && taskWords(next_task, timeZone)} />,
    },
  }
  return [
    {
      key: 'contact',
      header: 'Contact',
      sort: 'name',
      width: 170,
      grow: 6,
      cell: (contact) => <ContactCell contact={contact} to={linkTo(contact)} />,
    },
    ...columnLabels(contactFields, shown).map(({ key, label }) => ({
      key,
      header: label,
      sort: key,
      ...all[key],
    })),
  ]
}

function taskWords({ title, due_date }: NonNullable<Contact['next_task']>, timeZone: string) {
  return due_date ? `${shownDay(due_date, timeZone)} · ${title}` : title
}

function ContactCell({ contact, to }: { contact: Contact; to: string }) {
  return (
    <div className={classes.contact}>
      <ContactAvatar contact={contact} />
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

export function EmailLink({ email }: { email: string | null }) {
  if (!email) return <Cut text={null} />
  return (
    <LinkWithCopy
      href={mailtoLink({ to: email, subject: '', body: '' })}
      text={email}
      what="email"
    />
  )
}

export function PhoneLink({ phone }: { phone: string | null }) {
  const href = phone && phoneLink(phone)
  if (!href) return <Cut text={phone} />
  return <LinkWithCopy href={href} text={phone} what="phone number" />
}

/** One line of text, in full on hover; '-' when empty. */
function Cut({ text, isQuiet = false }: { text: string | null; isQuiet?: boolean }) {
  if (!text) return <span className={classes.none}>-</span>
  return (
    <bdi className={isQuiet ? classes.quiet : undefined} title={text}>
      {text.slice(0, 300)}
    </bdi>
  )
}
