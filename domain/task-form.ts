import { z } from 'zod'
import { localTimeOf, momentOf } from './local-time.ts'
import { priorities } from './task.ts'
import { optionalText, requiredText } from './text-fields.ts'

export const repeats = ['daily', 'weekly', 'monthly', 'yearly', 'after'] as const
export type Repeat = (typeof repeats)[number]

const problems = {
  unreadable: 'Enter a date and a time.',
  'no such day': 'There is no such day in the calendar.',
  'skipped hour': 'There is no such time on that day: the clock goes forward then.',
} as const

/** A moment typed on the wall clock of this time zone; nothing typed is null. */
function dueDateSchema(timeZone: string) {
  return z.string().transform((local, context) => {
    if (local === '') return null
    const found = momentOf(local, timeZone)
    if ('problem' in found) {
      context.addIssue({ code: 'custom', message: problems[found.problem] })
      return z.NEVER
    }
    if (found.moment < '1900-01-01' || found.moment >= '2201-01-01') {
      context.addIssue({ code: 'custom', message: 'Enter a date between 1900 and 2200.' })
      return z.NEVER
    }
    return found.moment
  })
}

/** A new due date for tasks that are there: to be put off, there must be one. */
export function rescheduleSchema(timeZone: string) {
  return z.object({
    due_date: dueDateSchema(timeZone).transform((dueDate, context) => {
      if (dueDate !== null) return dueDate
      context.addIssue({ code: 'custom', message: problems.unreadable })
      return z.NEVER
    }),
  })
}

/**
 * The due date that is saved: the one before, to the second, where the form still shows it. An hour
 * that is there twice looks the same both times.
 */
export function keptDueDate(typed: string | null, before: string | null, timeZone: string) {
  if (!typed || !before) return typed
  return localTimeOf(typed, timeZone) === localTimeOf(before, timeZone) ? before : typed
}

/** What the task form may hold; the due date is read on the wall clock of this time zone. */
export function taskSchema(timeZone: string) {
  return z
    .object({
      title: requiredText('Title', 500),
      description: optionalText('Description', 50_000),
      priority: z.enum(priorities),
      due_date: dueDateSchema(timeZone),
      deal_id: z.uuid().nullable(),
      contact_id: z.uuid().nullable(),
      company_id: z.uuid().nullable(),
      repeat: z.enum(repeats).nullable(),
      repeat_days: z.array(z.number().int().min(0).max(6)).nullable(),
      repeat_every: z.union([z.number(), z.literal('')]).nullable(),
    })
    .transform((task, context) => {
      const { repeat } = task
      const days = repeat === 'weekly' ? [...new Set(task.repeat_days)].sort() : null
      const every = repeat === 'after' ? Number(task.repeat_every) : null
      if (repeat && repeat !== 'after' && task.due_date === null) {
        context.addIssue({
          code: 'custom',
          path: ['due_date'],
          message: 'A task that repeats needs a due date.',
        })
      }
      if (days?.length === 0) {
        context.addIssue({
          code: 'custom',
          path: ['repeat_days'],
          message: 'Choose at least one day of the week.',
        })
      }
      if (every !== null && !(Number.isInteger(every) && every >= 1 && every <= 3650)) {
        context.addIssue({
          code: 'custom',
          path: ['repeat_every'],
          message: 'Enter a number of days between 1 and 3,650.',
        })
      }
      return { ...task, repeat_days: days, repeat_every: every }
    })
}

export type TaskInput = z.input<ReturnType<typeof taskSchema>>
export type TaskValues = z.output<ReturnType<typeof taskSchema>>

/** A form for a task that is not there yet. */
export const newTask: TaskInput = {
  title: '',
  description: '',
  priority: 'medium',
  due_date: '',
  deal_id: null,
  contact_id: null,
  company_id: null,
  repeat: null,
  repeat_days: null,
  repeat_every: null,
}
