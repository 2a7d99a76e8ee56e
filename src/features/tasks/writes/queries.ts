import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { counted } from '#domain/counted.ts'
import type { Due } from '#domain/due-date-form.ts'
import type { NextStep } from '#domain/next-step.ts'
import type { Priority } from '#domain/task.ts'
import type { TaskValues } from '#domain/task-form.ts'
import {
  showUndoToast,
  useBulkWrite,
  useUndoableDelete,
  writeMany,
} from '#features/history/index.ts'
import { maybe } from '#lib/answers.ts'
import type { ListWrite } from '#lib/list-writes.ts'
import { RecordConflict, recordWrites } from '#lib/record-writes.ts'
import { callForJson } from '#lib/supabase.ts'
import { readFromTheStart, useListWrite } from '#lib/use-list-write.ts'
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
import type { TaskFilter } from '../task-view.ts'

export const writes = recordWrites<StoredTask, Task, TaskRow>({
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
export function changeOf(task: Task, to: Partial<Task>) {
  const matches = ({ id }: Task) => id === task.id
  return withEffect({ kind: 'change', matches, to }, { before: task, after: { ...task, ...to } })
}

type NewTask = { id: string; values: TaskValues; names: LinkNames }

export function useCreateTask() {
  return useListWrite(taskList, {
    write: ({ id, values }: NewTask) => writes.create(id, rowOf(values)),
    optimistic({ id, values, names }) {
      const now = new Date().toISOString()
      const row = {
        ...values,
        ...names,
        id,
        completed: false,
        completed_at: null,
        repeat_start: values.due_date,
        repeated_from: null,
        created_at: now,
        updated_at: now,
      }
      return withEffect({ kind: 'add', row }, { before: null, after: row })
    },
    confirmed: (stored, { names }) => ({ kind: 'add', row: { ...stored, ...names } }),
    saved: 'Task created successfully',
    failed: 'Failed to create task',
  })
}

type TaskChange = { seen: Task; values: TaskValues; names: LinkNames }

export function useUpdateTask() {
  return useListWrite(taskList, {
    write: ({ seen, values }: TaskChange) => writes.update(seen, rowOf(values, seen)),
    optimistic: ({ seen, values, names }) => changeOf(seen, { ...values, ...names }),
    confirmed: (stored, { names }) => ({
      kind: 'change',
      matches: ({ id }) => id === stored.id,
      to: { ...stored, ...names },
    }),
    saved: 'Task updated successfully',
    failed: 'Failed to update task',
  })
}

async function tick(task: Task, completed: boolean): Promise<StoredTask> {
  try {
    return await writes.update(task, { completed })
  } catch (error) {
    // Another window has completed it already.
    if (error instanceof RecordConflict) return error.current
    throw error
  }
}

/** Completes or reopens a task. Other changes by another window stay. */
export function useCompleteTask() {
  const complete = useListWrite(taskList, {
    write: ({ task, completed }: { task: Task; completed: boolean }) => tick(task, completed),
    optimistic: ({ task, completed }) =>
      changeOf(task, { completed, completed_at: completed ? new Date().toISOString() : null }),
    confirmed: (stored) => ({ kind: 'change', matches: ({ id }) => id === stored.id, to: stored }),
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

const plannedStep = z.object({ done: storedTask, task: storedTask, batch: maybe })

/** Adds the task that comes after a completed one, in the batch of the completion: Undo takes back both. */
export function useCompleteWithNextStep() {
  const queryClient = useQueryClient()
  const plan = useListWrite(taskList, {
    write({ task, id, next }: { task: Task; id: string; next: NextStep }) {
      const { contact_id, company_id, deal_id } = task
      const next_step = { ...next, id, contact_id, company_id, deal_id }
      return callForJson('complete_with_next_step', { id: task.id, next_step }, plannedStep)
    },
    optimistic({ task, id, next }) {
      const now = new Date().toISOString()
      const row: Task = {
        ...task,
        ...next,
        ...noRepetition,
        id,
        description: null,
        priority: 'medium',
        completed: false,
        completed_at: null,
        created_at: now,
        updated_at: now,
      }
      return withEffect({ kind: 'add', row }, { before: null, after: row })
    },
    confirmed: (stored, { task: { deal_name, company_name, contact } }) => ({
      kind: 'add',
      row: { ...stored.task, deal_name, company_name, contact },
    }),
    failed: 'Failed to create task',
  })
  return async (step: { task: Task; id: string; next: NextStep }): Promise<void> => {
    const { batch } = await plan(step)
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

/** Snoozes a task; later repetitions keep their time. */
export function useSnoozeTask() {
  return useListWrite(taskList, {
    // Overwrites a snooze by another window.
    write: ({ task, due }: { task: Task; due: Due }) => writes.force(task, due),
    optimistic: ({ task, due }) => changeOf(task, due),
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
