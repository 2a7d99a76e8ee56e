import { Box } from '@mantine/core'
import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import {
  companyColumns,
  companyFields,
  companyFilters,
  companySorts,
  usualCompanyColumns,
} from '#domain/fields/companies.ts'
import { columnLabels, sortOptions } from '#domain/fields/list.ts'
import { ownKey, ownKeys } from '#domain/fields/own.ts'
import { FilesMenu } from '#features/exports/index.ts'
import { fieldChips, ownChips } from '#features/fields/index.ts'
import { FieldDialog, useOwnUrl } from '#features/own-fields/index.ts'
import { SavedViewsMenu } from '#features/saved-views/index.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import { useUrlChoices, writeUrlState } from '#lib/url-state.ts'
import { ColumnMenu } from '#ui/column-menu.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { FilterPopover, ListToolbar } from '#ui/list-toolbar.tsx'
import { SortMenu } from '#ui/sort-menu.tsx'
import { ViewSwitch } from '#ui/view-switch.tsx'
import {
  type CompanyUrlState,
  companyUrl,
  companyView,
  mostFirst,
  unfiltered,
} from './company-view.ts'
import { useExportCompanies } from './use-export-companies.ts'

const CompanyFilters = lazyPart(
  async () => (await import('./company-filters.tsx')).CompanyFilters,
  { name: 'The filter' },
)

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
  const [isAdding, setIsAdding] = useState(false)
  const fields = { ...companyFields, ...own }
  const filter = { fields: companyFields, filters: companyFilters, state, onChange }
  const chips = [...fieldChips(filter), ...ownChips(ownFilter)]
  return (
    <>
      <ListToolbar
        placeholder="Search companies..."
        search={state.q}
        onSearch={(q) => onChange({ q }, { isTyping: true })}
        chips={chips}
        onShowAll={() => onChange({ ...unfiltered, q: '' })}
        total={total === undefined ? undefined : counted(total, 'company', 'companies')}
        more={
          <>
            <ViewSwitch
              aria-label="Show as"
              views={[
                { value: 'cards', label: 'Cards' },
                { value: 'table', label: 'Table' },
              ]}
              value={state.view}
              onChange={(view) => onChange({ view })}
            />
            {state.view === 'table' && (
              <Box visibleFrom="sm">
                <ColumnMenu
                  columns={columnLabels(fields, [...companyColumns, ...ownKeys(own)])}
                  onAdd={() => setIsAdding(true)}
                  shown={state.col}
                  onChange={(col) => onChange({ col })}
                  usual={usualCompanyColumns}
                />
              </Box>
            )}
            <SortMenu
              options={sortOptions(fields, [...companySorts, ...ownKeys(own)])}
              sort={state.sort}
              direction={directionOf(state, mostFirst)}
              onSort={(sort, direction) =>
                onChange({ sort, dir: directionInUrl(sort, direction, mostFirst) })
              }
            />
            <SavedViewsMenu
              screen="companies"
              query={writeUrlState(schema, state).toString()}
              onOpen={onOpen}
            />
            <CompanyFiles state={state} />
          </>
        }
      >
        <FilterPopover
          count={chips.length}
          onClear={() => onChange(unfiltered)}
          part={CompanyFilters}
        >
          <CompanyFilters state={state} onChange={onChange} ownFilter={ownFilter} />
        </FilterPopover>
      </ListToolbar>
      {isAdding && (
        <FieldDialog
          record="companies"
          onMade={(id) => onChange(({ col }) => ({ col: [...col, ownKey(id)] }))}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  )
}

function CompanyFiles({ state }: { state: CompanyUrlState }) {
  const { isExporting, exportCompanies } = useExportCompanies()
  return (
    <FilesMenu
      isExporting={isExporting}
      choices={[{ fields: 'all', onExport: () => exportCompanies(companyView(state)) }]}
    />
  )
}
