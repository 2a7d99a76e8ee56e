import { Button } from '@mantine/core'
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import { openedPart } from './lazy-part.tsx'
import type { SortDirection, SortOption } from './sort-choices.tsx'
import classes from './sort-menu.module.css'
import { Unfolding } from './unfolding.tsx'

const SortChoices = openedPart(async () => (await import('./sort-choices.tsx')).SortChoices)

type SortMenuProps<Sort extends string> = {
  options: SortOption<Sort>[]
  sort: Sort
  direction: SortDirection
  /** Without a direction: the usual one of this sort. */
  onSort: (sort: Sort, direction?: SortDirection) => void
}

/** The menu for the sort of a list and its direction. */
export function SortMenu<Sort extends string>(props: SortMenuProps<Sort>) {
  const { options, sort, direction, onSort } = props
  const current = options.find(({ value }) => value === sort)
  if (!current) return null
  const Icon = direction === 'desc' ? IconSortDescending : IconSortAscending
  const label = `Sort: ${current.label}, ${current[direction]}`
  return (
    <Unfolding
      popup="menu"
      parts={[SortChoices]}
      button={(button) => (
        <Button
          variant="default"
          leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
          aria-label={label}
          {...button}
        >
          Sort <span className={classes.by}>{current.label}</span>
        </Button>
      )}
    >
      {(onClose) => (
        <SortChoices
          label={label}
          options={options}
          current={current}
          direction={direction}
          onSort={(wanted, to) => {
            const option = options.find(({ value }) => value === wanted)
            if (option) onSort(option.value, to)
          }}
          onClose={onClose}
        />
      )}
    </Unfolding>
  )
}
