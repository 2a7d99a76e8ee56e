import { useQueryClient } from '@tanstack/react-query'
import { counted } from '#domain/counted.ts'
import type { Due } from '#domain/due-date-form.ts'
import type { NextStep } from '#domain/next-step.ts'
import { type Priority, shownDue, usualPriority } from '#domain/task.ts'
import type { TaskValues } from '#domain/task-form.ts'
import {
  showUndoToast,
  useBulkWrite,
  useUndoableDelete,
  writeMany,
} from '#features/history/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { checked } from '#lib/answers.ts'
import type { ListWrite } from '#lib/list-writes.ts'
import { recordWrites } from '#lib/record-writes.ts'
import { readFromTheStart, useListWrite, useOnceWrite } from '#lib/use-list-write.ts'
import { asListWrite, KeptWrite, type Shown } from '#lib/waiting-writes.ts'
import { showToast } from '#ui/toast.tsx'
import {
  asOfNow,
  type LinkNames,
  type StoredTask,
  storedTask,
  type Task,
  taskList,
  taskPages,
} from '../queries.ts'
import { tasksKey } from '../task-key.ts'
import type { TaskFilter } from '../task-view.ts'

const writes = recordWrites<StoredTask, Task, TaskRow>({
  table: 'tasks',
  row: storedTask,
  read: taskPages.one,
})

type TaskRow = TaskValues & { completed?: boolean; repeat_start?: string | null }

/** The row to save. A new time of the due date applies to all later repetitions. */
function rowOf(values: TaskValues, seen?: Task): TaskRow {
  const isNewTime =
    !seen ||
    values.due_all_day !== seen.due_all_day ||
    Date.parse(values.due_date ?? '') !== Date.parse(seen.due_date ?? '')
  return isNewTime ? { ...values, repeat_start: values.due_date } : values
}

/** The effect of a write on one task, for the counters. */
export type Effect = { before: Task | null; after: Task | null }

function withEffect(write: ListWrite<Task>, effect: Effect): ListWrite<Task> & { effect: Effect } {
  return { ...write, effect }
}

/** The optimistic update of one task. */
export function shownChange(task: Task, to: Partial<Task>): Shown<Task> {
  const effect: Effect = { before: task, after: { ...task, ...to } }
  return { kind: 'change', id: task.id, to, effect }
}

/** A new task, as it shows until it is stored. */
function shownTask(row: Task): Shown<Task> {
  const effect: Effect = { before: null, after: row }
  return { kind: 'add', row, effect }
}

/** What is not known of a new task before the database has stored it. */
function unstoredTask(id: string) {
  const now = new Date().toISOString()
  const moments = { completed: false, completed_at: null, created_at: now, updated_at: now }
  return { id, ...moments, repeated_from: null }
}

/** A task that another write adds, as the lists of tasks show it while it waits on the device. */
export function shownWithWrite(id: string, values: Pick<Task, 'title'> & Partial<Task>) {
  const blank = {
    description: null,
    priority: usualPriority,
    due_date: null,
    due_all_day: false,
  }
  const row: Task = { ...noLinks, ...noRepetition, ...blank, ...values, ...unstoredTask(id) }
  return { ...shownTask(row), list: tasksKey }
}

const noLinks = {
  ...{ contact_id: null, company_id: null, deal_id: null },
  ...{ deal_name: null, company_name: null, contact: null },
}

export const storedIn = (row: unknown): StoredTask => checked(storedTask, row)

type NewTask = { id: string; values: TaskValues; names: LinkNames }

export function useCreateTask() {
  return useOnceWrite(taskList, {
    once: ({ id, values }: NewTask) => ({
      action: 'add task',
      args: { values: { ...rowOf(values), id } },
      title: `New task: ${values.title}`,
    }),
    shown: ({ id, values, names }) =>
      shownTask({ ...values, ...names, ...unstoredTask(id), repeat_start: values.due_date }),
    answer: storedIn,
    confirmed: (stored, { names }) => ({ kind: 'add', row: { ...stored, ...names } }),
    saved: 'Task created successfully',
    failed: 'Failed to create task',
  })
}

type TaskChange = { seen: Task; values: TaskValues; names: LinkNames }

export function useUpdateTask() {
  return useListWrite(taskList, {
    write: ({ seen, values }: TaskChange) => writes.update(seen, rowOf(values, seen)),
    optimistic: ({ seen, values, names }) =>
      asListWrite(shownChange(seen, { ...values, ...names })),
    confirmed: (stored, { names }) => ({
      kind: 'change',
      matches: ({ id }) => id === stored.id,
      to: { ...stored, ...names },
    }),
    saved: 'Task updated successfully',
    failed: 'Failed to update task',
  })
}

