import { Checkbox, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Fragment, memo, type ReactNode, type Ref, type RefObject, useEffect, useMemo } from 'react'
import classes from './data-table.module.css'
import { useListKeys } from './list-keys.ts'
import { listHint, type RowKeys, selectionKeys } from './list-shortcuts.ts'
import { usePlace, useScrollerRows } from './virtual-rows.ts'

/** However tall the screen is. */
const maxRows = 60
/** Before it is measured. */
const rowHeight = 40
const selectWidth = 44

export type Column<Row> = {
  key: string
  header: string
  /** The least width, in pixels; what room is left is shared by `grow`. */
  width: number
  grow: number
  isFigure?: boolean
  /** By what the list is sorted when the header is pressed, if it can be. */
  sort?: string
  cell: (row: Row) => ReactNode
}

export type RowSelection = {
  isSelected: (id: string) => boolean
  /** How much of what is loaded is selected. */
  loaded: 'none' | 'some' | 'all'
  onToggle: (id: string, isRange: boolean) => void
  onToggleLoaded: () => void
}

type DataTableProps<Row extends { id: string }> = {
  label: string
  rows: Row[]
  /** How many there are in all, read and unread. */
  total: number | undefined
  columns: Column<Row>[]
  sort: { by: string; direction: 'asc' | 'desc' }
  onSort: (by: string) => void
  selection: RowSelection
  /** What the keys do with a row, beside selecting it. */
  keys: RowKeys<Row>
  /** What a row is called. */
  nameOf: (row: Row) => string
  renderActions: (row: Row) => ReactNode
  /** Room for them, in pixels. */
  actionsWidth?: number
  /** Called when the last rows come near. */
  onNearEnd: () => void
  /** What stands there is not yet what was asked for. */
  isOutdated: boolean
  /** Under this name the place is kept that Back leads to. */
  placeKey: string
  /** Room at the foot of the screen for what stands over it, in pixels. */
  foot: number
}

/** A long table; only the rows near the screen are in the document. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, rows, total, columns, sort, onSort, selection, isOutdated, foot } = props
  const { actionsWidth = 80 } = props
  const { element: scroller, width, top } = usePlace<HTMLDivElement>()
  const { activeIndex, rowProps } = useListKeys({
    element: scroller,
    rows,
    keys: { ...selectionKeys(selection), ...props.keys },
  })
  const each = useMemo(
    () => ({
      heightOf: () => rowHeight,
      keyOf: (index: number) => rows[index]?.id ?? String(index),
    }),
    [rows],
  )
  const {
    rows: { measureElement },
    shown,
    height,
    focusListeners,
  } = useScrollerRows({
    count: rows.length,
    rowHeight,
    each,
    maxRows,
    scroller,
    placeKey: props.placeKey,
    onNearEnd: props.onNearEnd,
    kept: activeIndex,
  })
  useOpenOnClick(scroller)
  const below = height - (shown.at(-1)?.end ?? 0)
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-list-frame
      style={{ maxHeight: `max(320px, calc(100dvh - ${top + foot}px))` }}
      {...focusListeners}
    >
      <table
        aria-label={label}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-busy={isOutdated}
        {...listHint}
        className={classes.table}
      >
        <colgroup>
          <col style={{ width: selectWidth }} />
          {columnWidths(columns, width - selectWidth - actionsWidth).map((pixels, index) => (
            <col key={columns[index]?.key} style={{ width: pixels }} />
          ))}
          <col style={{ width: actionsWidth }} />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th className={classes.select}>
              <Checkbox
                size="xs"
                aria-label={`Select all loaded ${label.toLowerCase()}`}
                checked={selection.loaded === 'all'}
                indeterminate={selection.loaded === 'some'}
                onChange={selection.onToggleLoaded}
              />
            </th>
            {columns.map((column) => (
              <HeaderCell
                key={column.key}
                column={column}
                direction={column.sort === sort.by ? sort.direction : null}
                onSort={onSort}
              />
            ))}
            <th className={classes.actionsHead}>Actions</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ index, start }, place) => {
            const row = rows[index]
            const gap = start - (shown[place - 1]?.end ?? 0)
            return (
              row && (
                <Fragment key={row.id}>
                  {gap > 0 && <Gap height={gap} />}
                  <TableRow
                    ref={measureElement}
                    row={row}
                    index={index}
                    {...rowProps(row.id)}
                    isSelected={selection.isSelected(row.id)}
                    onToggle={selection.onToggle}
                    columns={columns}
                    nameOf={props.nameOf}
                    renderActions={props.renderActions}
                  />
                </Fragment>
              )
            )
          })}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
    </div>
  )
}

type TableRowProps<Row extends { id: string }> = Pick<
  DataTableProps<Row>,
  'columns' | 'nameOf' | 'renderActions'
> &
  Pick<RowSelection, 'onToggle'> & {
    ref: Ref<HTMLTableRowElement>
    row: Row
    index: number
    isSelected: boolean
    'data-row': string
    'data-active': true | undefined
  }

/**
 * While one scrolls, only the rows that come are made; those that stay are as they were, as long as
 * the functions they are given stay the same.
 */
