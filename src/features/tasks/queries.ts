import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { counted } from '#domain/counted.ts'
import type { Priority, TaskValues } from '#domain/task.ts'
import { deletionOf, showUndoToast } from '#features/history/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import type { Database, Json } from '#lib/database.types.ts'
import type { ListSource, Page } from '#lib/list-source.ts'
import { recordWrites } from '#lib/record-writes.ts'
import { supabase } from '#lib/supabase.ts'
import { keepInLists, readAgain, readFromTheStart, useListWrite } from '#lib/use-list-write.ts'
import { showToast } from '#ui/toast.tsx'
import type { TaskFilter, TaskSort, TaskView } from './task-view.ts'

const columns =
  'id, title, description, priority, due_date, completed, completed_at, deal_id, contact_id, company_id, repeat, repeat_days, repeat_every, repeat_start, repeated_from, created_at, updated_at'

type StoredTask = Omit<Database['public']['Tables']['tasks']['Row'], 'user_id' | 'search_text'>

/** The names of what a task is linked to. */
type LinkNames = {
  deal_name: string | null
  company_name: string | null
  contact: { first_name: string | null; last_name: string | null } | null
}

/** A task as the lists show it: see the database's `task_card`. */
export type Task = StoredTask & LinkNames

export const taskList: ListSource<Task, TaskView> = {
  key: ['tasks'],
  failed: 'Failed to fetch tasks',
  async readPage({ filter, sort, descending }, after, signal) {
    const args = { filter: asOfNow(filter), sort, descending, after, page_size: 60 }
    return readPage(args, signal)
  },
  async readCount(filter, signal) {
    const { data, error } = await supabase()
      .rpc('task_count', { filter: asOfNow(filter) })
      .abortSignal(signal)
    if (error) throw error
    return data
  },
  compare({ sort, descending }) {
    const key = sortKeys[sort]
    return (one, other) => {
      const [a, b] = [key(one), key(other)]
      const order = a < b ? -1 : a > b ? 1 : 0
      return descending ? -order : order
    }
  },
}

const pressing = ['low', 'medium', 'high', 'urgent']

const sortKeys: Record<TaskSort, (task: Task) => string | number> = {
  created: ({ created_at }) => Date.parse(created_at),
  due: ({ due_date }) => (due_date ? Date.parse(due_date) : Number.POSITIVE_INFINITY),
  priority: ({ priority }) => pressing.indexOf(priority),
  title: ({ title }) => title.toLowerCase(),
}

/** Overdue is told by the clock of this window, as everything else on the screen. */
function asOfNow(filter: TaskFilter): TaskFilter & { at?: string } {
  return filter.status === 'overdue' ? { ...filter, at: new Date().toISOString() } : filter
}

async function readPage(
  args: { filter: Json; sort?: string; descending?: boolean; after?: Json; page_size: number },
  signal?: AbortSignal,
): Promise<Page<Task>> {
  const request = supabase().rpc('task_page', args)
  const { data, error } = await (signal ? request.abortSignal(signal) : request)
  if (error) throw error
  // What the function builds: see its migration.
  return data as unknown as Page<Task>
}

/** One task as it is now, or null when there is none. */
async function readTask(id: string): Promise<Task | null> {
  const { rows } = await readPage({ filter: { ids: [id] }, page_size: 1 })
  return rows[0] ?? null
}

type TaskCounts = {
  total: number
  completed: number
  pending: number
  overdue: number
  due_today: number
  urgent: number
  /** When the next task becomes overdue. */
  next_due: string | null
}

/** The counters of the screen, the feed and the panel. They renew themselves when a task falls due. */
export function useTaskCounts() {
  const timeZone = useTimeZone()
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: [...taskList.key, 'counts', timeZone],
    async queryFn({ signal }) {
      const { data, error } = await supabase()
        .rpc('task_counts', { at: new Date().toISOString(), time_zone: timeZone })
        .abortSignal(signal)
      if (error) throw error
      // What the function builds: see its migration.
      return data as unknown as TaskCounts
    },
    placeholderData: keepPreviousData,
    meta: { failed: taskList.failed },
  })
  const nextDue = query.data?.next_due
  useEffect(() => {
    if (!nextDue) return
    // One millisecond after: due is not yet overdue. A timer cannot wait for longer than 24 days.
    const wait = Math.min(Math.max(Date.parse(nextDue) - Date.now() + 1, 0), 2_000_000_000)
    const timer = setTimeout(() => queryClient.invalidateQueries({ queryKey: taskList.key }), wait)
    return () => clearTimeout(timer)
  }, [nextDue, queryClient])
  return query
}

const writes = recordWrites<StoredTask, Task, TaskRow>({
  table: 'tasks',
  columns,
  read: readTask,
})

type TaskRow = TaskValues & { completed?: boolean; repeat_start?: string | null }

/** What is saved of the form. A new hour of the due date is that of every repetition to come. */
function rowOf(values: TaskValues, seen?: Task): TaskRow {
  const isNewTime = !seen || Date.parse(values.due_date ?? '') !== Date.parse(seen.due_date ?? '')
  return isNewTime ? { ...values, repeat_start: values.due_date } : values
}

type NewTask = { id: string; values: TaskValues; names: LinkNames }

