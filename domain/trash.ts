import { counted } from './counted.ts'

const day = 86_400_000

export const daysInTrash = 30

/** '12 days left', 'Less than a day left'. */
export function timeLeft(deletedAt: string, now: number): string {
  const left = Date.parse(deletedAt) + daysInTrash * day - now
  if (left < day) return 'Less than a day left'
  return `${counted(Math.min(daysInTrash, Math.ceil(left / day)), 'day')} left`
}
