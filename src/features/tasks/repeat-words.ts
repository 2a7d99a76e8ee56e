import type { Task } from './queries.ts'

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** 'Weekly on Mon, Fri', '3 days after completion'. */
export function repeatInWords({
  repeat,
  repeat_days,
  repeat_every,
}: Pick<Task, 'repeat' | 'repeat_days' | 'repeat_every'>): string {
  if (repeat === 'weekly') {
    return `Weekly on ${(repeat_days ?? []).map((day) => days[day]).join(', ')}`
  }
  if (repeat === 'after') {
    return `${repeat_every} ${repeat_every === 1 ? 'day' : 'days'} after completion`
  }
  return repeat ? repeat.charAt(0).toUpperCase() + repeat.slice(1) : ''
}
