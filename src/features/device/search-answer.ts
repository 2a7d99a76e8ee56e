import { contactName } from '#domain/contact.ts'
import { matcher, rankOf } from '#domain/device-contacts.ts'
import { fold } from '#domain/fold.ts'
import type { Recalled } from '#lib/device-answers.ts'
import { deviceStore } from '#lib/device-store.ts'
import type { Asked, Card } from './asked.ts'
import { rowsFound } from './contact-answers.ts'
import { contactsOf, loadList } from './kept-data.ts'

const mostHits = 20

/** Whatever typed words find. */
export async function search(account: string, { words = '' }: Asked): Promise<Recalled | null> {
  const kept = await contactsOf(account)
  if (!kept) return null
  if (words.trim() === '') return { answer: [], at: kept.at }
  const matches = matcher(words)
  const store = deviceStore(account)
  const [deals, tasks] = await Promise.all([loadList(store, 'deals'), loadList(store, 'tasks')])
  const contacts = rowsFound(kept, words).map(
    ([id, first_name, last_name, email, phone_number, , about]) => {
      const title = contactName({ first_name, last_name })
      return { kind: 'contacts', id, title, about, email, phone_number }
    },
  )
  const foundDeals = (deals?.rows as Card[] | undefined)
    ?.filter(({ name }) => matches(fold(`${name}`)))
    .map(({ id, name, company_name, value, currency, stage_name }) => {
      const about = company_name ?? null
      return { kind: 'deals', id, title: `${name}`, about, value, currency, stage: stage_name }
    })
  const foundTasks = (tasks?.rows as Card[] | undefined)
    ?.filter(({ title }) => matches(fold(`${title}`)))
    .map(({ id, title, due_date, completed }) => {
      return { kind: 'tasks', id, title: `${title}`, about: null, due_date, completed }
    })
  const hits = [...contacts, ...(foundDeals ?? []), ...(foundTasks ?? [])]
    .map((hit) => ({ ...hit, rank: rankOf(hit.title, words) }))
    .sort((one, other) => one.rank - other.rank)
  return { answer: hits.slice(0, mostHits), at: kept.at }
}
