import { type ReactNode, useCallback, useMemo } from 'react'
import { dayOf } from '#domain/dates.ts'
import { openForm } from '#features/forms/index.ts'
import { useOwnFields } from '#features/own-fields/index.ts'
import { useRememberScreen, useSeenScreens, useTimeZone } from '#features/preferences/index.ts'
import { directionOf, pressedSort } from '#lib/list-sort.ts'
import type { UrlChange } from '#lib/url-state.ts'
import type { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { CellEditor, useEditedCells } from '#ui/cell-editor.tsx'
import type { RowSelection } from '#ui/data-table.tsx'
import { NoMatch } from '#ui/list-body.tsx'
import { RecordRows, RowButtons } from '#ui/record-rows.tsx'
import { useRowLink } from '#ui/row-link.ts'
import { EmptyState } from '#ui/states.tsx'
import { DealCard, dealCardHeight } from './deal-card.tsx'
import { DealCellField } from './deal-cell-field.tsx'
import { columnsOf } from './deal-columns.tsx'
import { DealMenu } from './deal-menu.tsx'
import {
  allDeals,
  type DealUrlState,
  type DealView,
  dealUrlSchema,
  mostFirst,
} from './deal-view.ts'
import { type Deal, useDeleteDeal } from './queries.ts'

type DealRowsProps = {
  list: ReturnType<typeof useList<Deal, DealView>>
  /** How many match; undefined until it is known. */
  total: number | undefined
  state: DealUrlState
  onChange: (change: UrlChange<DealUrlState>) => void
  selection: RowSelection
  /** Whether the selection bar is shown. */
  hasBar: boolean
  isFiltered: boolean
  addButton: ReactNode
  onEdit: (deal: Deal) => void
  onPointAtEdit: () => void
  onLost: (deal: Deal) => void
}

/** The deals as a table, or as cards where there is no room for one. */
export function DealRows(props: DealRowsProps) {
  const { list, total, state, onChange, selection, hasBar, isFiltered } = props
  const { addButton, onEdit, onPointAtEdit, onLost } = props
  const { widths } = useSeenScreens()('deals')
  const remember = useRememberScreen('deals')
  const linkTo = useRowLink('/app/deals')
  const timeZone = useTimeZone()
  const today = dayOf(useNow(), timeZone)
  const remove = useDeleteDeal()
  const { own } = useOwnFields('deals')
  const { cells, begin, end } = useEditedCells()
  const columns = useMemo(
    () => columnsOf({ shown: state.col, own, linkTo, onEditCell: begin, timeZone, today }),
    [state.col, own, linkTo, begin, timeZone, today],
  )
  const renderActions = useCallback(
    (deal: Deal) => (
      <>
        <RowButtons
          name={deal.name}
          onAddTask={() => openForm({ form: 'task', deal: { id: deal.id, name: deal.name } })}
          onEdit={() => onEdit(deal)}
          onPointAtEdit={onPointAtEdit}
        />
        <DealMenu deal={deal} onEdit={onEdit} onPointAtEdit={onPointAtEdit} onLost={onLost} />
      </>
    ),
    [onEdit, onPointAtEdit, onLost],
  )
  return (
    <>
      <RecordRows
        label="Deals"
        list={list}
        total={total}
        empty={
          isFiltered ? (
            <NoMatch title="No deals found" onClear={() => onChange(allDeals)} />
          ) : (
            <EmptyState
              title="No deals found"
              hint="Track each opportunity from first contact to close."
              action={addButton}
            />
          )
        }
        columns={columns}
        widths={widths}
        onWidths={(now) => remember({ widths: now })}
        sort={{ by: state.sort, direction: directionOf(state, mostFirst) }}
        onSort={(by) => {
          const sort = dealUrlSchema.shape.sort.parse(by)
          onChange((current) => pressedSort(sort, current, mostFirst))
        }}
        selection={selection}
        // The mutation reports a failure and restores the row.
        keys={{ onEdit, onRemove: (deal) => void remove(deal).catch(() => {}) }}
        nameOf={dealName}
        renderActions={renderActions}
        actionsWidth={116}
        foot={hasBar ? 124 : 64}
        cardHeight={dealCardHeight}
        renderCard={(deal, card) => (
          <DealCard deal={deal} to={linkTo(deal)} today={today} {...card} />
        )}
      />
      {cells.map((cell) => {
        const row = list.rows.find(({ id }) => id === cell.id)
        return (
          row && (
            <CellEditor key={cell.key} cell={cell} onEnd={end}>
              <DealCellField deal={row} name={cell.name} onLost={onLost} />
            </CellEditor>
          )
        )
      })}
    </>
  )
}

const dealName = ({ name }: Deal) => name