/** Completes or reopens a task. Other changes by another window stay. */
export function useCompleteTask() {
  const complete = useOnceWrite(taskList, {
    once: ({ task, completed }: { task: Task; completed: boolean }) => ({
      action: 'complete task',
      args: { id: task.id, values: { completed } },
      title: `${completed ? 'Complete' : 'Reopen'} task: ${task.title}`,
    }),
    shown: ({ task, completed }) =>
      shownChange(task, { completed, completed_at: completed ? new Date().toISOString() : null }),
    answer: storedIn,
    confirmed: (stored) => ({ kind: 'change', matches: ({ id }) => id === stored.id, to: stored }),
    failed: 'Failed to update task',
  })
  return async (task: Task, completed: boolean) => {
    if ((await complete({ task, completed })) instanceof KeptWrite) return
    if (completed) {
      showToast({ title: 'Task Completed!', message: 'Great job! Keep up the momentum!' })
    } else {
      showToast({ message: 'Task updated successfully' })
    }
  }
}

/** Adds the task that comes after a completed one, in the batch of the completion: Undo takes back both. */
export function useCompleteWithNextStep() {
  const queryClient = useQueryClient()
  const plan = useOnceWrite(taskList, {
    once({ task, id, next }: { task: Task; id: string; next: NextStep }) {
      const { contact_id, company_id, deal_id } = task
      const next_step = { ...next, id, contact_id, company_id, deal_id }
      return {
        action: 'plan next step',
        args: { id: task.id, next_step },
        title: `Next step: ${next.title}`,
      }
    },
    shown: ({ task, id, next }) =>
      shownTask({
        ...task,
        ...next,
        ...noRepetition,
        ...unstoredTask(id),
        description: null,
        priority: usualPriority,
      }),
    answer: (_done, { next_step, batch }) => ({ task: storedIn(next_step), batch }),
    confirmed: (stored, { task: { deal_name, company_name, contact } }) => ({
      kind: 'add',
      row: { ...stored.task, deal_name, company_name, contact },
    }),
    failed: 'Failed to create task',
  })
  return async (step: { task: Task; id: string; next: NextStep }): Promise<void> => {
    const planned = await plan(step)
    if (planned instanceof KeptWrite) return
    const { batch } = planned
    if (!batch) return showToast({ message: 'Next step planned' })
    showUndoToast({
      message: 'Next step planned',
      batch: async () => batch,
      onUndone: () => readFromTheStart(queryClient),
    })
  }
}

const noRepetition = {
  repeat: null,
  repeat_days: null,
  repeat_every: null,
  repeat_start: null,
  repeated_from: null,
}

function dueWords({ due_date, due_all_day }: Due, timeZone: string): string {
  return due_date === null ? 'no date' : `due ${shownDue({ due_date, due_all_day }, timeZone)}`
}

/** Overwrites a snooze by another window, unless it was kept on the device meanwhile. */
export function snoozeOf({ task, due }: { task: Task; due: Due }, timeZone: string) {
  const { due_date, due_all_day } = task
  return {
    action: 'snooze task' as const,
    args: { id: task.id, values: due },
    seen: { due_date, due_all_day },
    isLastWins: true,
    title: `${task.title}: ${dueWords(due, timeZone)}`,
  }
}

/** Snoozes a task; later repetitions keep their time. */
export function useSnoozeTask() {
  const timeZone = useTimeZone()
  return useOnceWrite(taskList, {
    once: (snooze: { task: Task; due: Due }) => snoozeOf(snooze, timeZone),
    shown: ({ task, due }) => shownChange(task, due),
    answer: storedIn,
    confirmed: (stored) => ({ kind: 'change', matches: ({ id }) => id === stored.id, to: stored }),
    saved: 'Task updated successfully',
    failed: 'Failed to update task',
  })
}

export function useDeleteTask() {
  return useUndoableDelete(taskList, {
    remove: writes.remove,
    optimistic: (gone) =>
      withEffect(
        { kind: 'remove', matches: ({ id }) => id === gone.id, count: 1 },
        { before: gone, after: null },
      ),
    done: () => 'Task deleted successfully',
    failed: 'Failed to delete task',
  })
}

/** The tasks that a filter matches, and a test for the rows on the screen. */
export type ChosenTasks = { filter: TaskFilter; count: number; matches: (task: Task) => boolean }

type BulkChange = { completed: true } | Due | { priority: Priority }

export function useUpdateTasks() {
  return useBulkWrite(taskList, {
    write: ({ filter, changes }: ChosenTasks & { changes: BulkChange }) =>
      writeMany('update_tasks', { filter: asOfNow(filter), changes }),
    optimistic: ({ matches, changes }) => ({
      kind: 'change',
      matches,
      to: {
        ...changes,
        ...('completed' in changes ? { completed_at: new Date().toISOString() } : {}),
      },
    }),
    done: (count) => `${counted(count, 'task')} updated successfully`,
    failed: 'Failed to update tasks',
  })
}

export function useDeleteTasks() {
  return useBulkWrite(taskList, {
    write: ({ filter }: ChosenTasks) => writeMany('delete_tasks', { filter: asOfNow(filter) }),
    optimistic: ({ matches, count }) => ({ kind: 'remove', matches, count }),
    done: (count) => `${counted(count, 'task')} deleted successfully`,
    failed: 'Failed to delete tasks',
  })
}
