import { Button, Menu } from '@mantine/core'
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import classes from './sort-menu.module.css'

type SortDirection = 'asc' | 'desc'

type SortOption<Sort extends string> = {
  value: Sort
  label: string
  /** The names of the directions: 'A to Z', 'Z to A'. */
  asc: string
  desc: string
}

type SortMenuProps<Sort extends string> = {
  options: SortOption<Sort>[]
  sort: Sort
  direction: SortDirection
  /** Without a direction: the usual one of this sort. */
  onSort: (sort: Sort, direction?: SortDirection) => void
}

/** The menu for the sort of a list and its direction. */
export function SortMenu<Sort extends string>({
  options,
  sort,
  direction,
  onSort,
}: SortMenuProps<Sort>) {
  const current = options.find(({ value }) => value === sort)
  if (!current) return null
  const Icon = direction === 'desc' ? IconSortDescending : IconSortAscending
  return (
    <Menu
      position="bottom-start"
      width={200}
      shadow="md"
      closeOnItemClick={false}
      withinPortal={false}
      // ARIA allows only items in a menu.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
          aria-label={`Sort: ${current.label}, ${current[direction]}`}
        >
          Sort <span className={classes.by}>{current.label}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="min(480px, 60dvh)" style={{ overflowY: 'auto' }}>
        <Menu.Label>Sort by</Menu.Label>
        <Menu.RadioGroup
          value={sort}
          onChange={(wanted) => {
            const option = options.find(({ value }) => value === wanted)
            if (option) onSort(option.value)
          }}
        >
          {options.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.RadioGroup
          value={direction}
          onChange={(value) => onSort(sort, value === 'desc' ? 'desc' : 'asc')}
        >
          <Menu.RadioItem value="asc">{current.asc}</Menu.RadioItem>
          <Menu.RadioItem value="desc">{current.desc}</Menu.RadioItem>
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