export function useCreateTask() {
  return useListWrite(taskList, {
    write: ({ id, values }: NewTask) => writes.create(id, rowOf(values)),
    shows({ id, values, names }) {
      const now = new Date().toISOString()
      const stored = {
        ...values,
        id,
        completed: false,
        completed_at: null,
        repeat_start: values.due_date,
        repeated_from: null,
        created_at: now,
        updated_at: now,
      }
      return { kind: 'add', row: { ...stored, ...names } }
    },
    becomes: (stored, { names }) => ({ kind: 'add', row: { ...stored, ...names } }),
    saved: 'Task created successfully',
    failed: 'Failed to create task',
  })
}

type TaskChange = { seen: Task; values: TaskValues; names: LinkNames }

export function useUpdateTask() {
  return useListWrite(taskList, {
    write: ({ seen, values }: TaskChange) => writes.update(seen, rowOf(values, seen)),
    shows: ({ seen, values, names }) => ({
      kind: 'change',
      isMeant: ({ id }) => id === seen.id,
      to: { ...values, ...names },
    }),
    becomes: (stored, { names }) => ({
      kind: 'change',
      isMeant: ({ id }) => id === stored.id,
      to: { ...stored, ...names },
    }),
    saved: 'Task updated successfully',
    failed: 'Failed to update task',
  })
}

/** Ticks a task, or reopens it. What another window changed of it meanwhile stays. */
export function useCompleteTask() {
  const complete = useListWrite(taskList, {
    write: ({ task, completed }: { task: Task; completed: boolean }) =>
      writes.update(task, { completed }),
    shows: ({ task, completed }) => ({
      kind: 'change',
      isMeant: ({ id }) => id === task.id,
      to: { completed, completed_at: completed ? new Date().toISOString() : null },
    }),
    becomes: (stored) => ({ kind: 'change', isMeant: ({ id }) => id === stored.id, to: stored }),
    failed: 'Failed to update task',
  })
  return async (task: Task, completed: boolean) => {
    await complete({ task, completed })
    if (completed) {
      showToast({ title: 'Task Completed!', message: 'Great job! Keep up the momentum!' })
    } else {
      showToast({ message: 'Task updated successfully' })
    }
  }
}

/** Puts a task off; its repetition keeps its hour. */
export function useSnoozeTask() {
  return useListWrite(taskList, {
    write: ({ task, due_date }: { task: Task; due_date: string }) =>
      writes.update(task, { due_date }),
    shows: ({ task, due_date }) => ({
      kind: 'change',
      isMeant: ({ id }) => id === task.id,
      to: { due_date },
    }),
    becomes: (stored) => ({ kind: 'change', isMeant: ({ id }) => id === stored.id, to: stored }),
    saved: 'Task updated successfully',
    failed: 'Failed to update task',
  })
}

export function useDeleteTask() {
  const queryClient = useQueryClient()
  const remove = useListWrite(taskList, {
    write: ({ id }: Task) => writes.remove(id),
    shows: (gone) => ({ kind: 'remove', isMeant: ({ id }) => id === gone.id, count: 1 }),
    failed: 'Failed to delete task',
  })
  return async (task: Task) => {
    await remove(task)
    showUndoToast({
      message: 'Task deleted successfully',
      batch: () => deletionOf(task.id),
      onUndone() {
        keepInLists(queryClient, taskList, { kind: 'add', row: task })
        readAgain(queryClient)
      },
    })
  }
}

type Bulk = { count: number; batch: string | null }

/** Tasks meant by a filter, and how they are told among those on the screen. */
export type ChosenTasks = { filter: TaskFilter; count: number; isMeant: (task: Task) => boolean }

type BulkChange = { completed: boolean } | { due_date: string } | { priority: Priority }

export function useUpdateTasks() {
  const queryClient = useQueryClient()
  const update = useListWrite(taskList, {
    async write({ filter, changes }: ChosenTasks & { changes: BulkChange }) {
      const args = { filter: asOfNow(filter), changes }
      const { data, error } = await supabase().rpc('update_tasks', args)
      if (error) throw error
      // What the function builds: see its migration.
      return data as unknown as Bulk
    },
    shows: ({ isMeant, changes }) => ({ kind: 'change', isMeant, to: changes }),
    failed: 'Failed to update tasks',
  })
  return async (chosen: ChosenTasks, changes: BulkChange) => {
    const { count, batch } = await update({ ...chosen, changes })
    tellBulk(`${counted(count, 'task')} updated successfully`, batch, () =>
      readFromTheStart(queryClient),
    )
  }
}

export function useDeleteTasks() {
  const queryClient = useQueryClient()
  const remove = useListWrite(taskList, {
    async write({ filter }: ChosenTasks) {
      const { data, error } = await supabase().rpc('delete_tasks', { filter: asOfNow(filter) })
      if (error) throw error
      // What the function builds: see its migration.
      return data as unknown as Bulk
    },
    shows: ({ isMeant, count }) => ({ kind: 'remove', isMeant, count }),
    failed: 'Failed to delete tasks',
  })
  return async (chosen: ChosenTasks) => {
    const { count, batch } = await remove(chosen)
    tellBulk(`${counted(count, 'task')} deleted successfully`, batch, () =>
      readFromTheStart(queryClient),
    )
  }
}

function tellBulk(message: string, batch: string | null, onUndone: () => void): void {
  if (batch) showUndoToast({ message, batch: async () => batch, onUndone })
  else showToast({ message })
}

/** Reads the screen again, when something on it turned out to be gone. */
export function useReadTasksAgain() {
  const queryClient = useQueryClient()
  return () => readAgain(queryClient)
}
