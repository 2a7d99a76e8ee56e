import { RecordSelect } from '#ui/record-select.tsx'
import { useContactChoices } from './queries.ts'

type ContactSelectProps = {
  label?: string
  placeholder?: string
  chosen: { id: string; name: string } | null
  onChoose: (contact: { id: string; name: string } | null) => void
  error?: string | undefined
  isInPopover?: boolean
}

/** The field that chooses a contact, among ever so many. */
export function ContactSelect({
  label = 'Contact',
  placeholder = 'No contact',
  chosen,
  onChoose,
  error,
  isInPopover = false,
}: ContactSelectProps) {
  return (
    <RecordSelect
      label={label}
      name="contact_id"
      placeholder={placeholder}
      chosen={chosen && { id: chosen.id, label: chosen.name }}
      onChoose={(choice) => onChoose(choice && { id: choice.id, name: choice.label })}
      useChoices={useContactChoices}
      error={error}
      {...(isInPopover ? { comboboxProps: { withinPortal: false, shadow: 'md' } } : {})}
    />
  )
}
