import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChecklist, IconPencil } from '@tabler/icons-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useLocation } from 'react-router'
import { dayOf } from '#domain/dates.ts'
import { openForm } from '#features/forms/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { directionInUrl, directionOf } from '#lib/list-sort.ts'
import type { UrlChange } from '#lib/url-state.ts'
import type { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { CardGrid, CardGridSkeleton } from '#ui/card-grid.tsx'
import { DataTable, DataTableSkeleton, type RowSelection } from '#ui/data-table.tsx'
import { ListBody, NoMatch } from '#ui/list-body.tsx'
import { SelectLoaded } from '#ui/list-card.tsx'
import { type RowKeys, selectionKeys } from '#ui/list-shortcuts.ts'
import { placeOf } from '#ui/place-of.ts'
import { EmptyState } from '#ui/states.tsx'
import { DealCard, dealCardHeight } from './deal-card.tsx'
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
  /** How many match, as soon as it is known. */
  total: number | undefined
  state: DealUrlState
  onChange: (change: UrlChange<DealUrlState>) => void
  selection: RowSelection
  /** The bar of the selection stands at the foot. */
  hasBar: boolean
  isFiltered: boolean
  addButton: ReactNode
  onEdit: (deal: Deal) => void
  /** The user is about to open the form. */
  onPointAtEdit: () => void
  onLost: (deal: Deal) => void
}

/** The deals as a table, or as cards where there is no room for one. */
export function DealRows(props: DealRowsProps) {
  const { list, onChange, isFiltered, addButton } = props
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, {
    getInitialValueInEffect: false,
  })
  const text = 'Loading deals...'
  return (
    <ListBody
      list={list}
      name="deals"
      skeleton={
        isNarrow ? (
          <CardGridSkeleton text={text} cardHeight={dealCardHeight} />
        ) : (
          <DataTableSkeleton text={text} />
        )
      }
      empty={
        isFiltered ? (
          <NoMatch title="No deals found" onClear={() => onChange(allDeals)} />
        ) : (
          <EmptyState
            title="No deals found"
            hint="What you sell, what it is worth and how far it has come."
            action={addButton}
          />
        )
      }
      hidesLoading={!isNarrow}
    >
      {isNarrow ? <Cards {...props} /> : <Table {...props} />}
    </ListBody>
  )
}

function Table(props: DealRowsProps) {
  const { list, total, state, onChange, selection, hasBar, onEdit, onPointAtEdit, onLost } = props
  const location = useLocation()
  const { search } = location
  const keys = useDealKeys(props)
  const timeZone = useTimeZone()
  const today = useToday()
  const columns = useMemo(
    () =>
      columnsOf({
        shown: state.col,
        linkTo: ({ id }) => `/app/deals/${id}${search}`,
        timeZone,
        today,
      }),
    [state.col, search, timeZone, today],
  )
  const renderActions = useCallback(
    (deal: Deal) => <RowActions {...{ deal, onEdit, onPointAtEdit, onLost }} />,
    [onEdit, onPointAtEdit, onLost],
  )
  return (
    <DataTable
      label="Deals"
      rows={list.rows}
      total={total}
      columns={columns}
      sort={{ by: state.sort, direction: directionOf(state, mostFirst) }}
      onSort={(by) => {
        const sort = dealUrlSchema.shape.sort.parse(by)
        onChange((now) => {
          if (sort !== now.sort) return { sort, dir: undefined }
          const turned = directionOf(now, mostFirst) === 'asc' ? 'desc' : 'asc'
          return { dir: directionInUrl(sort, turned, mostFirst) }
        })
      }}
      selection={selection}
      keys={keys}
      nameOf={dealName}
      renderActions={renderActions}
      actionsWidth={116}
      onNearEnd={list.more.load}
      isOutdated={list.isOutdated}
      placeKey={placeOf(location)}
      foot={hasBar ? 124 : 64}
    />
  )
}

const dealName = ({ name }: Deal) => name

function Cards(props: DealRowsProps) {
  const { list, total, selection } = props
  const { search } = useLocation()
  const keys = useDealKeys(props)
  const today = useToday()
  return (
    <>
      <SelectLoaded loaded={selection.loaded} onToggle={selection.onToggleLoaded} />
      <CardGrid
        label="Deals"
        items={list.rows}
        total={total}
        cardHeight={dealCardHeight}
        keys={{ ...selectionKeys(selection), ...keys }}
        renderCard={(deal) => (
          <DealCard
            deal={deal}
            to={`/app/deals/${deal.id}${search}`}
            today={today}
            selection={{
              isSelected: selection.isSelected(deal.id),
              onToggle: () => selection.onToggle(deal.id, false),
            }}
            actions={<RowActions deal={deal} {...props} />}
          />
        )}
        onNearEnd={list.more.load}
        isOutdated={list.isOutdated}
      />
    </>
  )
}

function useToday(): string {
  const timeZone = useTimeZone()
  return dayOf(useNow(), timeZone)
}

function useDealKeys({ onEdit }: Pick<DealRowsProps, 'onEdit'>): RowKeys<Deal> {
  const remove = useDeleteDeal()
  // A failure has been told, and the row is back.
  return { onEdit, onRemove: (deal) => void remove(deal).catch(() => {}) }
}

type RowActionsProps = { deal: Deal } & Pick<DealRowsProps, 'onEdit' | 'onPointAtEdit' | 'onLost'>

function RowActions({ deal, onEdit, onPointAtEdit, onLost }: RowActionsProps) {
  return (
    <>
      <ActionIcon
        aria-label={`Add task for ${deal.name}`}
        title="Add task"
        onClick={() => openForm({ form: 'task', deal: { id: deal.id, name: deal.name } })}
      >
        <IconChecklist size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={`Edit ${deal.name}`}
        title="Edit"
        onClick={() => onEdit(deal)}
        onPointerEnter={onPointAtEdit}
        onFocus={onPointAtEdit}
      >
        <IconPencil size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
      <DealMenu deal={deal} onEdit={onEdit} onPointAtEdit={onPointAtEdit} onLost={onLost} />
    </>
  )
}
