import { contactName } from '#domain/contact.ts'
import { contactSchema, newContact } from '#domain/fields/record-forms.ts'
import { type CreatingSelectProps, LinkSelect } from '#features/fields/index.ts'
import { ContactDialog } from './contact-dialog-part.ts'
import { useContactChoices, useCreateContact } from './queries.ts'

type ContactSelectProps = CreatingSelectProps & {
  /** Limits the choices to contacts of this company. */
  company?: { id: string; name: string } | null
  /** Of the field in its form. */
  name?: string
}

/** A field that chooses a contact by search. */
export function ContactSelect({ company = null, ...props }: ContactSelectProps) {
  const create = useCreateContact()
  return (
    <LinkSelect
      label="Contact"
      placeholder="No contact"
      name="contact_id"
      useChoices={useContactChoices}
      within={company?.id}
      creation={{
        label: 'Create contact',
        make(typed, id) {
          const company_id = company?.id ?? null
          const { data: values } = contactSchema().safeParse({
            ...newContact,
            ...namesIn(typed),
            company_id,
          })
          if (!values) return null
          return create({ id, values, companyName: company?.name ?? null }).then(named)
        },
        form: (typed, onClose) => (
          <ContactDialog
            preset={namesIn(typed)}
            {...(company ? { presetCompany: company } : {})}
            onClose={onClose}
            onSaved={(contact) => props.onChoose(named(contact))}
          />
        ),
      }}
      {...props}
    />
  )
}

function named(contact: Parameters<typeof contactName>[0] & { id: string }) {
  return { id: contact.id, name: contactName(contact) }
}

/** 'Ada King Lovelace': the first word is the first name. */
function namesIn(typed: string): { first_name: string; last_name: string } {
  const [first = '', ...rest] = typed.split(/\s+/)
  return { first_name: first, last_name: rest.join(' ') }
}
