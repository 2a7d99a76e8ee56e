import { useState } from 'react'
import { companySchema, newCompany } from '#domain/fields/companies.ts'
import { newId } from '#lib/new-id.ts'
import { RecordSelect } from '#ui/record-select.tsx'
import { CompanyDialog } from './company-dialog-part.ts'
import { useCompanyChoices, useCreateCompany } from './queries.ts'

type CompanySelectProps = {
  label?: string
  placeholder?: string
  chosen: { id: string; name: string } | null
  onChoose: (company: { id: string; name: string } | null) => void
  /** Called when the form of a new company opens over this field, and when it closes. */
  onCovered?: (isCovered: boolean) => void
  /** Whether a new company can be created here. */
  canCreate?: boolean
  /** Further choices, such as none. */
  fixed?: { id: string; label: string }[]
  error?: string | undefined
  isInPopover?: boolean
  isFilter?: boolean
}

/** A field that chooses a company by search. */
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
  isFilter = false,
}: CompanySelectProps) {
  const [newName, setNewName] = useState<string | null>(null)
  const create = useCreateCompany()
  // One id for all tries, so that a lost answer never creates two records.
  const [id, setId] = useState(newId)
  function cover(name: string | null): void {
    setNewName(name)
    onCovered?.(name !== null)
  }
  async function make(name: string): Promise<{ id: string; label: string } | null> {
    const { data: values } = companySchema.safeParse({ ...newCompany, name })
    // Open the form, which shows what is wrong.
    if (!values) cover(name)
    // The mutation reports a failure and rolls back.
    const made = values && (await create({ id, values }).catch(() => null))
    if (!made) return null
    setId(newId())
    return { id: made.id, label: made.name }
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
        isFilter={isFilter}
        {...(canCreate ? { creation: { label: 'Create company', open: cover, make } } : {})}
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
