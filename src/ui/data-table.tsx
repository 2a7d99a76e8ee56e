import {
  type ComponentProps,
  Fragment,
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
} from 'react'
import { useEditKeys } from './cell-editor.tsx'
import type { ColumnWidths } from './column-widths.tsx'
import classes from './data-table.module.css'
import { usePlace } from './kept-place.ts'
import { useListKeys } from './list-keys.ts'
import { listHint, type RowKeys, selectionKeys } from './list-shortcuts.ts'
import { type HeadColumn, TableHead, useColumnWidths } from './table-head.tsx'
import { TickBox } from './tick-box.tsx'
import { useScrollerRows } from './virtual-rows.ts'

/** At most this many are rendered, on any screen. */
const maxRows = 60
/** The height of a row with the line below it. */
const rowHeight = 41
const selectWidth = 44

export type Column<Row> = HeadColumn & { cell: (row: Row) => ReactNode }

type RowSelection = {
  isSelected: (id: string) => boolean
  /** How many of the loaded rows are selected. */
  loaded: 'none' | 'some' | 'all'
  onToggle: (id: string, isRange: boolean) => void
  onToggleLoaded: () => void
}

export type DataTableProps<Row extends { id: string }> = Pick<
  ComponentProps<typeof TableHead>,
  'headButton'
> & {
  /** 'Contacts'. */
  label: string
  rows: Row[]
  /** How many rows there are in all, loaded or not. */
  total: number | undefined
  columns: Column<Row>[]
  sort: { by: string; direction: 'asc' | 'desc' }
  onSort: (by: string) => void
  selection: RowSelection
  /** The actions of the keys, beside selecting. */
  keys: RowKeys<Row>
  nameOf: (row: Row) => string
  renderActions: (row: Row) => ReactNode
  /** The width of the actions, in pixels. */
  actionsWidth?: number
  /** The widths that the user gave to columns. */
  widths: ColumnWidths
  onWidths: (widths: ColumnWidths) => void
  /** Called when the last rows come into reach. */
  onNearEnd: () => void
  /** Called with the places of the rows on the screen. */
  onShown?: ((places: number[]) => void) | undefined
  /** The rows belong to the view before; the new one is loading. */
  isOutdated: boolean
  /** The key of the scroll position, which Back restores. */
  placeKey: string
  /** Space kept free below the table, in pixels. */
  foot: number
  /** The key of a column that the user just made: it is brought into view. */
  newest?: string | undefined
}

/** A long table; only rows near the screen are rendered. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, rows, total, columns, sort, onSort, selection, isOutdated, foot } = props
  const { actionsWidth = 84, widths, onWidths } = props
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
    onShown: props.onShown,
    kept: activeIndex,
  })
  useOpenOnClick(scroller)
  useNewest(scroller, columns.at(-1)?.key === props.newest ? props.newest : undefined)
  useEditKeys(scroller)
  const below = height - (shown.at(-1)?.end ?? 0)
  const room = width - selectWidth - actionsWidth
  const { pixels, isFilled, resizing } = useColumnWidths({ columns, room, widths, onWidths })
  const isWide = pixels.reduce((sum, each) => sum + each, 0) > room + 1
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
        data-wide={isWide || undefined}
        className={classes.table}
      >
        <colgroup>
          <col style={{ width: selectWidth }} />
          {columns.map(({ key }, index) => (
            <col key={key} style={{ width: pixels[index] }} />
          ))}
          {/* It takes what columns of a set width leave. */}
          <col style={isFilled ? { width: actionsWidth } : {}} />
        </colgroup>
        <TableHead
          label={label}
          columns={columns}
          resizing={resizing}
          sort={sort}
          onSort={onSort}
          selection={selection}
          headButton={props.headButton}
        />
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
 * Memoised, so that scrolling renders only new rows, as long as the functions in the props stay the same. A new row shows its
 * record first: the other cells are rendered in short pieces of work, which the next turn of the wheel interrupts.
 */
const TableRow = memo(TableRowBase) as typeof TableRowBase // memo drops the type parameter

function TableRowBase<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, index, columns, isSelected, onToggle } = props
  const isWhole = useDeferredValue(true, false)
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
        <TickBox
          isSmall
          aria-label={`Select ${props.nameOf(row)}`}
          checked={isSelected}
          onChange={({ nativeEvent }) => {
            const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
            onToggle(row.id, isRange)
          }}
        />
      </td>
      {columns.map(({ key, isFigure, cell }, place) => (
        <td key={key} data-figure={isFigure || undefined}>
          {(isWhole || place === 0) && cell(row)}
        </td>
      ))}
      <td className={classes.actionsCell}>
        {isWhole && <div className={classes.actions}>{props.renderActions(row)}</div>}
      </td>
    </tr>
  )
}

/** Fills the space of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td className={classes.gap} />
    </tr>
  )
}

/** Scrolls to the last column, once it is the one that was just made. */
function useNewest(scroller: RefObject<HTMLDivElement | null>, newest: string | undefined): void {
  useEffect(() => {
    const frame = scroller.current
    if (newest && frame) frame.scrollLeft = frame.scrollWidth
  }, [scroller, newest])
}

/** Makes the whole row a link: a click outside of its controls follows the row's link. */
function useOpenOnClick(scroller: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const rows = scroller.current
    if (!rows) return
    const open = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (!target || target.closest('a, button, input, label, textarea, [data-cell-editor]')) return
      if (window.getSelection()?.toString()) return
      target.closest('tr')?.querySelector<HTMLElement>('[data-row-link]')?.click()
    }
    rows.addEventListener('click', open)
    return () => rows.removeEventListener('click', open)
  }, [scroller])
}
