import { z } from 'zod/mini'
import { type Chosen, type FilterOf, filterShape, noFilter } from '#domain/fields/filters.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import { type TaskSort, taskFields, taskFilters, taskSorts } from '#domain/fields/tasks.ts'
import { isSensibleDay } from '#domain/sensible-day.ts'
import type { ListView } from '#lib/list-source.ts'
import { listUrl, listView } from '#lib/list-view.ts'

/** Sorts that begin with the newest or the most urgent. */
export const mostFirst = mostFirstOf(taskFields, taskSorts)

export const taskTabs = ['all', 'pending', 'completed', 'overdue'] as const
export type TaskTab = (typeof taskTabs)[number]

const { q, ...order } = listUrl(taskSorts, 'created')

/** What the address of the tasks screen may hold. */
export const taskUrlSchema = z.object({
  q,
  tab: z._default(z.enum(taskTabs), 'all'),
  view: z._default(z.enum(['cards', 'agenda', 'week']), 'cards'),
  /** A day of the week that is shown; without it, today. */
  week: z.optional(z.string().check(z.refine(isSensibleDay))),
  ...order,
  ...filterShape(taskFields, taskFilters),
})

export type TaskUrlState = z.output<typeof taskUrlSchema>

/** A filter of tasks, as the database's functions take it. */
export type TaskFilter = Chosen & {
  /** Unplanned is what is to be put on a day: overdue, or without a date. */
  status?: Exclude<TaskTab, 'all'> | 'unplanned'
} & FilterOf<typeof taskFields, (typeof taskFilters)[number]>

export type TaskView = ListView<TaskFilter> & { sort: TaskSort }

/** No filter and no search. */
export const allTasks = { q: '', ...noFilter(taskFields, taskFilters) }

/** The view of a tab, newest first. Screen, feed and panel share its cache. */
export function tabView(tab: TaskTab): TaskView {
  return { filter: tab === 'all' ? {} : { status: tab }, sort: 'created', descending: true }
}

const list = { fields: taskFields, sorts: taskSorts, filters: taskFilters }

/** The view of the list that the address describes. */
export function taskView(state: TaskUrlState, timeZone: string, week: string[]): TaskView {
  const { filter, sort, descending } = listView(list, state, timeZone)
  // The agenda shows open tasks, soonest first.
  const isAgenda = state.view === 'agenda'
  const isByDay = state.view !== 'cards'
  const tab = isAgenda && state.tab === 'all' ? 'pending' : state.tab
  return {
    filter: {
      ...tabView(tab).filter,
      ...filter,
      ...(state.view === 'week' ? dueWithin(week, timeZone) : {}),
    },
    sort: isByDay ? 'due' : sort,
    descending: !isByDay && descending,
  }
}

/** What is to be put on a day of the week that is shown; null where nothing is. */
export function unplannedView(state: TaskUrlState, timeZone: string): TaskView | null {
  if (state.view !== 'week' || state.tab === 'completed') return null
  // The days of the filter are for the week.
  const onAnyDay = { ...state, from: undefined, to: undefined }
  const { filter } = listView(list, onAnyDay, timeZone)
  return { filter: { ...filter, status: 'unplanned' }, sort: 'due', descending: false }
}

/** The week takes the place of a filter by due date. */
function dueWithin(week: string[], time_zone: string) {
  const [first = '', last = ''] = [week[0], week.at(-1)]
  return { due_from: first, due_to: last, time_zone }
}
