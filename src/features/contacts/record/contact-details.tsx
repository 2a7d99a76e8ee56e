import { contactSchema, type LeadStatus, leadStatuses, phoneLink } from '#domain/contact.ts'
import { fromNow, shownDay, shownMoment } from '#domain/dates.ts'
import { mailtoLink } from '#domain/mail-merge.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useDetailFields } from '#lib/use-detail-fields.ts'
import { EditableChoice } from '#ui/editable-choice.tsx'
import { EditableField } from '#ui/editable-field.tsx'
import { FieldFact } from '#ui/field-row.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { LeadStatusBadge } from '../contact-columns.tsx'
import { type Contact, useReadContactsAgain, useUpdateContact } from '../queries.ts'
import { ContactCompany } from './contact-company.tsx'

type TextField =
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'phone_number'
  | 'role_title'
  | 'lead_score'
  | 'notes'

/** What is known of a contact, edited where it stands. */
export function ContactDetails({ contact }: { contact: Contact }) {
  const update = useUpdateContact()
  const readAgain = useReadContactsAgain()
  const timeZone = useTimeZone()
  const field = useDetailFields({
    record: contact,
    schema: contactSchema,
    textsOf,
    inputOf: (name: TextField, text) =>
      name === 'lead_score' && text.trim() !== '' ? asNumber(text) : text,
    update: ({ seen, values }) => update({ seen, values, companyName: seen.company_name }),
  })
  const { email, phone_number, last_contacted } = contact
  return (
    <RecordSection title="Details">
      <EditableField label="First Name" {...field('first_name')} onTakeTheirs={readAgain} />
      <EditableField label="Last Name" {...field('last_name')} onTakeTheirs={readAgain} />
      <EditableField
        label="Email"
        type="email"
        {...field('email')}
        href={email && mailtoLink({ to: email, subject: '', body: '' })}
        canCopy
        onTakeTheirs={readAgain}
      />
      <EditableField
        label="Phone Number"
        type="tel"
        {...field('phone_number')}
        href={phone_number && phoneLink(phone_number)}
        canCopy
        onTakeTheirs={readAgain}
      />
      <EditableField label="Role Title" {...field('role_title')} onTakeTheirs={readAgain} />
      <ContactCompany contact={contact} />
      <EditableChoice
        label="Lead Status"
        value={statusOf(contact)}
        values={leadStatuses}
        render={(status) => <LeadStatusBadge status={status} />}
        onChoose={(lead_status) => {
          const companyName = contact.company_name
          // A failure has been told, and the old one is back.
          update({ seen: contact, values: { lead_status }, companyName }).catch(() => {})
        }}
      />
      <EditableField
        label="Lead Score"
        inputMode="decimal"
        {...field('lead_score')}
        shown={contact.lead_score.toLocaleString('en-US')}
        onTakeTheirs={readAgain}
      />
      <EditableField label="Notes" isLong {...field('notes')} onTakeTheirs={readAgain} />
      <FieldFact label="Last Contacted">
        {last_contacted ? (
          <span title={shownMoment(last_contacted, timeZone)}>
            {fromNow(last_contacted, Date.now(), timeZone)}
          </span>
        ) : (
          'Never'
        )}
      </FieldFact>
      <FieldFact label="Created">{shownDay(contact.created_at, timeZone)}</FieldFact>
    </RecordSection>
  )
}

function textsOf(contact: Contact): Record<TextField, string> {
  return {
    first_name: contact.first_name ?? '',
    last_name: contact.last_name ?? '',
    email: contact.email ?? '',
    phone_number: contact.phone_number ?? '',
    role_title: contact.role_title ?? '',
    lead_score: String(contact.lead_score),
    notes: contact.notes ?? '',
  }
}

/** Figures as people type them, '1,250.5' included; a text where it is none, for the schema to refuse. */
function asNumber(text: string): number | string {
  const number = Number(text.replaceAll(',', ''))
  return Number.isFinite(number) ? number : text
}

function statusOf({ lead_status }: Contact): LeadStatus {
  return leadStatuses.find((status) => status === lead_status) ?? 'New'
}
