import { Button, CloseButton, Menu, MultiSelect, Popover, Stack } from '@mantine/core'
import { IconFilter, IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import { SearchField } from '#ui/search-field.tsx'
import classes from './company-toolbar.module.css'
import {
  type CompanySort,
  type CompanyUrlState,
  companySorts,
  isDescending,
} from './company-view.ts'
import { counted } from './counted.ts'
import { useCompanyFacets } from './queries.ts'

type CompanyToolbarProps = {
  state: CompanyUrlState
  onChange: (changes: Partial<CompanyUrlState>, how?: { isTyping: boolean }) => void
  total: number | undefined
}

const sortNames: Record<CompanySort, string> = {
  created: 'Created',
  name: 'Name',
  industry: 'Industry',
  location: 'Location',
}

const filters = [
  { name: 'industry', label: 'Industry' },
  { name: 'location', label: 'Location' },
] as const

/** Search, filter and sort order of the companies, and how many there are. */
export function CompanyToolbar({ state, onChange, total }: CompanyToolbarProps) {
  const chosen = filters.flatMap(({ name, label }) =>
    state[name].map((value) => ({ name, label, value })),
  )
  return (
    <>
      <div className={classes.bar}>
        <SearchField
          className={classes.search ?? ''}
          placeholder="Search companies..."
          value={state.q}
          onSearch={(q) => onChange({ q }, { isTyping: true })}
        />
        <FilterButton state={state} onChange={onChange} count={chosen.length} />
        <SortButton state={state} onChange={onChange} />
        <span className={classes.total} role="status">
          {total !== undefined && counted(total, 'company', 'companies')}
        </span>
      </div>
      {chosen.length > 0 && (
        <div className={classes.chips}>
          {chosen.map(({ name, label, value }) => (
            <span key={`${name} ${value}`} className={classes.chip}>
              <span>
                <span>{label}</span> <bdi>{value}</bdi>
              </span>
              <CloseButton
                size="sm"
                aria-label={`Remove filter ${label} ${value}`}
                onClick={() => onChange({ [name]: state[name].filter((each) => each !== value) })}
              />
            </span>
          ))}
        </div>
      )}
    </>
  )
}

type ControlProps = Pick<CompanyToolbarProps, 'state' | 'onChange'>

function FilterButton({ state, onChange, count }: ControlProps & { count: number }) {
  const facets = useCompanyFacets()
  const known = { industry: facets.data?.industries, location: facets.data?.locations }
  return (
    <Popover
      width={280}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      // At the end of the page it would take the focus, and the page, down there with it.
      withinPortal={false}
    >
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={16} stroke={1.5} aria-hidden />}>
          {count > 0 ? `Filter (${count})` : 'Filter'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="md">
          {filters.map(({ name, label }) => (
            <MultiSelect
              key={name}
              label={label}
              placeholder={state[name].length > 0 ? '' : 'Any'}
              // What the address asks for stays choosable, whether or not there is any left.
              data={[...new Set([...(known[name] ?? []), ...state[name]])]}
              value={state[name]}
              onChange={(values) => onChange({ [name]: values })}
              searchable
              hidePickedOptions
              maxValues={50}
              nothingFoundMessage="Nothing found"
              comboboxProps={{ withinPortal: false, shadow: 'md' }}
            />
          ))}
          <Button
            variant="default"
            disabled={count === 0}
            onClick={() => onChange({ industry: [], location: [] })}
          >
            Clear filters
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function SortButton({ state, onChange }: ControlProps) {
  const direction = isDescending(state) ? 'desc' : 'asc'
  const Icon = direction === 'desc' ? IconSortDescending : IconSortAscending
  const words =
    state.sort === 'created'
      ? { asc: 'Oldest first', desc: 'Newest first' }
      : { asc: 'A to Z', desc: 'Z to A' }
  return (
    <Menu
      position="bottom-start"
      width={200}
      shadow="md"
      closeOnItemClick={false}
      withinPortal={false}
      // A menu may hold nothing but its entries.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
          aria-label={`Sort: ${sortNames[state.sort]}, ${words[direction]}`}
        >
          {sortNames[state.sort]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Sort by</Menu.Label>
        <Menu.RadioGroup
          value={state.sort}
          // Each field begins in the direction that people expect of it.
          onChange={(value) => onChange({ sort: asSort(value), dir: undefined })}
        >
          {companySorts.map((sort) => (
            <Menu.RadioItem key={sort} value={sort}>
              {sortNames[sort]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.RadioGroup
          value={direction}
          onChange={(value) => onChange({ dir: directionFor(state.sort, value) })}
        >
          <Menu.RadioItem value="asc">{words.asc}</Menu.RadioItem>
          <Menu.RadioItem value="desc">{words.desc}</Menu.RadioItem>
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

function asSort(value: string): CompanySort {
  return companySorts.find((sort) => sort === value) ?? 'created'
}

/** Undefined for the usual one, so that the address stays short. */
function directionFor(sort: CompanySort, value: string): CompanyUrlState['dir'] {
  const dir = value === 'desc' ? 'desc' : 'asc'
  return (dir === 'desc') === isDescending({ sort, dir: undefined }) ? undefined : dir
}
