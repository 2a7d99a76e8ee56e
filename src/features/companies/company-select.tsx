import { useState } from 'react'
import { RecordSelect } from '#ui/record-select.tsx'
import { CompanyDialog } from './company-dialog-part.ts'
import { useCompanyChoices } from './queries.ts'

type CompanySelectProps = {
  label?: string
  placeholder?: string
  chosen: { id: string; name: string } | null
  onChoose: (company: { id: string; name: string } | null) => void
  /** The form of a new company opens over this, or has closed again. */
  onCovered?: (isCovered: boolean) => void
  /** A new company can be made right here. */
  canCreate?: boolean
  /** Choices beside the companies, such as none. */
  fixed?: { id: string; label: string }[]
  error?: string | undefined
  isInPopover?: boolean
}

/** The field that chooses a company, among ever so many. */
export function CompanySelect({
  label = 'Company',
  placeholder = 'No company',
  chosen,
  onChoose,
  onCovered,
  canCreate = false,
  fixed = [],
  error,
  isInPopover = false,
}: CompanySelectProps) {
  const [newName, setNewName] = useState<string | null>(null)
  function cover(name: string | null): void {
    setNewName(name)
    onCovered?.(name !== null)
  }
  return (
    <>
      <RecordSelect
        label={label}
        name="company_id"
        placeholder={placeholder}
        chosen={chosen && { id: chosen.id, label: chosen.name }}
        onChoose={(choice) => onChoose(choice && { id: choice.id, name: choice.label })}
        useChoices={useCompanyChoices}
        fixed={fixed}
        error={error}
        createLabel="Create company"
        {...(canCreate ? { onCreate: cover } : {})}
        {...(isInPopover ? { comboboxProps: { withinPortal: false, shadow: 'md' } } : {})}
      />
      {newName !== null && (
        <CompanyDialog
          preset={{ name: newName }}
          onClose={() => cover(null)}
          onSaved={({ id, name }) => onChoose({ id, name })}
        />
      )}
    </>
  )
}
