import { daysAfter, localTimeOf } from './local-time.ts'

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
