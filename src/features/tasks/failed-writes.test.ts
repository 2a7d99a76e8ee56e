import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { useMoveTask } from './days/queries.ts'
import {
  useCompleteTask,
  useCompleteWithNextStep,
  useCreateTask,
  useDeleteTask,
  useSnoozeTask,
  useUpdateTask,
} from './writes/queries.ts'

const moments = { created_at: '2026-11-15T00:00:00Z', updated_at: '2026-11-15T00:00:00Z' }

const links = { company_id: null, contact_id: null }

const taskValues = {
  ...links,
  title: 'Call',
  description: null,
  priority: 'medium' as const,
  due_date: null,
  due_all_day: false,
  deal_id: null,
  repeat: null,
  repeat_days: null,
  repeat_every: null,
}

const taskNames = { deal_name: null, company_name: null, contact: null }

const task = {
  ...taskValues,
  ...taskNames,
  ...moments,
  id: 't',
  completed: false,
  completed_at: null,
  repeat_start: null,
  repeated_from: null,
}

test('create task', () =>
  expectFailedWrite('Failed to create task', () => {
    const create = useCreateTask()
    return () => create({ id: 'n', values: taskValues, names: taskNames })
  }))

test('update task', () =>
  expectFailedWrite('Failed to update task', () => {
    const update = useUpdateTask()
    return () => update({ seen: task, values: taskValues, names: taskNames })
  }))

test('complete task', () =>
  expectFailedWrite('Failed to update task', () => {
    const complete = useCompleteTask()
    return () => complete(task, true)
  }))

test('plan a next step', () =>
  expectFailedWrite('Failed to create task', () => {
    const plan = useCompleteWithNextStep()
    const next = { title: 'Write', due_date: null, due_all_day: false }
    return () => plan({ task, id: 'n', next })
  }))

test('snooze task', () =>
  expectFailedWrite('Failed to update task', () => {
    const snooze = useSnoozeTask()
    return () => snooze({ task, due: { due_date: '2030-01-01T10:00:00Z', due_all_day: false } })
  }))

test('move task to another day', () =>
  expectFailedWrite('Failed to update task', () => {
    const move = useMoveTask()
    const due = { due_date: '2030-01-01T10:00:00Z', due_all_day: false }
    return () => move({ task, due, heading: 'Today' })
  }))

test('delete task', () =>
  expectFailedWrite('Failed to delete task', () => {
    const remove = useDeleteTask()
    return () => remove(task)
  }))
