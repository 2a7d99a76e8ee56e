import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import {
  type ColumnWidths,
  columnWidths,
  ResizeHandle,
  resized,
  type Sized,
} from './column-widths.tsx'
import classes from './data-table.module.css'
import { TickBox } from './tick-box.tsx'

/** What the head of a table knows of a column. */
export type HeadColumn = Sized & {
  isFigure?: boolean
  /** The sort of this column, if it can be sorted. */
  sort?: string
}

type Resizing = {
  columns: Sized[]
  /** The width for all of them. */
  room: number
  /** The widths that the user gave to columns. */
  widths: ColumnWidths
  onWidths: (widths: ColumnWidths) => void
}

/** The widths of the columns as they are shown, and what changes each of them. */
export function useColumnWidths({ columns, room, widths, onWidths }: Resizing) {
  const [dragged, setDragged] = useState<ColumnWidths | null>(null)
  const set = dragged ?? widths
  const pixels = columnWidths(columns, room, set)
  return {
    pixels,
    /** Whether some column takes what the others leave. */
    isFilled: columns.some(({ key }) => set[key] === undefined),
    resizing: (index: number) => ({
      width: pixels[index] ?? 0,
      onDrag: (to: number) => setDragged(resized(columns, pixels, widths, { index, width: to })),
      onResize: (to: number) => {
        setDragged(null)
        onWidths(resized(columns, pixels, widths, { index, width: to }))
      },
      onReset: () => {
        const { [columns[index]?.key ?? '']: _, ...others } = widths
        onWidths(others)
      },
    }),
  }
}

type TableHeadProps = {
  /** 'Contacts'. */
  label: string
  columns: HeadColumn[]
  resizing: ReturnType<typeof useColumnWidths>['resizing']
  sort: { by: string; direction: 'asc' | 'desc' }
  onSort: (by: string) => void
  selection: { loaded: 'none' | 'some' | 'all'; onToggleLoaded: () => void }
  /** A small button at the end, beside the name of the actions. */
  headButton?: ReactNode
}

/** The headers: select all, sort, resize. */
export function TableHead(props: TableHeadProps) {
  const { label, columns, resizing, sort, onSort, selection, headButton } = props
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th className={classes.select}>
          <TickBox
            isSmall
            aria-label={`Select all loaded ${label.toLowerCase()}`}
            checked={selection.loaded === 'all'}
            indeterminate={selection.loaded === 'some'}
            onChange={selection.onToggleLoaded}
          />
        </th>
        {columns.map((column, index) => (
          <HeaderCell
            key={column.key}
            column={column}
            direction={column.sort === sort.by ? sort.direction : null}
            onSort={onSort}
            handle={<ResizeHandle header={column.header} {...resizing(index)} />}
          />
        ))}
        <th className={classes.actionsHead} aria-label="Actions">
          <div className={classes.headEnd}>
            {headButton}
            Actions
          </div>
        </th>
      </tr>
    </thead>
  )
}

type HeaderCellProps = {
  column: HeadColumn
  /** The direction, if the list is sorted by this column. */
  direction: 'asc' | 'desc' | null
  onSort: (by: string) => void
  handle: ReactNode
}

function HeaderCell({ column, direction, onSort, handle }: HeaderCellProps) {
  const { header, sort, isFigure } = column
  const Arrow = direction === 'desc' ? IconArrowDown : IconArrowUp
  const words = direction === 'desc' ? 'descending' : 'ascending'
  if (!sort) {
    return (
      <th aria-label={header} data-figure={isFigure || undefined}>
        {header}
        {handle}
      </th>
    )
  }
  return (
    <th
      // Without the name of the handle.
      aria-label={header}
      aria-sort={direction ? words : 'none'}
      data-figure={isFigure || undefined}
    >
      <UnstyledButton className={classes.sort ?? ''} onClick={() => onSort(sort)}>
        <span>{header}</span>
        {direction && <Arrow size={14} stroke={1.5} aria-hidden />}
      </UnstyledButton>
      {handle}
    </th>
  )
}
