import { z } from 'zod'
import { type Due, dueFields } from './due-date-form.ts'
import { dayEnd, momentOf } from './local-time.ts'
import { optionalText } from './text-fields.ts'

/** The line for what comes next. */
export type NextStepInput = {
  next_title: string
  /** `YYYY-MM-DD`, or empty. */
  next_day: string
  /** The hour in the words, `HH:mm`, or empty; only where they name the chosen day. */
  next_time: string
  /** The words without day and hour, where they name the chosen day. */
  next_name: string
}

/** The fields of the line, for the form that it ends. No words mean that nothing is planned. */
export function nextStepFields(timeZone: string) {
  return {
    next_title: optionalText('The next step', 500),
    next_day: dueFields(timeZone).due_date,
    next_time: z.string(),
    next_name: z.string(),
  }
}

/** The line on its own, where there must be words. */
export function nextStepSchema(timeZone: string) {
  return z.object(nextStepFields(timeZone)).refine(({ next_title }) => next_title !== null, {
    path: ['next_title'],
    error: 'Enter the next step.',
  })
}

export type NextStep = { title: string } & Due

/** The task that a line plans: due at its hour or on the whole day; null without words. */
export function nextStepOf(
  {
    next_title,
    next_day,
    next_time,
    next_name,
  }: Omit<NextStepInput, 'next_title'> & { next_title: string | null },
  timeZone: string,
): NextStep | null {
  if (next_title === null) return null
  const title = next_name || next_title
  if (next_day === '') return { title, due_date: null, due_all_day: false }
  // An hour that the clocks skip has no moment.
  const at = next_time === '' ? null : momentOf(`${next_day}T${next_time}`, timeZone)
  if (at && 'moment' in at) return { title, due_date: at.moment, due_all_day: false }
  return { title, due_date: dayEnd(next_day, timeZone), due_all_day: true }
}
