import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { dayOf } from '#domain/dates.ts'
import { daysAfter } from '#domain/local-time.ts'
import { showUndoToast } from '#features/history/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { type Task, taskCard } from '#features/tasks/index.ts'
import { maybe, pageOf } from '#lib/answers.ts'
import { callForJson } from '#lib/supabase.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { useNow } from '#lib/use-now.ts'
import { showToast } from '#ui/toast.tsx'

/** How many there are, and how many of them are new: in the last 30 days, and in the 30 days before. */
const added = z.object({ total: z.number(), recent: z.number(), before: z.number() })

const attentionDeal = z.object({
  id: z.string(),
  name: z.string(),
  value: z.number(),
  currency: maybe,
  stage_name: maybe,
  company_id: maybe,
  company_name: maybe,
  /** The contact that the deal names first. */
  contact: z.nullable(z.object({ id: z.string(), first_name: maybe, last_name: maybe })),
  has_next: z.boolean(),
  is_stale: z.boolean(),
  stage_since: maybe,
})

export type AttentionDeal = z.output<typeof attentionDeal>

const tasks = z.object({ total: z.number(), rows: z.array(taskCard) })

/** What the database's `dashboard` answers; sums are text. */
const figures = z.object({
  contacts: added,
  companies: added,
  deals: z.extend(added, {
    open: z.number(),
    value: z.string(),
    value_recent: z.string(),
    value_before: z.string(),
    won: z.string(),
  }),
  /** How many deals are in none of the sums, by their currencies. */
  uncounted: z.record(z.string(), z.number()),
  has_tasks: z.boolean(),
  has_samples: z.boolean(),
  /** Due before today, the latest first, and how many there are in all. */
  overdue: tasks,
  today: tasks,
  /** Open deals that need a push, those worth most first. */
  attention: z.object({ total: z.number(), rows: z.array(attentionDeal) }),
})

export type Figures = z.output<typeof figures>

export function useFigures() {
  const timeZone = useTimeZone()
  return useQuery({
    queryKey: ['dashboard', timeZone],
    queryFn({ signal }) {
      const args = { at: new Date().toISOString(), time_zone: timeZone }
      return callForJson('dashboard', args, figures, signal)
    },
    placeholderData: keepPreviousData,
    meta: { failed: 'Failed to fetch dashboard' },
  })
}

const onePage = pageOf(taskCard)

/** The task that is due first after today, where nothing is left for today. */
export function useNextTask() {
  const timeZone = useTimeZone()
  const tomorrow = daysAfter(dayOf(useNow(), timeZone), 1)
  const { data, isPending, dataUpdatedAt } = useQuery({
    queryKey: ['dashboard', timeZone, 'next task', tomorrow],
    async queryFn({ signal }) {
      const filter = { status: 'pending', due_from: tomorrow, time_zone: timeZone }
      const args = { filter, sort: 'due', descending: false, page_size: 1 }
      return (await callForJson('task_page', args, onePage, signal)).rows
    },
    placeholderData: keepPreviousData,
  })
  return { tasks: data ?? nothing, isPending, readAt: dataUpdatedAt }
}

const nothing: Task[] = []

const goalProgress = z.object({
  today: z.string(),
  last_day: z.string(),
  won: z.string(),
  deals: z.number(),
})

/** What was won this month; asked for only where there is a goal. */
export function useGoalProgress() {
  const timeZone = useTimeZone()
  return useQuery({
    queryKey: ['goal', timeZone],
    queryFn({ signal }) {
      const args = { at: new Date().toISOString(), time_zone: timeZone }
      return callForJson('goal_progress', args, goalProgress, signal)
    },
    placeholderData: keepPreviousData,
  })
}

/** The batch that undoes it; none when another window was faster. */
const written = z.object({ batch: maybe })

/** Loads the sample data or takes it away; either is one step that can be undone. */
export function useSampleData() {
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const onUndone = () => readFromTheStart(queryClient)
  const tell = (message: string, batch: string | null) =>
    batch ? showUndoToast({ message, batch: async () => batch, onUndone }) : showToast({ message })
  const load = useMutation({
    mutationFn: () => callForJson('load_sample_data', { time_zone: timeZone }, written),
    meta: { failed: 'Failed to load sample data' },
    onSuccess: ({ batch }) => tell('Sample data loaded', batch),
    onSettled: onUndone,
  })
  const remove = useMutation({
    mutationFn: () => callForJson('remove_sample_data', {}, written),
    meta: { failed: 'Failed to remove sample data' },
    onSuccess: ({ batch }) => tell('Sample data removed', batch),
    onSettled: onUndone,
  })
  return { load, remove }
}
