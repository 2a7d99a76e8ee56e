import { companyFields, companyFilters } from '#domain/fields/companies.ts'
import { FieldFilters, OwnFilters, type OwnFiltersProps } from '#features/fields/index.ts'
import type { CompanyUrlState } from './company-view.ts'
import { useCompanyFacets } from './queries.ts'

type CompanyFiltersProps = {
  state: CompanyUrlState
  onChange: (changes: Partial<CompanyUrlState>) => void
  ownFilter: OwnFiltersProps
}

export function CompanyFilters({ state, onChange, ownFilter }: CompanyFiltersProps) {
  const facets = useCompanyFacets()
  return (
    <>
      <FieldFilters
        fields={companyFields}
        filters={companyFilters}
        state={state}
        onChange={onChange}
        texts={{ industry: facets.data?.industries, location: facets.data?.locations }}
      />
      <OwnFilters {...ownFilter} />
    </>
  )
}
