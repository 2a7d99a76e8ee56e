import { Button } from '@mantine/core'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { shownNumber } from '#domain/figures.ts'
import { shownMoney } from '#domain/money.ts'
import { UncountedNotice } from '#features/money/index.ts'
import { useOwnUrl } from '#features/own-fields/index.ts'
import { PipelinesDialog, usePipelines } from '#features/pipelines/index.ts'
import { readProblem } from '#lib/errors.ts'
import { useListSelection } from '#lib/selection.ts'
import { type UrlChange, useUrlState } from '#lib/url-state.ts'
import { useList } from '#lib/use-list.ts'
import { lazyPart, opens } from '#ui/lazy-part.tsx'
import { ListScreen } from '#ui/list-screen.tsx'
import { ErrorState, LoadingState } from '#ui/states.tsx'
import { usePreload } from '#ui/use-preload.ts'
import { chosenDeal } from './chosen-deal.ts'
import { DealDialog } from './deal-dialog-part.ts'
import { DealRows } from './deal-rows.tsx'
import { CreateDealButton, DealToolbar, DealViewBadge } from './deal-toolbar.tsx'
import {
  allDeals,
  boardFilter,
  boardPipeline,
  type DealUrlState,
  type DealView,
  dealUrl,
  dealView,
} from './deal-view.ts'
import classes from './deals-page.module.css'
import { LostDialog } from './lost-dialog-part.ts'
import { type Deal, type DealTotals, dealList, useDealTotals } from './queries.ts'

const DealSelectionBar = lazyPart(
  async () => (await import('./deal-selection-bar.tsx')).DealSelectionBar,
  { name: 'The selection bar' },
)

const DealBoard = lazyPart(async () => (await import('./board/deal-board.tsx')).DealBoard, {
  name: 'The board',
  loading: () => <LoadingState text="Loading deals..." />,
})

type DealForm = { deal?: Deal; preset?: { pipeline?: string; stage?: string | null } }

export function DealsPage() {
  const { schema } = useOwnUrl('deals', dealUrl)
  const { state, setState, noticeFor } = useUrlState(schema)
  const navigate = useNavigate()
  const { pipelines, ...reading } = usePipelines()
  const view = useMemo(() => dealView(state), [state])
  const totals = useDealTotals(view.filter)
  const [form, setForm] = useState<DealForm | null>(null)
  const edit = useCallback((deal: Deal) => setForm({ deal }), [])
  const [hasPipelines, setHasPipelines] = useState(false)
  const isFiltered = Object.keys(view.filter).length > 0
  const pipeline = boardPipeline(pipelines, state)
  const add = opens(DealDialog, () => setForm({}))
  return (
    <>
      <ListScreen
        title="Deals"
        subtitle="Track your sales pipeline and opportunities"
        actions={
          <>
            <DealViewBadge state={state} isFiltered={isFiltered} />
            <CreateDealButton {...add} />
          </>
        }
        toolbar={
          <DealToolbar
            onOpen={(query) => navigate({ search: query })}
            pipelines={pipelines}
            onPipelines={() => setHasPipelines(true)}
          />
        }
        notice={noticeFor('Deals')}
      >
        {state.view === 'board' ? (
          pipeline ? (
            <DealBoard
              pipeline={pipeline}
              state={state}
              isFiltered={Object.keys(boardFilter(state)).length > 0}
              onClear={() =>
                setState({ ...allDeals, pipeline: state.pipeline, stage: state.stage })
              }
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
      </ListScreen>
      {form && <DealDialog {...form} onClose={() => setForm(null)} />}
      {hasPipelines && <PipelinesDialog onClose={() => setHasPipelines(false)} />}
    </>
  )
}

type NoBoardProps = { isLoading: boolean; error: Error | null; refetch: () => void }

/** Stands in for the board while its pipeline loads, or when it could not be read. */
function NoBoard({ isLoading, error, refetch }: NoBoardProps) {
  if (isLoading) return <LoadingState text="Loading deals..." />
  return (
    <ErrorState
      title="The pipelines could not be loaded"
      message={error ? readProblem(error) : 'There is no pipeline.'}
      onRetry={refetch}
    />
  )
}

type DealListProps = {
  state: DealUrlState
  onChange: (change: UrlChange<DealUrlState>) => void
  view: DealView
  totals: DealTotals | undefined
  isFiltered: boolean
  addButton: ReactNode
  onEdit: (deal: Deal) => void
}

function DealList({ state, onChange, view, totals, isFiltered, addButton, onEdit }: DealListProps) {
  const list = useList(dealList, view)
  const { pipelines } = usePipelines()
  const total = totals?.count
  const selected = useListSelection(list.rows, view.filter, total)
  const { count } = selected
  usePreload(list.rows.length > 0, DealSelectionBar)
  const [lost, setLost] = useState<Deal | null>(null)
  return (
    <>
      <DealRows
        list={list}
        total={total}
        state={state}
        onChange={onChange}
        selection={selected.rowSelection}
        hasBar={count > 0}
        isFiltered={isFiltered}
        addButton={addButton}
        onEdit={onEdit}
        onPointAtEdit={DealDialog.preload}
        onLost={setLost}
      />
      {lost && (
        <LostDialog chosen={chosenDeal(lost)} about={lost.name} onClose={() => setLost(null)} />
      )}
      {totals && !list.isLoading && !list.problem && (
        <div className={classes.totals} role="status">
          <span>{`${shownNumber(totals.count)} count`}</span>
          <span>{`${shownMoney(totals.sum)} sum`}</span>
          <UncountedNotice uncounted={totals.uncounted} />
        </div>
      )}
      {count > 0 && (
        <DealSelectionBar
          chosen={selected.chosen}
          view={view}
          columns={state.col}
          pipelines={pipelines}
          isEverything={selected.isEverything}
          matching={selected.loaded === 'all' ? selected.matching : null}
          onSelectAll={selected.selectAll}
          onClear={selected.clear}
          onRemove={selected.clearFor}
        />
      )}
    </>
  )
}
