import { Button } from '@mantine/core'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { shownMoney } from '#domain/money.ts'
import { PipelinesDialog, usePipelines } from '#features/pipelines/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { filterOf, isSelected, selectedCount, useSelection } from '#lib/selection.ts'
import { refusedNotice, type UrlChange, useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { AddressNotice } from '#ui/address-notice.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { DealDialog } from './deal-dialog-part.ts'
import { chosenDeal } from './deal-menu.tsx'
import { DealRows } from './deal-rows.tsx'
import { DealSelectionBar } from './deal-selection-bar.tsx'
import { CreateDealButton, DealToolbar, DealViewBadge } from './deal-toolbar.tsx'
import {
  allDeals,
  boardFilter,
  boardPipeline,
  type DealUrlState,
  type DealView,
  dealUrlSchema,
  dealView,
} from './deal-view.ts'
import classes from './deals-page.module.css'
import { LostDialog } from './lost-dialog.tsx'
import { type Deal, dealList, useDealTotals } from './queries.ts'

const DealBoard = lazyPart(async () => (await import('./board/deal-board.tsx')).DealBoard, {
  name: 'The board',
  loading: () => <LoadingState text="Loading deals..." />,
})

/** What the form is open for. */
type DealForm = { deal?: Deal; preset?: { pipeline?: string; stage?: string | null } }

export function DealsPage() {
  const { state, refused, setState } = useUrlState(dealUrlSchema)
  const navigate = useNavigate()
  const { pipelines, ...reading } = usePipelines()
  const view = useMemo(() => dealView(state), [state])
  const totals = useDealTotals(view.filter)
  const [form, setForm] = useState<DealForm | null>(null)
  const edit = useCallback((deal: Deal) => setForm({ deal }), [])
  const [hasPipelines, setHasPipelines] = useState(false)
  const isFiltered = Object.keys(view.filter).length > 0
  const pipeline = boardPipeline(pipelines, state)
  const add = {
    onClick: () => setForm({}),
    onPointerEnter: DealDialog.preload,
    onFocus: DealDialog.preload,
  }
  return (
    <>
      <ScreenHeader
        title="Deals"
        subtitle="Track your sales pipeline and opportunities"
        actions={
          <>
            <DealViewBadge state={state} isFiltered={isFiltered} />
            <CreateDealButton {...add} />
          </>
        }
      />
      <DealToolbar
        onOpen={(query) => navigate({ search: query })}
        pipelines={pipelines}
        onPipelines={() => setHasPipelines(true)}
      />
      <AddressNotice
        notice={refusedNotice(refused, 'Deals')}
        // Written back, the address holds only what means something.
        onDismiss={() => setState({}, { isTyping: true })}
      />
      {state.view === 'board' ? (
        pipeline ? (
          <DealBoard
            pipeline={pipeline}
            state={state}
            isFiltered={Object.keys(boardFilter(state)).length > 0}
            onClear={() => setState({ ...allDeals, pipeline: state.pipeline, stage: state.stage })}
            onEdit={edit}
            onPointAtEdit={DealDialog.preload}
            onCreate={({ id }) => setForm({ preset: { pipeline: pipeline.id, stage: id } })}
          />
        ) : (
          <NoBoard {...reading} />
        )
      ) : (
        <DealList
          state={state}
          onChange={setState}
          view={view}
          totals={totals}
          isFiltered={isFiltered}
          addButton={<Button {...add}>Create your first deal</Button>}
          onEdit={edit}
        />
      )}
      {form && <DealDialog {...form} onClose={() => setForm(null)} />}
      {hasPipelines && <PipelinesDialog onClose={() => setHasPipelines(false)} />}
    </>
  )
}

type NoBoardProps = { isLoading: boolean; error: Error | null; refetch: () => void }

/** Without its pipeline there is no board yet: said in words, as long as it is so. */
function NoBoard({ isLoading, error, refetch }: NoBoardProps) {
  if (isLoading) return <LoadingState text="Loading deals..." />
  return (
    <ErrorState
      title="The pipelines could not be loaded"
      message={error ? errorMessage(error) : 'There is no pipeline.'}
      onRetry={refetch}
    />
  )
}

type DealListProps = {
  state: DealUrlState
  onChange: (change: UrlChange<DealUrlState>) => void
  view: DealView
  totals: { count: number; sum: string } | undefined
  isFiltered: boolean
  addButton: ReactNode
  onEdit: (deal: Deal) => void
}

function DealList({ state, onChange, view, totals, isFiltered, addButton, onEdit }: DealListProps) {
  const list = useList(dealList, view)
  const { pipelines } = usePipelines()
  const rowIds = useMemo(() => list.rows.map(({ id }) => id), [list.rows])
  const selected = useSelection(rowIds, view.filter)
  const [lost, setLost] = useState<Deal | null>(null)
  const total = totals?.count
  const count = selectedCount(selected.selection, total ?? rowIds.length)
  return (
    <>
      <DealRows
        list={list}
        total={total}
        state={state}
        onChange={onChange}
        selection={{
          isSelected: (id) => isSelected(selected.selection, id),
          loaded: selected.loaded,
          onToggle: selected.toggle,
          onToggleLoaded: selected.toggleLoaded,
        }}
        hasBar={count > 0}
        isFiltered={isFiltered}
        addButton={addButton}
        onEdit={onEdit}
        onPointAtEdit={DealDialog.preload}
        onLost={setLost}
      />
      {lost && <LostDialog chosen={chosenDeal(lost)} onClose={() => setLost(null)} />}
      {totals && !list.isLoading && !list.problem && (
        <div className={classes.totals} role="status">
          <span>{`${totals.count.toLocaleString('en-US')} count`}</span>
          <span>{`${shownMoney(totals.sum)} sum`}</span>
        </div>
      )}
      {count > 0 && (
        <DealSelectionBar
          chosen={{
            filter: filterOf(selected.selection, view.filter),
            count,
            matches: ({ id }) => isSelected(selected.selection, id),
          }}
          view={view}
          columns={state.col}
          pipelines={pipelines}
          isEverything={selected.selection.kind === 'all'}
          matching={
            selected.loaded === 'all' && total !== undefined && total > count ? total : null
          }
          onSelectAll={selected.selectAll}
          onClear={selected.clear}
          onRemove={selected.clearFor}
        />
      )}
    </>
  )
}
