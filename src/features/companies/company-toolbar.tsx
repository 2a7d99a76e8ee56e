import { counted } from '#domain/counted.ts'
import { companyFields, companyFilters, companySorts } from '#domain/fields/companies.ts'
import { sortOptions } from '#domain/fields/list.ts'
import { FieldFilters, fieldChips } from '#features/fields/index.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import { useUrlChoices } from '#lib/url-state.ts'
import { FilterPopover, ListToolbar } from '#ui/list-toolbar.tsx'
import { SortMenu } from '#ui/sort-menu.tsx'
import { companyUrlSchema, newestFirst, unfiltered } from './company-view.ts'
import { useCompanyFacets } from './queries.ts'

const sorts = sortOptions(companyFields, companySorts)

/** Search, filter and sort order of the companies, and how many there are. */
export function CompanyToolbar({ total }: { total: number | undefined }) {
  const { state, setState: onChange } = useUrlChoices(companyUrlSchema)
  const facets = useCompanyFacets()
  const filter = { fields: companyFields, filters: companyFilters, state, onChange }
  const chips = fieldChips(filter)
  return (
    <ListToolbar
      placeholder="Search companies..."
      search={state.q}
      onSearch={(q) => onChange({ q }, { isTyping: true })}
      chips={chips}
      total={total === undefined ? undefined : counted(total, 'company', 'companies')}
    >
      <FilterPopover count={chips.length} onClear={() => onChange(unfiltered)}>
        <FieldFilters
          {...filter}
          texts={{ industry: facets.data?.industries, location: facets.data?.locations }}
        />
      </FilterPopover>
      <SortMenu
        options={sorts}
        sort={state.sort}
        direction={directionOf(state, newestFirst)}
        onSort={(sort, direction) =>
          onChange({ sort, dir: directionInUrl(sort, direction, newestFirst) })
        }
      />
    </ListToolbar>
  )
}
