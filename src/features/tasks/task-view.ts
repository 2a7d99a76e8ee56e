import { z } from 'zod'
import { isSensibleDay } from '#domain/fields/checks.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import { type TaskSort, taskFields, taskSorts } from '#domain/fields/tasks.ts'
import { priorities } from '#domain/task.ts'
import { directionOf } from '#lib/list-sort.ts'
import type { ListView } from '#lib/list-source.ts'

/** Sorts that begin with the newest or the most urgent. */
export const mostFirst = mostFirstOf(taskFields, taskSorts)

export const taskTabs = ['all', 'pending', 'completed', 'overdue'] as const
export type TaskTab = (typeof taskTabs)[number]

const day = z.string().refine(isSensibleDay)

/** What the address of the tasks screen may hold. */
export const taskUrlSchema = z.object({
  q: z.string().trim().max(200).default(''),
  tab: z.enum(taskTabs).default('all'),
  view: z.enum(['cards', 'agenda']).default('cards'),
  sort: z.enum(taskSorts).default('created'),
  /** Undefined means the usual direction of the sort. */
  dir: z.enum(['asc', 'desc']).optional(),
  priority: z.array(z.enum(priorities)).max(4).default([]),
  contact: z.uuid().optional(),
  company: z.uuid().optional(),
  deal: z.uuid().optional(),
  from: day.optional(),
  to: day.optional(),
})

export type TaskUrlState = z.output<typeof taskUrlSchema>

/** A filter of tasks, as the database's functions take it. */
export type TaskFilter = {
  search?: string
  ids?: string[]
  except?: string[]
  status?: Exclude<TaskTab, 'all'>
  priority?: string[]
  contact?: string
  company?: string
  deal?: string
  due_from?: string
  due_to?: string
  time_zone?: string
}

export type TaskView = ListView<TaskFilter> & { sort: TaskSort }

/** No filter and no search. */
export const allTasks = {
  q: '',
  priority: [],
  contact: undefined,
  company: undefined,
  deal: undefined,
  from: undefined,
  to: undefined,
} satisfies Partial<TaskUrlState>

/** The view of a tab, newest first. Screen, feed and panel share its cache. */
export function tabView(tab: TaskTab): TaskView {
  return { filter: tab === 'all' ? {} : { status: tab }, sort: 'created', descending: true }
}

/** The view of the list that the address describes. */
export function taskView(state: TaskUrlState, timeZone: string): TaskView {
  const { q, priority, contact, company, deal, from, to, sort, view } = state
  // The agenda shows open tasks, soonest first.
  const isAgenda = view === 'agenda'
  const tab = isAgenda && state.tab === 'all' ? 'pending' : state.tab
  return {
    filter: {
      ...tabView(tab).filter,
      ...(q ? { search: q } : {}),
      ...(priority.length > 0 ? { priority } : {}),
      ...(contact ? { contact } : {}),
      ...(company ? { company } : {}),
      ...(deal ? { deal } : {}),
      ...(from ? { due_from: from } : {}),
      ...(to ? { due_to: to } : {}),
      ...(from || to ? { time_zone: timeZone } : {}),
    },
    sort: isAgenda ? 'due' : sort,
    descending: !isAgenda && directionOf(state, mostFirst) === 'desc',
  }
}
