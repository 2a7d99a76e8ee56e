import { dayOf } from '#domain/dates.ts'
import { fold } from '#domain/fold.ts'
import type { Recalled } from '#lib/device-answers.ts'
import { type Asked, type Card, holds, isSame, knownFilter } from './asked.ts'
import { loadList } from './kept-data.ts'

/** Answers with the tasks of the next days that a filter lets through. */
export async function ofTasks(
  account: string,
  { filter = {} }: Asked,
  answer: (rows: Card[]) => unknown,
): Promise<Recalled | null> {
  const keys = ['search', 'ids', 'status', 'contact', 'company', 'deal', 'priority', 'at']
  const wanted = knownFilter(filter, [...keys, 'due_from', 'due_to', 'time_zone'])
  const kept = await loadList(account, 'tasks')
  if (!wanted || !kept || wanted.status === 'completed') return null
  const now = Date.now()
  const words = fold(`${wanted.search ?? ''}`)
  const timeZone = typeof wanted.time_zone === 'string' ? wanted.time_zone : 'UTC'
  const rows = (kept.rows as Card[]).filter((task) => {
    const due = task.due_date ? Date.parse(`${task.due_date}`) : null
    const day = due === null ? '' : dayOf(due, timeZone)
    return (
      fold(`${task.title}`).includes(words) &&
      holds(wanted.ids, task.id) &&
      holds(wanted.priority, task.priority) &&
      isSame(wanted.contact, task.contact_id) &&
      isSame(wanted.company, task.company_id) &&
      isSame(wanted.deal, task.deal_id) &&
      (wanted.status !== 'overdue' || (due !== null && due < now)) &&
      (wanted.status !== 'unplanned' || due === null || due < now) &&
      (wanted.due_from === undefined || (day !== '' && day >= `${wanted.due_from}`)) &&
      (wanted.due_to === undefined || (day !== '' && day <= `${wanted.due_to}`))
    )
  })
  return { answer: answer(rows), at: kept.at }
}
