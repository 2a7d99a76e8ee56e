import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type DealFilter, outcomes } from '#domain/deal.ts'
import { maybe, pageOf } from '#lib/answers.ts'
import type { Page } from '#lib/list-source.ts'
import type { ListWrite, Neighbours } from '#lib/list-writes.ts'
import { type Deal, dealCard } from '../deal-rows.ts'

/** A page of cards of one column. */
export const columnPage = pageOf(dealCard)

/** A column of the database's `deal_board`: figures of all its deals, and the cards loaded so far. */
const boardColumn = z.extend(columnPage, {
  stage_id: maybe,
  stage_name: maybe,
  outcome: z.enum(outcomes),
  win_probability: z.number(),
  count: z.number(),
  sum: z.string(),
  weighted: z.string(),
  /** How many are not in the sum, by their currencies. */
  uncounted: z.record(z.string(), z.number()),
})

export type BoardColumn = z.output<typeof boardColumn>

/** Null when the pipeline is gone. */
export const boardAnswer = z.nullable(z.array(boardColumn))

export type Board = z.output<typeof boardAnswer>

/** The view of a board, which is part of its cache key. */
export type BoardView = { pipeline: string; filter: DealFilter }

const boardsKey = ['deals', 'board'] as const

export function boardKey({ pipeline, filter }: BoardView) {
  return [...boardsKey, pipeline, filter] as const
}

/** The React key of a column. */
export function columnKey({ stage_id }: { stage_id: string | null }): string {
  return stage_id ?? 'none'
}

/** Applies a write to the board; unaffected columns stay the same objects. */
export function writeToBoard(
  columns: BoardColumn[],
  write: ListWrite<Deal>,
  { pipeline, filter }: BoardView,
): BoardColumn[] {
  if (write.kind === 'remove') return columns.map((column) => without(column, write.matches))
  if (write.kind === 'add') {
    // Only the database can tell whether a filter finds the new deal.
    if (Object.keys(filter).length > 0 || write.row.pipeline_id !== pipeline) return columns
    const others = columns.map((column) => without(column, ({ id }) => id === write.row.id))
    return place(others, write.row, columnOf(columns, write.row))
  }
  const { between } = write
  let moved: { deal: Deal; column: BoardColumn | undefined }[] = []
  const changed = columns.map((column) => {
    if (!column.rows.some(write.matches)) return column
    const rows: Deal[] = []
    for (const row of column.rows) {
      if (!write.matches(row)) {
        rows.push(row)
        continue
      }
      const to = typeof write.to === 'function' ? write.to(row) : write.to
      const deal = { ...row, ...to }
      const target = targetOf(columns, column, deal, to, pipeline)
      if (target === column && !between) rows.push(deal)
      else
        moved = [
          ...moved,
          { deal: { ...deal, stage_id: target?.stage_id ?? null }, column: target },
        ]
    }
    return withRows(column, rows)
  })
  return moved.reduce((all, { deal, column }) => place(all, deal, column, between), changed)
}

/** The column of a changed deal; undefined when it leaves the board. */
function targetOf(
  columns: BoardColumn[],
  column: BoardColumn,
  deal: Deal,
  to: Partial<Deal>,
  pipeline: string,
): BoardColumn | undefined {
  if (deal.pipeline_id !== pipeline) return undefined
  if (to.stage_id !== undefined) return columnOf(columns, deal)
  // Until the answer is there, a write of won or lost has no stage, only its outcome.
  if (to.outcome !== undefined) return columns.find(({ outcome }) => outcome === to.outcome)
  return column
}

function columnOf(columns: BoardColumn[], deal: Deal): BoardColumn | undefined {
  return columns.find(({ stage_id }) => stage_id === deal.stage_id)
}

