import { Box } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { CollectionsButton, useCollections } from '#features/collections/index.ts'
import { useCompanyName } from '#features/companies/index.ts'
import { SavedViewsMenu } from '#features/saved-views/index.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import { useUrlChoices, writeUrlState } from '#lib/url-state.ts'
import { ColumnMenu } from '#ui/column-menu.tsx'
import { FilterPopover, ListToolbar } from '#ui/list-toolbar.tsx'
import { SortMenu, type SortOption } from '#ui/sort-menu.tsx'
import { columnNames } from './contact-columns.tsx'
import { ContactFilters, filterChips } from './contact-filters.tsx'
import {
  allContacts,
  type ContactSort,
  contactColumns,
  contactUrlSchema,
  mostFirst,
} from './contact-view.ts'

type ContactToolbarProps = {
  /** Opens a saved view. */
  onOpen: (query: string) => void
  onChanged: () => void
  total: number | undefined
}

const letters = { asc: 'A to Z', desc: 'Z to A' }

const sortOptions: SortOption<ContactSort>[] = [
  { value: 'created', label: 'Created', asc: 'Oldest first', desc: 'Newest first' },
  { value: 'name', label: 'Contact', ...letters },
  { value: 'email', label: 'Email', ...letters },
  { value: 'phone', label: 'Phone', asc: 'Ascending', desc: 'Descending' },
  { value: 'company', label: 'Company', ...letters },
  { value: 'lead_status', label: 'Lead Status', ...letters },
  { value: 'lead_score', label: 'Lead Score', asc: 'Lowest first', desc: 'Highest first' },
  { value: 'notes', label: 'Notes', ...letters },
  { value: 'last_contacted', label: 'Last Contacted', asc: 'Longest ago', desc: 'Most recent' },
  { value: 'next_task', label: 'Next Task', asc: 'Soonest first', desc: 'Latest first' },
]

const usualColumns = contactUrlSchema.parse({}).col
const columnChoices = contactColumns.map((key) => ({ key, label: columnNames[key] }))

/** Search, filters, columns, order and views of the contacts, and how many there are. */
export function ContactToolbar({ onOpen, onChanged, total }: ContactToolbarProps) {
  const { state, setState: onChange } = useUrlChoices(contactUrlSchema)
  const companyName = useCompanyName(state.company)
  const { rows: collections } = useCollections()
  const collection = collections.find(({ id }) => id === state.collection)
  const chips = filterChips(state, onChange, { companyName, collectionName: collection?.name })
  return (
    <ListToolbar
      placeholder="Search contacts..."
      search={state.q}
      onSearch={(q) => onChange({ q }, { isTyping: true })}
      chips={chips}
      total={total === undefined ? undefined : counted(total, 'contact')}
    >
      <CollectionsButton
        chosen={state.collection ?? null}
        onChoose={(id) => onChange({ collection: id ?? undefined })}
        onChanged={onChanged}
      />
      <FilterPopover count={chips.length} onClear={() => onChange({ ...allContacts, q: state.q })}>
        <ContactFilters
          state={state}
          onChange={onChange}
          companyName={companyName}
          collections={collections}
        />
      </FilterPopover>
      <Box visibleFrom="sm">
        <ColumnMenu
          columns={columnChoices}
          shown={state.col}
          onChange={(col) => onChange({ col })}
          usual={usualColumns}
        />
      </Box>
      <SortMenu
        options={sortOptions}
        sort={state.sort}
        direction={directionOf(state, mostFirst)}
        onSort={(sort, direction) =>
          onChange({ sort, dir: directionInUrl(sort, direction, mostFirst) })
        }
      />
      <SavedViewsMenu
        screen="contacts"
        query={writeUrlState(contactUrlSchema, state).toString()}
        onOpen={onOpen}
      />
    </ListToolbar>
  )
}
