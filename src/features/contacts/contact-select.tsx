import { useState } from 'react'
import { contactName } from '#domain/contact.ts'
import { RecordSelect } from '#ui/record-select.tsx'
import { ContactDialog } from './contact-dialog-part.ts'
import { useContactChoices } from './queries.ts'

type ContactSelectProps = {
  label?: string
  placeholder?: string
  chosen: { id: string; name: string } | null
  onChoose: (contact: { id: string; name: string } | null) => void
  /** Only those of this company. */
  company?: { id: string; name: string } | null
  /** The form of a new contact opens over this, or has closed again. */
  onCovered?: (isCovered: boolean) => void
  /** A new contact can be made right here. */
  canCreate?: boolean
  /** Choices beside the contacts, such as none. */
  fixed?: { id: string; label: string }[]
  error?: string | undefined
  isInPopover?: boolean
}

/** The field that chooses a contact, among ever so many. */
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
}: ContactSelectProps) {
  const [newName, setNewName] = useState<string | null>(null)
  function cover(name: string | null): void {
    setNewName(name)
    onCovered?.(name !== null)
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
        createLabel="Create contact"
        {...(canCreate ? { onCreate: cover } : {})}
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
