import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { stageLabel } from '#domain/deal.ts'
import { batchOf, showUndoToast } from '#features/history/index.ts'
import { checked } from '#lib/answers.ts'
import type { Json } from '#lib/database.types.ts'
import type { Page } from '#lib/list-source.ts'
import type { Neighbours } from '#lib/list-writes.ts'
import { callForJson } from '#lib/supabase.ts'
import { shownReadAt, usePendingWrites } from '#lib/use-list.ts'
import { readAgain, useOnceWrite } from '#lib/use-list-write.ts'
import { asListWrite, KeptWrite, type Shown } from '#lib/waiting-writes.ts'
import { storedDeal } from '../deal-rows.ts'
import { celebrateWin } from '../on-won.ts'
import { offerOpenTasks } from '../open-tasks/queries.ts'
import { type Deal, dealList } from '../queries.ts'
import {
  appendPage,
  type Board,
  type BoardColumn,
  type BoardView,
  boardAnswer,
  boardKey,
  columnKey,
  columnPage,
  mergeBoards,
  writeToBoard,
} from './board-columns.ts'

const firstCards = 30
const moreCards = 60
/** At most this many cards of a column are read again. */
const mostAgain = 200

/**
 * The board: one request for all its columns. Optimistic updates are applied on render; the cache holds only what the
 * backend has answered, so a failed write needs no rollback.
 */
export function useBoard(view: BoardView) {
  const queryClient = useQueryClient()
  const key = boardKey(view)
  const query = useQuery({
    queryKey: key,
    async queryFn({ signal }): Promise<Board> {
      const read = await readBoard(view, queryClient.getQueryData<Board>(key) ?? [], signal)
      // Read the cache again: more pages may have been loaded meanwhile.
      return read && mergeBoards(read, queryClient.getQueryData<Board>(key) ?? null)
    },
    // Keep the board before while a search loads, but not that of another pipeline.
    placeholderData: (board, before) => (before?.queryKey[2] === view.pipeline ? board : undefined),
    meta: { failed: dealList.failed },
  })
  const writes = usePendingWrites<Deal>(dealList.key, shownReadAt(queryClient, key, query))
  const columns = useMemo(
    () => query.data && writes.reduce((all, write) => writeToBoard(all, write, view), query.data),
    [query.data, writes, view],
  )
  return {
    /** Null when the pipeline is gone. */
    columns,
    isOutdated: query.isPlaceholderData,
    error: query.data === undefined ? query.error : null,
    refetch: query.refetch,
  }
}

async function readBoard(
  { pipeline, filter }: BoardView,
  known: BoardColumn[],
  signal: AbortSignal,
): Promise<Board> {
  const loaded: Record<string, number> = {}
  for (const column of known) {
    const { length } = column.rows
    if (length > firstCards) loaded[columnKey(column)] = Math.min(length, mostAgain)
  }
  const args = { pipeline, filter, page_size: firstCards, loaded }
  return callForJson('deal_board', args, boardAnswer, signal)
}

/** Loads the next cards of a column; `load` may be called any number of times. */
export function useMoreCards(view: BoardView, stage: string | null, next: Json | null) {
  const queryClient = useQueryClient()
  const reading = useRef<string | null>(null)
  const [failedAt, setFailedAt] = useState<string | null>(null)
  const place = next === null ? null : JSON.stringify(next)
  const retry = useCallback(async () => {
    if (place === null || reading.current === place) return
    reading.current = place
    setFailedAt(null)
    try {
      const page = await queryClient.fetchQuery({
        queryKey: [...dealList.key, 'column', view, stage, place],
        queryFn: ({ signal }) => readColumn(view, stage, JSON.parse(place), signal),
        gcTime: 0,
        meta: { failed: dealList.failed },
      })
      queryClient.setQueryData<Board>(boardKey(view), (board) => {
        const column = board?.find(({ stage_id }) => stage_id === stage)
        // The column was read again meanwhile: drop this page.
        if (!board || JSON.stringify(column?.next ?? null) !== place) return board
        return appendPage(board, stage, page)
      })
    } catch {
      // The error has been reported; the column offers to try again.
      setFailedAt(place)
    } finally {
      reading.current = null
    }
  }, [queryClient, view, stage, place])
  const hasFailed = place !== null && failedAt === place
  const load = useCallback(() => {
    if (!hasFailed) retry()
  }, [hasFailed, retry])
  return { load, retry, hasFailed }
}

function readColumn(
  { pipeline, filter }: BoardView,
  stage: string | null,
  after: Json,
  signal: AbortSignal,
): Promise<Page<Deal>> {
  const args = { pipeline, stage, filter, after, page_size: moreCards }
  return callForJson('deal_column', args, columnPage, signal)
}

export type DealMove = {
  deal: Deal
  column: Pick<BoardColumn, 'stage_id' | 'stage_name' | 'outcome'>
} & Neighbours

/** Moves a deal between two cards of a column; the toast offers Undo. */
export function useMoveDeal() {
  const queryClient = useQueryClient()
  const send = useOnceWrite(dealList, {
    once: ({ deal, column, above, below }: DealMove) => ({
      action: 'move deal',
      args: { id: deal.id, stage_id: column.stage_id, before_id: above, after_id: below },
      seen: { stage_id: deal.stage_id },
      isLastWins: true,
      title: `${deal.name}: moved to ${stageLabel(column.stage_name)}`,
    }),
    shown: (move) => shownMove(move, {}),
    answer: (row) => checked(storedDeal, row),
    confirmed: (stored, move) => asListWrite(shownMove(move, stored)),
    isSerial: true,
    failed: 'Failed to update deal',
  })
  return async (move: DealMove): Promise<void> => {
    const stored = await send(move)
    if (stored instanceof KeptWrite) return
    const isSame = move.deal.stage_id === move.column.stage_id
    if (move.column.outcome === 'won' && !isSame) celebrateWin()
    const toast = {
      kind: 'deal moved',
      message: `Moved ${isSame ? 'within' : 'to'} ${stageLabel(move.column.stage_name)}`,
      batch: () => batchOf(stored),
    }
    showUndoToast({ ...toast, onUndone: () => readAgain(queryClient) })
    if (!isSame && move.column.outcome !== 'open')
      void offerOpenTasks(move.deal.id, { ...toast, queryClient })
  }
}

function shownMove({ deal, column, above, below }: DealMove, stored: Partial<Deal>): Shown<Deal> {
  const { stage_id, stage_name, outcome } = column
  const to = { stage_id, stage_name, outcome, ...stored }
  return { kind: 'change', id: deal.id, to, between: { above, below } }
}
