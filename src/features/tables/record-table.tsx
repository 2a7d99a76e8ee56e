import { ActionIcon } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react'
import { type OwnKey, type OwnRecord, ownKey } from '#domain/fields/own.ts'
import { FieldDialog, useOwnFields } from '#features/own-fields/index.ts'
import { useRememberScreen, useSeenScreens, useTimeZone } from '#features/preferences/index.ts'
import { directionOf, pressedSort, type SortDirection } from '#lib/list-sort.ts'
import type { UrlChange } from '#lib/url-state.ts'
import { CellEditor, useEditedCells } from '#ui/cell-editor.tsx'
import type { Column } from '#ui/data-table.tsx'
import { opens } from '#ui/lazy-part.tsx'
import { RecordRows } from '#ui/record-rows.tsx'
import { useRowLink } from '#ui/row-link.ts'
import type { ColumnsOptions } from './table-columns.ts'

/** What the page gives to the rows of its list. */
export type RecordListProps<Row extends { id: string }, State> = Pick<
  ComponentProps<typeof RecordRows<Row>>,
  'list' | 'selection'
> & {
  state: State
  onChange: (change: UrlChange<State>) => void
  /** Whether the selection bar is shown. */
  hasBar: boolean
  isFiltered: boolean
  addButton: ReactNode
  onEdit: (row: Row) => void
  onPointAtEdit: () => void
}

type Sorted<Sort extends string> = { sort: Sort; dir?: SortDirection | undefined }

type RecordTableProps<Row extends { id: string }, Key extends string, Sort extends string> = Omit<
  ComponentProps<typeof RecordRows<Row>>,
  'columns' | 'widths' | 'onWidths' | 'sort' | 'onSort' | 'renderCard' | 'headButton' | 'newest'
> & {
  screen: OwnRecord
  shown: (Key | OwnKey)[]
  onShown: (change: (now: { col: (Key | OwnKey)[] }) => { col: (Key | OwnKey)[] }) => void
  /** Must be a stable function: a new one computes all columns again. */
  columnsOf: (options: ColumnsOptions<Row, Key>) => Column<Row>[]
  sorted: Sorted<Sort>
  /** The sort that a column has. */
  sortOf: (by: unknown) => Sort
  mostFirst: readonly Sort[]
  onSorted: (change: (now: Sorted<Sort>) => ReturnType<typeof pressedSort<Sort>>) => void
  renderCellField: (row: Row, name: string) => ReactNode
  renderCard: (
    row: Row,
    card: Parameters<ComponentProps<typeof RecordRows<Row>>['renderCard']>[1] & { to: string },
  ) => ReactNode
}

/** A table of records whose columns are chosen, sized and sorted by, and whose cells are edited; cards where it is narrow. */
export function RecordTable<Row extends { id: string }, Key extends string, Sort extends string>({
  screen,
  shown,
  onShown,
  columnsOf,
  sorted,
  sortOf,
  mostFirst,
  onSorted,
  renderCellField,
  renderCard,
  ...rows
}: RecordTableProps<Row, Key, Sort>) {
  const { widths } = useSeenScreens()(screen)
  const remember = useRememberScreen(screen)
  const linkTo = useRowLink(`/app/${screen}`)
  const timeZone = useTimeZone()
  const { own } = useOwnFields(screen)
  const { cells, begin, end } = useEditedCells()
  const { onEdit } = rows.keys
  const [isAdding, setIsAdding] = useState(false)
  const [newest, setNewest] = useState<OwnKey>()
  const columns = useMemo(
    () =>
      columnsOf({
        shown,
        own,
        linkTo,
        onEditCell: begin,
        onEdit: (row) => onEdit?.(row),
        timeZone,
      }),
    [columnsOf, shown, own, linkTo, begin, onEdit, timeZone],
  )
  return (
    <>
      <RecordRows
        {...rows}
        columns={columns}
        newest={newest}
        headButton={
          <ActionIcon
            size={22}
            aria-label="Add field"
            title="Add field"
            {...opens(FieldDialog, () => setIsAdding(true))}
          >
            <IconPlus size={14} stroke={1.5} aria-hidden />
          </ActionIcon>
        }
        widths={widths}
        onWidths={(now) => remember({ widths: now })}
        sort={{ by: sorted.sort, direction: directionOf(sorted, mostFirst) }}
        onSort={(by) => {
          const sort = sortOf(by)
          onSorted((now) => pressedSort(sort, now, mostFirst))
        }}
        renderCard={(row, card) => renderCard(row, { ...card, to: linkTo(row) })}
      />
      {isAdding && (
        <FieldDialog
          record={screen}
          onMade={(id) => {
            const made = ownKey(id)
            onShown(({ col }) => ({ col: [...col, made] }))
            setNewest(made)
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
      {cells.map((cell) => {
        const row = rows.list.rows.find(({ id }) => id === cell.id)
        return (
          row && (
            <CellEditor key={cell.key} cell={cell} onEnd={end}>
              {renderCellField(row, cell.name)}
            </CellEditor>
          )
        )
      })}
    </>
  )
}
