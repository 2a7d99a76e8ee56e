import { VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { firstDigit } from '#domain/board-place.ts'
import { dayOf } from '#domain/dates.ts'
import type { ClosedOutcome } from '#domain/deal.ts'
import { allUncounted } from '#domain/money.ts'
import { UncountedNotice } from '#features/money/index.ts'
import type { Pipeline } from '#features/pipelines/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { readProblem } from '#lib/errors.ts'
import { readAgain } from '#lib/use-list-write.ts'
import { useNow } from '#lib/use-now.ts'
import { DragArea } from '#ui/drag-area-part.ts'
import { DraggablesProvider, useDraggableStore } from '#ui/draggables.ts'
import { usePlace, useSidewaysPlace } from '#ui/kept-place.ts'
import { NoMatch } from '#ui/list-body.tsx'
import { ErrorState } from '#ui/states.tsx'
import { chosenDeal } from '../chosen-deal.ts'
import { useCloseDeals } from '../closing/queries.ts'
import { boardFilter, type DealUrlState } from '../deal-view.ts'
import { LostDialog } from '../lost-dialog-part.ts'
import type { Deal } from '../queries.ts'
import { HeldCard } from './board-card.tsx'
import { Column, type ColumnActions } from './board-column.tsx'
import { type BoardColumn, type BoardView, columnKey } from './board-columns.ts'
import { BoardSkeleton } from './board-skeleton.tsx'
import classes from './deal-board.module.css'
import { DropZones } from './drop-zones.tsx'
import { FoldedColumn } from './folded-column.tsx'
import { moveHelp } from './move-handle.tsx'
import { useBoard } from './queries.ts'
import { useBoardDrag } from './use-board-drag.ts'
import { useBoardKeys } from './use-board-keys.ts'
import { useFolds } from './use-folds.ts'

type DealBoardProps = {
  pipeline: Pipeline
  state: DealUrlState
  onEdit: (deal: Deal) => void
  /** Called when the user points at Edit. */
  onPointAtEdit: () => void
  onCreate: (stage: { id: string | null }) => void
  isFiltered: boolean
  onClear: () => void
}

/** The deals of a pipeline, a column for each stage. */
export function DealBoard({ pipeline, state, isFiltered, onClear, ...actions }: DealBoardProps) {
  const view = useMemo(
    () => ({ pipeline: pipeline.id, filter: boardFilter(state) }),
    [pipeline.id, state],
  )
  const { columns, isOutdated, error, refetch } = useBoard(view)
  const queryClient = useQueryClient()
  const title = 'The deals could not be loaded'
  if (error) return <ErrorState title={title} message={readProblem(error)} onRetry={refetch} />
  if (columns === undefined) return <BoardSkeleton stages={pipeline.stages.length} />
  if (columns === null) {
    const message = 'This pipeline no longer exists.'
    return <ErrorState title={title} message={message} onRetry={() => readAgain(queryClient)} />
  }
  if (isFiltered && columns.every(({ count }) => count === 0)) {
    return (
      <NoMatch
        title="No deals found"
        hint="Nothing in this pipeline matches your search and filters."
        onClear={onClear}
      />
    )
  }
  return (
    <Columns
      columns={columns}
      view={view}
      label={pipeline.name}
      isOutdated={isOutdated}
      {...actions}
    />
  )
}

type ColumnsProps = Omit<ColumnActions, 'onLost'> & {
  columns: BoardColumn[]
  view: BoardView
  label: string
  isOutdated: boolean
}

function Columns({
  columns,
  view,
  label,
  isOutdated,
  onEdit,
  onPointAtEdit,
  onCreate,
}: ColumnsProps) {
  const uncounted = useMemo(
    () => allUncounted(columns.map((column) => column.uncounted)),
    [columns],
  )
  const { element: frame, top, width } = usePlace<HTMLDivElement>()
  const { folded, fold, isNarrow } = useFolds(columns, width)
  const first = firstDigit(columns)
  // The dialog is held here, because the card moves to another column during the write.
  const [lost, setLost] = useState<Deal | null>(null)
  const win = useCloseDeals('won')
  const close = useCallback(
    (deal: Deal, outcome: ClosedOutcome) => {
      if (outcome === 'lost') return setLost(deal)
      // The mutation reports a failure and rolls back.
      win(chosenDeal(deal)).catch(() => {})
    },
    [win],
  )
  const { board, parts, lifted, words, announce, handlers, registerZone, ...drag } = useBoardDrag(
    columns,
    close,
  )
  const { lift, follow, drop, cancel } = drag
  const draggables = useDraggableStore()
  useBoardKeys({ board, columns, folded, parts })
  useSidewaysPlace(board, `board of ${view.pipeline}`)
  const timeZone = useTimeZone()
  const today = dayOf(useNow(), timeZone)
  const dates = useMemo(() => ({ timeZone, today }), [timeZone, today])
  const actions = useMemo(
    () => ({ onEdit, onPointAtEdit, onCreate, onLost: setLost }),
    [onEdit, onPointAtEdit, onCreate],
  )
  return (
    <DraggablesProvider value={draggables}>
      <UncountedNotice uncounted={uncounted} />
      <div ref={frame} className={classes.frame}>
        <section
          ref={board}
          aria-label={`Board of ${label}`}
          aria-busy={isOutdated}
          className={classes.board}
          data-dragging={lifted?.by === 'pointer' || undefined}
          style={{ height: `max(360px, calc(100dvh - ${top}px))` }}
          onScrollCapture={() => follow(null)}
        >
          {columns.map((column, index) =>
            folded.has(columnKey(column)) ? (
              <FoldedColumn
                key={columnKey(column)}
                column={column}
                isTarget={lifted?.place?.column === index}
                digit={lifted?.by === 'keyboard' ? index + first : null}
                handlers={handlers}
                onFold={fold}
              />
            ) : (
              <Column
                key={columnKey(column)}
                onFold={fold}
                column={column}
                view={view}
                digit={lifted?.by === 'keyboard' ? index + first : null}
                liftedId={lifted?.deal.stage_id === column.stage_id ? lifted.deal.id : null}
                target={lifted?.place?.column === index ? lifted.place.index : null}
                dates={dates}
                handlers={handlers}
                actions={actions}
              />
            ),
          )}
        </section>
        {lifted?.by === 'pointer' && (
          <DropZones
            outcomes={hiddenOutcomes(columns, isNarrow ? null : folded, lifted.deal)}
            target={lifted.zone}
            register={registerZone}
          />
        )}
      </div>
      <VisuallyHidden id={moveHelp}>
        Press Space to lift the card, the arrow keys or the number of a stage to move it, Space to
        drop it, Escape to cancel.
      </VisuallyHidden>
      <VisuallyHidden aria-live="assertive">{words}</VisuallyHidden>
      <DragArea
        except="button"
        onStart={(id) => lift(id, 'pointer')}
        onMove={follow}
        onDrop={(point) => {
          follow(point)
          drop()
        }}
        onCancel={cancel}
        held={lifted?.by === 'pointer' ? <HeldCard deal={lifted.deal} dates={dates} /> : null}
      />
      {lost && (
        <LostDialog
          chosen={chosenDeal(lost)}
          about={lost.name}
          onClose={() => {
            setLost(null)
            announce(`${lost.name} stays where it is.`)
          }}
          onLost={() => announce(`${lost.name} is lost.`)}
        />
      )}
    </DraggablesProvider>
  )
}

const closedOutcomes: ClosedOutcome[] = ['won', 'lost']

/** The outcomes whose columns are out of sight: folded, missing, or beside the screen of a phone. */
function hiddenOutcomes(
  columns: BoardColumn[],
  folded: Set<string> | null,
  deal: Deal,
): ClosedOutcome[] {
  const shown = folded ? columns.filter((column) => !folded.has(columnKey(column))) : []
  return closedOutcomes.filter(
    (outcome) => deal.outcome !== outcome && !shown.some((column) => column.outcome === outcome),
  )
}
