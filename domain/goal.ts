import { typedMoney } from './amount.ts'
import { counted } from './counted.ts'
import { formatter } from './dates.ts'

/** What the database's `goal_progress` tells. */
export type GoalProgress = { today: string; last_day: string; won: string; deals: number }

const largest = 999_999_999_999

/** The amount of a typed goal, in cents at the finest; null where it is none. */
export function goalOf(typed: string): number | null {
  const amount = typedMoney(typed)
  if (amount === null) return null
  const rounded = Math.round(amount * 100) / 100
  return rounded > 0 && rounded <= largest ? rounded : null
}

/** How far it is, and the days that are left with today among them. */
export function goalWords(goal: number, { won, today, last_day }: GoalProgress) {
  const percent = Math.floor((Number(won) / goal) * 100)
  const days = Math.round((Date.parse(last_day) - Date.parse(today)) / 86_400_000) + 1
  return {
    percent,
    left:
      percent >= 100 ? `${percent}% · Goal reached` : `${percent}% · ${counted(days, 'day')} left`,
  }
}

/** 'November'. */
export function monthOfGoal(day: string): string {
  return formatter('en-US', { month: 'long', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))
}
