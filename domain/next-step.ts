import { z } from 'zod'
import { type Due, dueFields } from './due-date-form.ts'
import { dayEnd, daysAfter, localTimeOf } from './local-time.ts'
import { optionalText } from './text-fields.ts'

/** The days that one press chooses for a next step. */
export const stepDays = ['today', 'tomorrow', 'next week'] as const
export type StepDay = (typeof stepDays)[number]

export type StepClock = { now: number; timeZone: string; weekStart: number }

/** The day that the words mean, `YYYY-MM-DD`. Next week is its first day. */
export function dayNamed(name: StepDay, { now, timeZone, weekStart }: StepClock): string {
  const today = localTimeOf(now, timeZone).slice(0, 10)
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  const ahead = { today: 0, tomorrow: 1, 'next week': (weekStart - weekday + 7) % 7 || 7 }
  return daysAfter(today, ahead[name])
}

/** The line for what comes next: its words and its day, `YYYY-MM-DD`, or no day. */
export type NextStepInput = { next_title: string; next_day: string }

/** The fields of the line, for the form that it ends. No words mean that nothing is planned. */
export function nextStepFields(timeZone: string) {
  return { next_title: optionalText('The next step', 500), next_day: dueFields(timeZone).due_date }
}

/** The line on its own, where there must be words. */
export function nextStepSchema(timeZone: string) {
  return z.object(nextStepFields(timeZone)).refine(({ next_title }) => next_title !== null, {
    path: ['next_title'],
    error: 'Enter the next step.',
  })
}

export type NextStep = { title: string } & Due

/** The task that a line plans: due on the whole day; null without words. */
export function nextStepOf(
  { next_title, next_day }: { next_title: string | null; next_day: string },
  timeZone: string,
): NextStep | null {
  if (next_title === null) return null
  if (next_day === '') return { title: next_title, due_date: null, due_all_day: false }
  return { title: next_title, due_date: dayEnd(next_day, timeZone), due_all_day: true }
}
