import { Menu } from '@mantine/core'
import { type Unfolded, UnfoldedMenu } from './unfolded.tsx'

export type SortDirection = 'asc' | 'desc'

export type SortOption<Sort extends string> = {
  value: Sort
  label: string
  /** The names of the directions: 'A to Z', 'Z to A'. */
  asc: string
  desc: string
}

type SortChoicesProps = Unfolded & {
  options: SortOption<string>[]
  current: SortOption<string>
  direction: SortDirection
  onSort: (sort: string, direction?: SortDirection) => void
}

/** What a list can be sorted by, and in which direction. */
export function SortChoices(props: SortChoicesProps) {
  const { options, current, direction, onSort, ...menu } = props
  return (
    <UnfoldedMenu width={200} closeOnItemClick={false} {...menu}>
      <Menu.Label>Sort by</Menu.Label>
      <Menu.RadioGroup value={current.value} onChange={(wanted) => onSort(wanted)}>
        {options.map(({ value, label }) => (
          <Menu.RadioItem key={value} value={value}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.RadioGroup
        value={direction}
        onChange={(value) => onSort(current.value, value === 'desc' ? 'desc' : 'asc')}
      >
        <Menu.RadioItem value="asc">{current.asc}</Menu.RadioItem>
        <Menu.RadioItem value="desc">{current.desc}</Menu.RadioItem>
      </Menu.RadioGroup>
    </UnfoldedMenu>
  )
}
