import { Button } from '@mantine/core'
import { IconFileExport } from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import { companyFields, companyFilters, companySorts } from '#domain/fields/companies.ts'
import { sortOptions } from '#domain/fields/list.ts'
import { ownKeys } from '#domain/fields/own.ts'
import { useExport } from '#features/exports/index.ts'
import { FieldFilters, fieldChips, OwnFilters, ownChips } from '#features/fields/index.ts'
import { useAllOwnFields, useOwnUrl } from '#features/own-fields/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { SavedViewsMenu } from '#features/saved-views/index.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import { useUrlChoices, writeUrlState } from '#lib/url-state.ts'
import { FilterPopover, ListToolbar } from '#ui/list-toolbar.tsx'
import { SortMenu } from '#ui/sort-menu.tsx'
import { companyUrl, companyView, newestFirst, unfiltered } from './company-view.ts'
import { useCompanyFacets } from './queries.ts'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

type CompanyToolbarProps = {
  /** Opens a saved view. */
  onOpen: (query: string) => void
  total: number | undefined
}

/** Search, filter, sort order and views of the companies, and how many there are. */
export function CompanyToolbar({ onOpen, total }: CompanyToolbarProps) {
  const { own, schema } = useOwnUrl('companies', companyUrl)
  const { state, setState: onChange } = useUrlChoices(schema)
  const ownFilter = {
    own,
    conditions: state.field,
    onChange: (field: string[]) => onChange({ field }, { isTyping: true }),
  }
  const allOwn = useAllOwnFields('companies')
  const facets = useCompanyFacets()
  const timeZone = useTimeZone()
  const { isExporting, run } = useExport('companies')
  const exportAll = () =>
    run(async () => {
      const { writeAllFields } = await import('./export-all-fields.ts')
      return writeAllFields(companyView(state), allOwn, timeZone)
    })
  const filter = { fields: companyFields, filters: companyFilters, state, onChange }
  const chips = [...fieldChips(filter), ...ownChips(ownFilter)]
  return (
    <ListToolbar
      placeholder="Search companies..."
      search={state.q}
      onSearch={(q) => onChange({ q }, { isTyping: true })}
      chips={chips}
      total={total === undefined ? undefined : counted(total, 'company', 'companies')}
      more={
        <>
          <SortMenu
            options={sortOptions({ ...companyFields, ...own }, [...companySorts, ...ownKeys(own)])}
            sort={state.sort}
            direction={directionOf(state, newestFirst)}
            onSort={(sort, direction) =>
              onChange({ sort, dir: directionInUrl(sort, direction, newestFirst) })
            }
          />
          <SavedViewsMenu
            screen="companies"
            query={writeUrlState(schema, state).toString()}
            onOpen={onOpen}
          />
          <Button
            variant="default"
            leftSection={<IconFileExport {...icon} />}
            disabled={isExporting}
            onClick={exportAll}
          >
            {isExporting ? 'Exporting...' : 'Export all fields'}
          </Button>
        </>
      }
    >
      <FilterPopover count={chips.length} onClear={() => onChange(unfiltered)}>
        <FieldFilters
          {...filter}
          texts={{ industry: facets.data?.industries, location: facets.data?.locations }}
        />
        <OwnFilters {...ownFilter} />
      </FilterPopover>
    </ListToolbar>
  )
}
