import { MultiSelect } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { companyFields, companySorts } from '#domain/fields/companies.ts'
import { sortOptions } from '#domain/fields/list.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import { useUrlChoices } from '#lib/url-state.ts'
import { FilterPopover, ListToolbar } from '#ui/list-toolbar.tsx'
import { SortMenu } from '#ui/sort-menu.tsx'
import { companyUrlSchema, newestFirst } from './company-view.ts'
import { useCompanyFacets } from './queries.ts'

const sorts = sortOptions(companyFields, companySorts)

const filters = [
  { name: 'industry', label: companyFields.industry.label },
  { name: 'location', label: companyFields.location.label },
] as const

/** Search, filter and sort order of the companies, and how many there are. */
export function CompanyToolbar({ total }: { total: number | undefined }) {
  const { state, setState: onChange } = useUrlChoices(companyUrlSchema)
  const facets = useCompanyFacets()
  const known = { industry: facets.data?.industries, location: facets.data?.locations }
  const chips = filters.flatMap(({ name, label }) =>
    state[name].map((value) => ({
      key: `${name} ${value}`,
      label,
      value,
      onRemove: () => onChange({ [name]: state[name].filter((each) => each !== value) }),
    })),
  )
  return (
    <ListToolbar
      placeholder="Search companies..."
      search={state.q}
      onSearch={(q) => onChange({ q }, { isTyping: true })}
      chips={chips}
      total={total === undefined ? undefined : counted(total, 'company', 'companies')}
    >
      <FilterPopover count={chips.length} onClear={() => onChange({ industry: [], location: [] })}>
        {filters.map(({ name, label }) => (
          <MultiSelect
            key={name}
            label={label}
            placeholder={state[name].length > 0 ? '' : 'Any'}
            // Keep the filtered values as choices, even if no company has them any more.
            data={[...new Set([...(known[name] ?? []), ...state[name]])]}
            value={state[name]}
            onChange={(values) => onChange({ [name]: values })}
            searchable
            selectFirstOptionOnChange
            hidePickedOptions
            maxValues={50}
            nothingFoundMessage="Nothing found"
            comboboxProps={{ withinPortal: false, shadow: 'md' }}
          />
        ))}
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
