import { useState } from 'react'
import { dayOf, shownDay } from '#domain/dates.ts'
import { contactFields, type LeadStatus, leadStatuses } from '#domain/fields/contacts.ts'
import { AddEntryButtons, FieldDetails, LastContacted } from '#features/fields/index.ts'
import { AddFieldButton, useOwnFields } from '#features/own-fields/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useDetailFields } from '#lib/use-detail-fields.ts'
import { useNow } from '#lib/use-now.ts'
import { EditableChoice } from '#ui/editable-choice.tsx'
import { FieldFact } from '#ui/field-row.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { LeadStatusBadge } from '../contact-columns.tsx'
import {
  type Contact,
  type ContactValues,
  useReadContactsAgain,
  useUpdateContact,
} from '../queries.ts'
import { ContactCompany } from './contact-company.tsx'

/** What is known of a contact, edited where it stands. */
export function ContactDetails({ contact }: { contact: Contact }) {
  const update = useUpdateContact()
  const readAgain = useReadContactsAgain()
  const timeZone = useTimeZone()
  const now = useNow()
  const { own } = useOwnFields('contacts')
  const fields = { ...contactFields, ...own }
  const field = useDetailFields({
    record: contact,
    fields,
    update: ({ seen, values }: { seen: Contact; values: Partial<ContactValues> }) =>
      update({ seen, values, companyName: seen.company_name }),
  })
  const [adding, setAdding] = useState<string | null>(null)
  return (
    <RecordSection title="Details">
      <FieldDetails
        fields={fields}
        record={contact}
        field={field}
        onTakeTheirs={readAgain}
        today={dayOf(now, timeZone)}
        adding={adding}
        onAdded={() => setAdding(null)}
        special={{
          // Nothing to remind of.
          ...(contact.birthday || contact.birthday_reminder !== null
            ? {}
            : { birthday_reminder: null }),
          company_id: <ContactCompany contact={contact} />,
          lead_status: (
            <EditableChoice
              label={contactFields.lead_status.label}
              value={statusOf(contact)}
              values={leadStatuses}
              render={(status) => <LeadStatusBadge status={status} />}
              onChoose={(lead_status) => {
                const companyName = contact.company_name
                // The mutation reports a failure and rolls back.
                update({ seen: contact, values: { lead_status }, companyName }).catch(() => {})
              }}
            />
          ),
        }}
      />
      <LastContacted at={contact.last_contacted} />
      <FieldFact label={contactFields.created_at.label}>
        {shownDay(contact.created_at, timeZone)}
      </FieldFact>
      <AddEntryButtons fields={contactFields} record={contact} adding={adding} onAdd={setAdding} />
      <AddFieldButton record="contacts" />
    </RecordSection>
  )
}

function statusOf({ lead_status }: Contact): LeadStatus {
  return leadStatuses.find((status) => status === lead_status) ?? 'New'
}
