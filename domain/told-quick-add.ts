import { localTimeOf } from './local-time.ts'
import type { QuickAdd } from './quick-add-records.ts'
import { usualPriority } from './task.ts'

/** For tests: what was understood, in one line. */
export function told(read: QuickAdd, timeZone = 'Europe/Berlin'): string {
  const { contact, company, deal, task, note, tags, unread } = read
  const at = (moment: string | null | undefined, isDay: boolean) =>
    moment &&
    localTimeOf(moment, timeZone)
      .slice(0, isDay ? 10 : 16)
      .replace('T', ' ')
  const isPlain = !task || task.priority === usualPriority
  return [
    contact &&
      `contact ${Object.entries(contact)
        .filter(([, value]) => value)
        .map(([name, value]) => (name === 'role_title' ? `${value}=role` : value))
        .join(' ')}`,
    company && ['company', company.name, company.website].filter(Boolean).join(' '),
    deal &&
      [
        'deal',
        deal.name,
        deal.value,
        deal.currency,
        deal.expected_close_date && `closing ${deal.expected_close_date}`,
      ]
        .filter((part) => part !== null)
        .join(' '),
    task &&
      [
        `task ${task.title}`,
        at(task.due_date, task.due_all_day),
        isPlain ? null : task.priority,
        task.repeat &&
          [task.repeat, task.repeat_days?.join(''), task.repeat_every].filter(Boolean).join(' '),
      ]
        .filter(Boolean)
        .join(', '),
    note &&
      [note.kind, note.body && `"${note.body}"`, at(note.happened_at, true)]
        .filter(Boolean)
        .join(' '),
    tags.length > 0 && `tags ${tags.join(' ')}`,
    unread.length > 0 && `? ${unread.join(' | ')}`,
  ]
    .filter(Boolean)
    .join('; ')
}
