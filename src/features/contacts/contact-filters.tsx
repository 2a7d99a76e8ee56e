import { Select } from '@mantine/core'
import { contactFields, contactFilters } from '#domain/fields/contacts.ts'
import { CompanySelect } from '#features/companies/index.ts'
import { FieldFilters, OwnFilters, type OwnFiltersProps } from '#features/fields/index.ts'
import type { ContactUrlState } from './contact-view.ts'

type ContactFiltersProps = {
  state: ContactUrlState
  onChange: (changes: Partial<ContactUrlState>) => void
  companyName: string | undefined
  collections: { id: string; name: string }[]
  ownFilter: OwnFiltersProps
}

const withoutCompany = { id: 'none', label: 'Without company' }

export function ContactFilters(props: ContactFiltersProps) {
  const { state, onChange, companyName, collections, ownFilter } = props
  const { company } = state
  const name = company === 'none' ? withoutCompany.label : (companyName ?? '')
  return (
    <>
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
      <OwnFilters {...ownFilter} />
    </>
  )
}
