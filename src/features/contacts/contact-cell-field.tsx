import { dayOf } from '#domain/dates.ts'
import { contactFields, leadStatuses } from '#domain/fields/contacts.ts'
import { FieldDetails } from '#features/fields/index.ts'
import { useOwnFields } from '#features/own-fields/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useDetailFields } from '#lib/use-detail-fields.ts'
import { useNow } from '#lib/use-now.ts'
import { EditableChoice } from '#ui/editable-choice.tsx'
import { LeadStatusBadge } from './contact-columns.tsx'
import {
  type Contact,
  type ContactValues,
  useReadContactsAgain,
  useUpdateContact,
} from './queries.ts'

/** A field of a contact, edited in its cell as in the details. */
export function ContactCellField({ contact, name }: { contact: Contact; name: string }) {
  const update = useUpdateContact()
  const readAgain = useReadContactsAgain()
  const timeZone = useTimeZone()
  const now = useNow()
  const { own } = useOwnFields('contacts')
  const fields = { ...contactFields, ...own }
  const edited = Object.entries(fields).filter(([each]) => each === name)
  const field = useDetailFields({
    record: contact,
    fields,
    update: ({ seen, values }: { seen: Contact; values: Partial<ContactValues> }) =>
      update({ seen, values, companyName: seen.company_name }),
  })
  return (
    <FieldDetails
      fields={Object.fromEntries(edited)}
      record={contact}
      field={field}
      onTakeTheirs={readAgain}
      today={dayOf(now, timeZone)}
      special={{
        lead_status: (
          <EditableChoice
            label={contactFields.lead_status.label}
            value={contact.lead_status}
            values={leadStatuses}
            render={(status) => <LeadStatusBadge status={status} />}
            onChoose={field('lead_status').choose}
          />
        ),
      }}
    />
  )
}
