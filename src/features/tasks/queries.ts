import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { storedRow } from '#domain/fields/row.ts'
import { taskFields, taskOrder } from '#domain/fields/tasks.ts'
import { countsAfter, repeats, taskCounts } from '#domain/task.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { maybe } from '#lib/answers.ts'
import type { ListSource } from '#lib/list-source.ts'
import { recordPages } from '#lib/record-pages.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'
import { readAgain } from '#lib/use-list-write.ts'
import { useNow } from '#lib/use-now.ts'
import { useNewerWrites, useTaskCounts } from './counts/queries.ts'
import { fetchFailed, tasksKey } from './task-key.ts'
import type { TaskFilter, TaskView } from './task-view.ts'

export const storedTask = z.extend(storedRow(taskFields), {
  due_all_day: z.boolean(),
  completed: z.boolean(),
  completed_at: maybe,
  repeat: z.nullable(z.enum(repeats)),
  repeat_days: z.nullable(z.array(z.number())),
  repeat_every: z.nullable(z.number()),
  repeat_start: maybe,
  repeated_from: maybe,
})

export type StoredTask = z.output<typeof storedTask>

/** The names of what a task is linked to. */
const linkNames = z.object({
  deal_name: maybe,
  company_name: maybe,
  contact: z.nullable(z.object({ first_name: maybe, last_name: maybe })),
})

export type LinkNames = z.output<typeof linkNames>

/** A task as the lists show it: see the database's `task_card`. */
export const taskCard = z.extend(storedTask, linkNames.shape)

export type Task = z.output<typeof taskCard>

export const taskPages = recordPages('task_page', taskCard)

export const taskList: ListSource<Task, TaskView> = {
  key: tasksKey,
  failed: fetchFailed,
  async readPage({ filter, sort, descending }, after, signal) {
    const args = { filter: asOfNow(filter), sort, descending, after, page_size: 60 }
    return taskPages.read(args, signal)
  },
  async readCount(filter, signal) {
    return callFunction('task_count', { filter: asOfNow(filter) }, signal)
  },
  compare: ({ sort, descending }) => taskOrder(sort, descending),
}

/** Adds the time of this window to what depends on it, so that it matches the rest of the screen. */
export function asOfNow(filter: TaskFilter): TaskFilter & { at?: string } {
  const isOfNow = filter.status === 'overdue' || filter.status === 'unplanned'
  return isOfNow ? { ...filter, at: new Date().toISOString() } : filter
}

const tabCounts = z.pick(taskCounts, {
  total: true,
  completed: true,
  pending: true,
  overdue: true,
})

type TabCounts = z.output<typeof tabCounts>

/** The number of tasks under each tab, with optimistic updates of `rows`. */
export function useTabCounts(
  { status: _, ...filter }: TaskFilter,
  rows: Task[],
): TabCounts | undefined {
  const { counts } = useTaskCounts()
  const isOfAll = Object.keys(filter).length === 0
  const timeZone = useTimeZone()
  const now = useNow()
  const { data, dataUpdatedAt } = useQuery({
    queryKey: [...tasksKey, 'tab counts', filter],
    queryFn: ({ signal }) => {
      const asked = { ...filter, at: new Date().toISOString() }
      return callForJson('task_tab_counts', { filter: asked }, tabCounts, signal)
    },
    enabled: !isOfAll,
    placeholderData: keepPreviousData,
    meta: { failed: fetchFailed },
  })
  const uncounted = useNewerWrites(dataUpdatedAt)
  if (isOfAll || !data) return counts
  const ids = new Set(rows.map(({ id }) => id))
  return uncounted.reduce(
    (sum, effect) =>
      effect?.before && ids.has(effect.before.id) ? countsAfter(sum, effect, now, timeZone) : sum,
    { ...data, due_today: 0, urgent: 0 },
  )
}

/** Refetches after a record on the screen turned out to be deleted. */
export function useReadTasksAgain() {
  const queryClient = useQueryClient()
  return () => readAgain(queryClient)
}

/** Reads the current version of one task, for editing. */
export function oneTask(id: string) {
  return queryOptions({
    queryKey: [...tasksKey, 'one', id],
    queryFn: ({ signal }) => taskPages.one(id, signal),
    staleTime: 0,
    gcTime: 0,
    meta: { failed: fetchFailed },
  })
}
