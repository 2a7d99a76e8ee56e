import { z } from 'zod'
import { dueFields, noDue, readDue } from './due-date-form.ts'
import { blankOf, schemaOf } from './fields/form.ts'
import { taskFields } from './fields/tasks.ts'
import { repeats } from './task.ts'

/**
 * The days on which a weekly task repeats, 0 for Sunday: the chosen ones, or the weekday of its due date.
 */
export function weekDaysOf(chosen: number[] | null, dueDay: string): number[] {
  if (chosen && chosen.length > 0) return [...new Set(chosen)].sort()
  const weekday = new Date(`${dueDay}T00:00:00Z`).getUTCDay()
  return Number.isNaN(weekday) ? [] : [weekday]
}

/** The task form; the due date is read on the wall clock of this time zone. */
export function taskSchema(timeZone: string) {
  return z
    .object({
      ...schemaOf(taskFields).shape,
      ...dueFields(timeZone),
      repeat: z.enum(repeats).nullable(),
      repeat_days: z.array(z.number().int().min(0).max(6)).nullable(),
      repeat_every: z.union([z.number(), z.literal('')]).nullable(),
    })
    .transform((task, context) => {
      const { due_date: dueDay, due_time, ...rest } = task
      const { repeat } = rest
      const due = readDue({ due_date: dueDay, due_time }, timeZone, context)
      const days = repeat === 'weekly' ? weekDaysOf(task.repeat_days, dueDay) : null
      const every = repeat === 'after' ? Number(task.repeat_every) : null
      if (repeat && repeat !== 'after' && dueDay === '') {
        context.addIssue({
          code: 'custom',
          path: ['due_date'],
          message: 'A repeating task needs a due date.',
        })
      }
      if (every !== null && !(Number.isInteger(every) && every >= 1 && every <= 3650)) {
        context.addIssue({
          code: 'custom',
          path: ['repeat_every'],
          message: 'Enter a number of days between 1 and 3,650.',
        })
      }
      return { ...rest, ...due, repeat_days: days, repeat_every: every }
    })
}

export type TaskInput = z.input<ReturnType<typeof taskSchema>>
export type TaskValues = z.output<ReturnType<typeof taskSchema>>

/** A form for a task that is not there yet. */
export const newTask: TaskInput = {
  ...blankOf(taskFields),
  ...noDue,
  repeat: null,
  repeat_days: null,
  repeat_every: null,
}
