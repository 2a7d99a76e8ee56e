import { contactName } from '#domain/contact.ts'
import { bestIn, matcher, rankOf } from '#domain/device-contacts.ts'
import { fold } from '#domain/fold.ts'
import type { Recalled } from '#lib/device-answers.ts'
import type { Asked, Card } from './asked.ts'
import { contactsOf, type KeptList, loadList } from './kept-data.ts'

const mostHits = 20

/** Whatever typed words find. */
export async function search(account: string, { words = '' }: Asked): Promise<Recalled | null> {
  // At once: each is a way to the store and back.
  const [kept, deals, tasks] = await Promise.all([
    contactsOf(account),
    loadList(account, 'deals'),
    loadList(account, 'tasks'),
  ])
  if (!kept) return null
  if (words.trim() === '') return { answer: [], at: kept.at }
  const matches = matcher(words)
  const contacts = bestIn(kept.index, kept.nameLengths, words, mostHits).flatMap(
    ({ place, rank }) =>
      kept.rows
        .slice(place, place + 1)
        .map(([id, first_name, last_name, email, phone_number, , about]) => {
          const title = contactName({ first_name, last_name })
          return { kind: 'contacts', id, title, about, email, phone_number, rank }
        }),
  )
  const foundDeals = named(deals, 'name')
    .filter(({ folded }) => matches(folded))
    .map(({ card: { id, name, company_name, value, currency, stage_name } }) => {
      const [title, about] = [`${name}`, company_name ?? null]
      const rank = rankOf(title, words)
      return { kind: 'deals', id, title, about, value, currency, stage: stage_name, rank }
    })
  const foundTasks = named(tasks, 'title')
    .filter(({ folded }) => matches(folded))
    .map(({ card: { id, title, due_date, completed } }) => {
      const rank = rankOf(`${title}`, words)
      return { kind: 'tasks', id, title: `${title}`, about: null, due_date, completed, rank }
    })
  const hits = [...contacts, ...foundDeals, ...foundTasks].sort(
    (one, other) => one.rank - other.rank,
  )
  return { answer: hits.slice(0, mostHits), at: kept.at }
}

type Named = { card: Card; folded: string }

const namesOf = new WeakMap<KeptList, Named[]>()

/** The cards of a list with what they are found by, folded once. */
function named(list: KeptList | null, field: string): Named[] {
  if (!list) return []
  const known = namesOf.get(list)
  if (known) return known
  const cards = (list.rows as Card[]).map((card) => ({ card, folded: fold(`${card[field]}`) }))
  namesOf.set(list, cards)
  return cards
}
