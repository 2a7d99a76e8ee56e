import { Box } from '@mantine/core'
import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import {
  contactColumns,
  contactFields,
  contactSorts,
  usualContactColumns,
} from '#domain/fields/contacts.ts'
import { columnLabels, sortOptions } from '#domain/fields/list.ts'
import { ownKey, ownKeys } from '#domain/fields/own.ts'
import { CollectionsButton, useCollections } from '#features/collections/index.ts'
import { useCompanyName } from '#features/companies/index.ts'
import { FilesMenu } from '#features/exports/index.ts'
import { ownChips } from '#features/fields/index.ts'
import { FieldDialog, useOwnUrl } from '#features/own-fields/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { SavedViewsMenu } from '#features/saved-views/index.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import { useUrlChoices, writeUrlState } from '#lib/url-state.ts'
import { ColumnMenu } from '#ui/column-menu.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { FilterPopover, ListToolbar } from '#ui/list-toolbar.tsx'
import { SortMenu } from '#ui/sort-menu.tsx'
import { filterChips } from './contact-chips.ts'
import { allContacts, contactUrl, contactView, mostFirst } from './contact-view.ts'
import { useExportAllFields } from './use-export-contacts.ts'

const ContactFilters = lazyPart(
  async () => (await import('./contact-filters.tsx')).ContactFilters,
  { name: 'The filter' },
)

type ContactToolbarProps = {
  /** Opens a saved view. */
  onOpen: (query: string) => void
  onChanged: () => void
  total: number | undefined
}

/** Search, filters, columns, order and views of the contacts, and how many there are. */
export function ContactToolbar({ onOpen, onChanged, total }: ContactToolbarProps) {
  const { own, schema } = useOwnUrl('contacts', contactUrl)
  const { state, setState: onChange } = useUrlChoices(schema)
  const [isAdding, setIsAdding] = useState(false)
  const timeZone = useTimeZone()
  const { isExporting, exportAllFields } = useExportAllFields()
  const fields = { ...contactFields, ...own }
  const ownFilter = {
    own,
    conditions: state.field,
    onChange: (field: string[]) => onChange({ field }, { isTyping: true }),
  }
  const companyName = useCompanyName(state.company)
  const { rows: collections } = useCollections()
  const collection = collections.find(({ id }) => id === state.collection)
  const chips = [
    ...filterChips(state, onChange, { companyName, collectionName: collection?.name }),
    ...ownChips(ownFilter),
  ]
  return (
    <>
      <ListToolbar
        placeholder="Search contacts..."
        search={state.q}
        onSearch={(q) => onChange({ q }, { isTyping: true })}
        chips={chips}
        onShowAll={() => onChange(allContacts)}
        total={total === undefined ? undefined : counted(total, 'contact')}
        more={
          <>
            <CollectionsButton
              chosen={state.collection ?? null}
              onChoose={(id) => onChange({ collection: id ?? undefined })}
              onChanged={onChanged}
            />
            <Box visibleFrom="sm">
              <ColumnMenu
                columns={columnLabels(fields, [...contactColumns, ...ownKeys(own)])}
                onAdd={() => setIsAdding(true)}
                shown={state.col}
                onChange={(col) => onChange({ col })}
                usual={usualContactColumns}
              />
            </Box>
            <SortMenu
              options={sortOptions(fields, [...contactSorts, ...ownKeys(own)])}
              sort={state.sort}
              direction={directionOf(state, mostFirst)}
              onSort={(sort, direction) =>
                onChange({ sort, dir: directionInUrl(sort, direction, mostFirst) })
              }
            />
            <SavedViewsMenu
              screen="contacts"
              query={writeUrlState(schema, state).toString()}
              onOpen={onOpen}
            />
            <FilesMenu
              isExporting={isExporting}
              choices={[
                {
                  fields: 'all',
                  onExport: () => exportAllFields(contactView(state, timeZone).filter),
                },
              ]}
            />
          </>
        }
      >
        <FilterPopover
          count={chips.length}
          onClear={() => onChange({ ...allContacts, q: state.q })}
          part={ContactFilters}
        >
          <ContactFilters
            state={state}
            onChange={onChange}
            companyName={companyName}
            collections={collections}
            ownFilter={ownFilter}
          />
        </FilterPopover>
      </ListToolbar>
      {isAdding && (
        <FieldDialog
          record="contacts"
          onMade={(id) => onChange(({ col }) => ({ col: [...col, ownKey(id)] }))}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  )
}
