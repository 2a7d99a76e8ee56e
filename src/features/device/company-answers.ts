import { companyFields } from '#domain/fields/companies.ts'
import { unfilledRow } from '#domain/fields/row.ts'
import { fold } from '#domain/fold.ts'
import type { Recalled } from '#lib/device-answers.ts'
import { type Asked, holds, knownFilter, pageOf } from './asked.ts'
import { contactsOf, type KeptContacts } from './kept-data.ts'

/** A field that chooses a company asks for at most this many; only the list of companies asks for more. */
const mostChoices = 20

const unknown = unfilledRow(companyFields)

/**
 * Companies to choose one from: those that the contacts on this device work for. The list of companies is not answered,
 * because it would look whole.
 */
export async function companyChoices(account: string, asked: Asked): Promise<Recalled | null> {
  const wanted = knownFilter(asked.filter ?? {}, ['search', 'ids'])
  const kept = await contactsOf(account)
  if (!wanted || !kept || (asked.page_size ?? mostChoices + 1) > mostChoices) return null
  const words = fold(`${wanted.search ?? ''}`).split(/\s+/)
  const found = companiesOf(kept).filter(
    ({ id, folded }) => holds(wanted.ids, id) && words.every((word) => folded.includes(word)),
  )
  // An unknown id proves nothing: the company may exist without a contact on this device.
  if (wanted.ids && found.length === 0) return null
  const { rows, next } = pageOf(found, asked, ({ id }) => id)
  return { answer: { rows: rows.map(card), next }, at: kept.at }
}

type Known = { id: string; name: string; folded: string; at: string }

const known = new WeakMap<KeptContacts, Known[]>()

/** By name; of a hundred thousand contacts they are collected once. */
function companiesOf(kept: KeptContacts): Known[] {
  const before = known.get(kept)
  if (before) return before
  const byId = new Map<string, Known>()
  for (const [, , , , , id, name, , , at] of kept.rows)
    if (id && name && !byId.has(id)) byId.set(id, { id, name, folded: fold(name), at })
  const companies = [...byId.values()].sort((one, other) => (one.folded < other.folded ? -1 : 1))
  known.set(kept, companies)
  return companies
}

function card({ id, name, at }: Known) {
  const stamps = { created_at: at, updated_at: at }
  return { ...unknown, id, name, ...stamps, custom: {}, contacts: 0, open_deals: 0, deals: 0 }
}
