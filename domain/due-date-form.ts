import { z } from 'zod'
import { dayEnd, localTimeOf, momentOf } from './local-time.ts'

/** When a task is due: at a moment or, with its last second, on a whole day. */
export type Due = { due_date: string | null; due_all_day: boolean }

/** The fields of a form: a day, `YYYY-MM-DD`, and an optional time, `HH:mm`. */
export type DueInput = { due_date: string; due_time: string }

export const noDue: DueInput = { due_date: '', due_time: '' }

const noSuchDay = 'This day doesn’t exist.'
const outside = 'Enter a date between 1900 and 2200.'
const isOutside = (moment: string) => moment < '1900-01-01' || moment >= '2201-01-01'
const missingDate = 'Enter a date.'

/** The day and the time of a form, each checked by itself. */
export function dueFields(timeZone: string) {
  return {
    due_date: z.string().superRefine((day, context) => {
      const message = day === '' ? null : dayProblem(day, timeZone)
      if (message) context.addIssue({ code: 'custom', message })
    }),
    due_time: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/, 'Enter a time, or leave it empty.'),
  }
}

function dayProblem(day: string, timeZone: string): string | null {
  const noon = momentOf(`${day}T12:00`, timeZone)
  if ('problem' in noon) return noon.problem === 'unreadable' ? missingDate : noSuchDay
  return isOutside(noon.moment) ? outside : null
}

/** Reads a day and a time on the wall clock of this time zone; empty fields mean no due date. */
export function readDue(
  { due_date: day, due_time: time }: DueInput,
  timeZone: string,
  context: z.core.$RefinementCtx,
): Due {
  function refuse(field: keyof DueInput, message: string): Due {
    context.addIssue({ code: 'custom', path: [field], message })
    return z.NEVER
  }
  if (day === '') {
    return time === ''
      ? { due_date: null, due_all_day: false }
      : refuse('due_date', 'Enter the date of this time.')
  }
  const found =
    time === '' ? { moment: dayEnd(day, timeZone) } : momentOf(`${day}T${time}`, timeZone)
  if ('problem' in found) {
    return refuse('due_time', 'This time doesn’t exist on that day: the clocks go forward.')
  }
  if (isOutside(found.moment)) return refuse('due_date', outside)
  return { due_date: found.moment, due_all_day: time === '' }
}

/** A due date as form fields. */
export function dueInputOf({ due_date, due_all_day }: Due, timeZone: string): DueInput {
  if (!due_date) return noDue
  const [day = '', time = ''] = localTimeOf(due_date, timeZone).split('T')
  return { due_date: day, due_time: due_all_day ? '' : time }
}

/**
 * The due date to save: the old one, to the second, where the form still shows it. This keeps the right one of two
 * hours that look the same when the clock goes back.
 */
export function keptDue(typed: Due, before: Due, timeZone: string): Due {
  const [now, then] = [dueInputOf(typed, timeZone), dueInputOf(before, timeZone)]
  const isSame = now.due_date === then.due_date && now.due_time === then.due_time
  return isSame ? { due_date: before.due_date, due_all_day: before.due_all_day } : typed
}

/** A new due date for existing tasks: here a date is required. */
export function rescheduleSchema(timeZone: string) {
  return z.object(dueFields(timeZone)).transform((typed, context) => {
    const { due_date, due_all_day } = readDue(typed, timeZone, context)
    if (due_date !== null) return { due_date, due_all_day }
    context.addIssue({ code: 'custom', path: ['due_date'], message: missingDate })
    return z.NEVER
  })
}
