import { useState } from 'react'
import { contactName } from '#domain/contact.ts'
import { contactSchema, newContact } from '#domain/fields/contacts.ts'
import { newId } from '#lib/new-id.ts'
import { RecordSelect } from '#ui/record-select.tsx'
import { ContactDialog } from './contact-dialog-part.ts'
import { useContactChoices, useCreateContact } from './queries.ts'

type ContactSelectProps = {
  label?: string
  placeholder?: string
  chosen: { id: string; name: string } | null
  onChoose: (contact: { id: string; name: string } | null) => void
  /** Limits the choices to contacts of this company. */
  company?: { id: string; name: string } | null
  /** Called when the form of a new contact opens over this field, and when it closes. */
  onCovered?: (isCovered: boolean) => void
  /** Whether a new contact can be created here. */
  canCreate?: boolean
  /** Further choices, such as none. */
  fixed?: { id: string; label: string }[]
  error?: string | undefined
  isInPopover?: boolean
  isFilter?: boolean
}

/** A field that chooses a contact by search. */
export function ContactSelect({
  label = 'Contact',
  placeholder = 'No contact',
  chosen,
  onChoose,
  company = null,
  onCovered,
  canCreate = false,
  fixed = [],
  error,
  isInPopover = false,
  isFilter = false,
}: ContactSelectProps) {
  const [newName, setNewName] = useState<string | null>(null)
  const create = useCreateContact()
  // One id for all tries, so that a lost answer never creates two records.
  const [id, setId] = useState(newId)
  function cover(name: string | null): void {
    setNewName(name)
    onCovered?.(name !== null)
  }
  async function make(typed: string): Promise<{ id: string; label: string } | null> {
    const { data: values } = contactSchema.safeParse({
      ...newContact,
      ...namesIn(typed),
      company_id: company?.id ?? null,
    })
    // Open the form, which shows what is wrong.
    if (!values) cover(typed)
    const input = values && { id, values, companyName: company?.name ?? null }
    // The mutation reports a failure and rolls back.
    const made = input && (await create(input).catch(() => null))
    if (!made) return null
    setId(newId())
    return { id: made.id, label: contactName(made) }
  }
  return (
    <>
      <RecordSelect
        label={label}
        name="contact_id"
        placeholder={placeholder}
        chosen={chosen && { id: chosen.id, label: chosen.name }}
        onChoose={(choice) => onChoose(choice && { id: choice.id, name: choice.label })}
        useChoices={useContactChoices}
        within={company?.id}
        fixed={fixed}
        error={error}
        isFilter={isFilter}
        {...(canCreate ? { creation: { label: 'Create contact', open: cover, make } } : {})}
        {...(isInPopover ? { comboboxProps: { withinPortal: false, shadow: 'md' } } : {})}
      />
      {newName !== null && (
        <ContactDialog
          preset={namesIn(newName)}
          {...(company ? { presetCompany: company } : {})}
          onClose={() => cover(null)}
          onSaved={(contact) => onChoose({ id: contact.id, name: contactName(contact) })}
        />
      )}
    </>
  )
}

/** 'Ada King Lovelace': the first word is the first name. */
function namesIn(typed: string): { first_name: string; last_name: string } {
  const [first = '', ...rest] = typed.split(/\s+/)
  return { first_name: first, last_name: rest.join(' ') }
}
