import { useCallback } from 'react'
import { dayOf } from '#domain/dates.ts'
import { openForm } from '#features/forms/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { type RecordListProps, RecordTable } from '#features/tables/index.ts'
import { useNow } from '#lib/use-now.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { NoMatch } from '#ui/list-body.tsx'
import { RowButtons } from '#ui/record-rows.tsx'
import { EmptyState } from '#ui/states.tsx'
import { usePreload } from '#ui/use-preload.ts'
import { DealCard, dealCardHeight } from './deal-card.tsx'
import { columnsOf, type DealColumnsOptions, dealName } from './deal-columns.tsx'
import { DealMenu } from './deal-menu.tsx'
import { allDeals, type DealUrlState, dealUrlSchema, mostFirst } from './deal-view.ts'
import { type Deal, useDeleteDeal } from './queries.ts'

const DealCellField = lazyPart(async () => (await import('./deal-cell-field.tsx')).DealCellField, {
  name: 'The field',
})

type DealRowsProps = RecordListProps<Deal, DealUrlState> & {
  /** How many match; undefined until it is known. */
  total: number | undefined
  onLost: (deal: Deal) => void
}

/** The deals as a table, or as cards where there is no room for one. */
export function DealRows(props: DealRowsProps) {
  const { list, total, state, onChange, selection, hasBar, isFiltered } = props
  const { addButton, onEdit, onPointAtEdit, onLost } = props
  usePreload(list.rows.length > 0, DealCellField)
  const today = dayOf(useNow(), useTimeZone())
  const remove = useDeleteDeal()
  const columns = useCallback((options: DealColumnsOptions) => columnsOf(options, today), [today])
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
    <RecordTable
      screen="deals"
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
      shown={state.col}
      onShown={onChange}
      columnsOf={columns}
      sorted={state}
      sortOf={(by) => dealUrlSchema.shape.sort.parse(by)}
      mostFirst={mostFirst}
      onSorted={onChange}
      selection={selection}
      // The mutation reports a failure and restores the row.
      keys={{ onEdit, onRemove: (deal) => void remove(deal).catch(() => {}) }}
      nameOf={dealName}
      renderActions={renderActions}
      actionsWidth={116}
      foot={hasBar ? 124 : 64}
      cardHeight={dealCardHeight}
      renderCard={(deal, card) => <DealCard deal={deal} today={today} {...card} />}
      renderCellField={(deal, name) => <DealCellField deal={deal} name={name} onLost={onLost} />}
    />
  )
}