function place(
  columns: BoardColumn[],
  deal: Deal,
  target: BoardColumn | undefined,
  between?: Neighbours,
): BoardColumn[] {
  return columns.map((column) => {
    if (!target || column.stage_id !== target.stage_id) return column
    const index = (between && indexBetween(column.rows, between)) ?? indexByOrder(column, deal)
    // A place after the loaded cards: the card comes with its page.
    if (index === null) return { ...column, count: column.count + 1 }
    return withRows(column, column.rows.toSpliced(index, 0, deal))
  })
}

/** As `move_deal` of the database: a neighbour that has left the column is ignored. */
function indexBetween(rows: Deal[], { above, below }: Neighbours): number | null {
  const over = rows.findIndex(({ id }) => id === above)
  if (over >= 0) return over + 1
  const under = rows.findIndex(({ id }) => id === below)
  return under >= 0 ? under : null
}

function indexByOrder({ rows, next }: BoardColumn, deal: Deal): number | null {
  const found = rows.findIndex((row) => compare(deal, row) <= 0)
  if (found >= 0) return found
  return next === null ? rows.length : null
}

function compare(one: Deal, other: Deal): number {
  return (
    one.order - other.order ||
    Date.parse(other.created_at) - Date.parse(one.created_at) ||
    (one.id < other.id ? -1 : 1)
  )
}

function without(column: BoardColumn, matches: (deal: Deal) => boolean): BoardColumn {
  if (!column.rows.some(matches)) return column
  return withRows(
    column,
    column.rows.filter((row) => !matches(row)),
  )
}

/** A column with other cards and an updated count. */
function withRows(column: BoardColumn, rows: Deal[]): BoardColumn {
  return { ...column, rows, count: column.count + rows.length - column.rows.length }
}

/**
 * Merges a refetch with the cards further down: only the first few hundred cards of a column are read again, and cards
 * beyond them must not disappear from the screen. No Stage stays when its last card has gone: the columns would move
 * under the hand that took it.
 */
export function mergeBoards(read: BoardColumn[], before: BoardColumn[] | null): BoardColumn[] {
  if (!before) return read
  const known = new Set(read.flatMap(({ rows }) => rows.map(({ id }) => id)))
  const left = before.find(isNoStage)
  const all = left && !read.some(isNoStage) ? [emptied(left), ...read] : read
  return all.map((column) => {
    const old = before.find(({ stage_id }) => stage_id === column.stage_id)
    const lastId = column.rows.at(-1)?.id
    const lastPlace = old?.rows.findIndex(({ id }) => id === lastId) ?? -1
    if (!old || column.next === null || lastPlace < 0) return column
    const further = old.rows.slice(lastPlace + 1).filter(({ id }) => !known.has(id))
    if (further.length === 0) return column
    return { ...column, rows: [...column.rows, ...further], next: old.next }
  })
}

const isNoStage = ({ stage_id }: BoardColumn) => stage_id === null

function emptied(column: BoardColumn): BoardColumn {
  return { ...column, rows: [], next: null, count: 0, sum: '0', weighted: '0', uncounted: {} }
}

/** Appends the next page to a column, without cards that are loaded already. */
export function appendPage(columns: BoardColumn[], stage: string | null, page: Page<Deal>) {
  const known = new Set(columns.flatMap(({ rows }) => rows.map(({ id }) => id)))
  return columns.map((column) => {
    if (column.stage_id !== stage) return column
    const rows = [...column.rows, ...page.rows.filter(({ id }) => !known.has(id))]
    return { ...column, rows, next: page.next }
  })
}

/** Patches all cached boards with a confirmed write. */
export function patchBoards(queryClient: QueryClient, write: ListWrite<Deal>): void {
  for (const [key, board] of queryClient.getQueriesData<Board>({ queryKey: boardsKey })) {
    if (!board) continue
    // The last parts of the key are the view: see boardKey.
    const [pipeline, filter] = key.slice(-2) as [string, DealFilter]
    queryClient.setQueryData<Board>(key, writeToBoard(board, write, { pipeline, filter }))
  }
}