const TableRow = memo(TableRowBase) as typeof TableRowBase // memo forgets the kind of row

function TableRowBase<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, index, columns, isSelected, onToggle } = props
  return (
    <tr
      ref={props.ref}
      aria-rowindex={index + 2}
      data-index={index}
      data-row={props['data-row']}
      data-active={props['data-active']}
      data-selected={isSelected || undefined}
      className={classes.row}
    >
      <td className={classes.select}>
        <Checkbox
          size="xs"
          aria-label={`Select ${props.nameOf(row)}`}
          checked={isSelected}
          onChange={({ nativeEvent }) => {
            const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
            onToggle(row.id, isRange)
          }}
        />
      </td>
      {columns.map(({ key, isFigure, cell }) => (
        <td key={key} data-figure={isFigure || undefined}>
          {cell(row)}
        </td>
      ))}
      <td>
        <div className={classes.actions}>{props.renderActions(row)}</div>
      </td>
    </tr>
  )
}

/** In place of the rows that are not in the document. */
function Gap({ height }: { height: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td className={classes.gap} />
    </tr>
  )
}

type HeaderCellProps<Row> = {
  column: Column<Row>
  /** In which direction the list is sorted by it, if it is. */
  direction: 'asc' | 'desc' | null
  onSort: (by: string) => void
}

function HeaderCell<Row>({ column, direction, onSort }: HeaderCellProps<Row>) {
  const { header, sort, isFigure } = column
  const Arrow = direction === 'desc' ? IconArrowDown : IconArrowUp
  const words = direction === 'desc' ? 'descending' : 'ascending'
  if (!sort) return <th data-figure={isFigure || undefined}>{header}</th>
  return (
    <th aria-sort={direction ? words : 'none'} data-figure={isFigure || undefined}>
      <UnstyledButton className={classes.sort ?? ''} onClick={() => onSort(sort)}>
        <span>{header}</span>
        {direction && <Arrow size={14} stroke={1.5} aria-hidden />}
      </UnstyledButton>
    </th>
  )
}

const skeletons = Array.from({ length: 12 }, (_, index) => `row ${index}`)

/** Rows on their way, of the shape they will have. */
export function DataTableSkeleton({ text }: { text: string }) {
  return (
    <div className={classes.scroller} role="status">
      <Text size="sm" c="dimmed" className={classes.loading ?? ''}>
        {text}
      </Text>
      <div aria-hidden>
        {skeletons.map((key) => (
          <div key={key} className={classes.skeleton}>
            <Skeleton height={12} radius="sm" />
          </div>
        ))}
      </div>
    </div>
  )
}

function columnWidths<Row>(columns: Column<Row>[], width: number): number[] {
  const least = columns.reduce((sum, each) => sum + each.width, 0)
  const grow = columns.reduce((sum, each) => sum + each.grow, 0)
  const spare = Math.max(0, width - least)
  return columns.map((each) => each.width + (spare * each.grow) / grow)
}

/** A click beside the controls of a row follows its link, as if the whole row were one. */
function useOpenOnClick(scroller: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const rows = scroller.current
    if (!rows) return
    const open = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (!target || target.closest('a, button, input, label')) return
      if (window.getSelection()?.toString()) return
      target.closest('tr')?.querySelector<HTMLElement>('[data-row-link]')?.click()
    }
    rows.addEventListener('click', open)
    return () => rows.removeEventListener('click', open)
  }, [scroller])
}
