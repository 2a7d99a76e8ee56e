import { Select } from '@mantine/core'
import { contactFields, contactFilters } from '#domain/fields/contacts.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { FieldFilters, fieldChips } from '#features/fields/index.ts'
import type { FilterChip } from '#ui/list-toolbar.tsx'
import type { ContactUrlState } from './contact-view.ts'

type Change = (changes: Partial<ContactUrlState>) => void

type ContactFiltersProps = {
  state: ContactUrlState
  onChange: Change
  companyName: string | undefined
  collections: { id: string; name: string }[]
}

const withoutCompany = { id: 'none', label: 'Without company' }

export function ContactFilters({ state, onChange, companyName, collections }: ContactFiltersProps) {
  const { company } = state
  const name = company === 'none' ? withoutCompany.label : (companyName ?? '')
  return (
    <FieldFilters
      fields={contactFields}
      filters={contactFilters}
      state={state}
      onChange={onChange}
      special={{
        company: (
          <CompanySelect
            placeholder="Any"
            isInPopover
            isFilter
            fixed={[withoutCompany]}
            chosen={company ? { id: company, name } : null}
            onChoose={(chosen) => onChange({ company: chosen?.id })}
          />
        ),
        collection: (
          <Select
            label={contactFields.collection.label}
            placeholder="Any"
            clearable
            clearButtonProps={{ 'aria-label': 'Clear Collection' }}
            searchable
            selectFirstOptionOnChange
            nothingFoundMessage="Nothing found"
            data={collections.map(({ id, name: label }) => ({ value: id, label }))}
            value={state.collection ?? null}
            onChange={(id) => onChange({ collection: id ?? undefined })}
            comboboxProps={{ withinPortal: false, shadow: 'md' }}
          />
        ),
      }}
    />
  )
}

/** A chip for each active filter, which removes it. */
export function filterChips(
  state: ContactUrlState,
  onChange: Change,
  names: { companyName: string | undefined; collectionName: string | undefined },
): FilterChip[] {
  return fieldChips({
    fields: contactFields,
    filters: contactFilters,
    state,
    onChange,
    recordNames: {
      company: state.company === 'none' ? 'none' : names.companyName,
      collection: names.collectionName,
    },
  })
}
