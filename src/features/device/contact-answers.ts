import { deviceCard } from '#domain/device-card.ts'
import { type DeviceRow, foundIn } from '#domain/device-contacts.ts'
import { contactOrder, contactSorts } from '#domain/fields/contacts.ts'
import type { Recalled } from '#lib/device-answers.ts'
import { type Asked, holds, isNot, isSame, knownFilter, pageOf } from './asked.ts'
import { contactsOf, type KeptContacts } from './kept-data.ts'

type FoundContacts = { rows: DeviceRow[]; kept: KeptContacts }

/** Those that a filter lets through; null where it asks for more than the device knows. */
export async function contactsFound(
  account: string,
  { filter = {} }: Asked,
): Promise<FoundContacts | null> {
  const keys = ['search', 'ids', 'except', 'company', 'lead_status', 'has_email', 'has_phone']
  const wanted = knownFilter(filter, keys)
  const kept = await contactsOf(account)
  if (!wanted || !kept) return null
  const found = wanted.search ? rowsFound(kept, `${wanted.search}`) : kept.rows
  const rows = found.filter(
    ([id, , , email, phone, company, , , status]) =>
      holds(wanted.ids, id) &&
      isNot(wanted.except, id) &&
      isSame(wanted.company, company) &&
      holds(wanted.lead_status, status) &&
      isSame(wanted.has_email, wanted.has_email === undefined ? undefined : email !== null) &&
      isSame(wanted.has_phone, wanted.has_phone === undefined ? undefined : phone !== null),
  )
  return { rows, kept }
}

/** The list whose pages were asked for last: a hundred thousand contacts take a second to order. */
let lastOrdered: { asked: string; kept: KeptContacts; rows: DeviceRow[] } | null = null

/** A page of the list of contacts. */
export async function contactPage(account: string, asked: Asked): Promise<Recalled | null> {
  const found = await contactsFound(account, asked)
  if (!found) return null
  const { kept } = found
  const list = JSON.stringify([asked.filter, asked.sort, asked.descending])
  if (lastOrdered?.kept !== kept || lastOrdered.asked !== list)
    lastOrdered = { asked: list, kept, rows: inOrder(found.rows, asked) }
  const { rows, next } = pageOf(lastOrdered.rows, asked, ([id]) => id)
  return { answer: { rows: rows.map(deviceCard), next }, at: kept.at }
}

function inOrder(rows: DeviceRow[], { sort, descending }: Asked): DeviceRow[] {
  // A sort by a field that the device does not keep becomes one by creation.
  const known = ['created', 'name', 'email', 'phone', 'company', 'lead_status'] as const
  const by = known.find((each) => each === sort && contactSorts.includes(each)) ?? 'created'
  const compare = contactOrder(by, by === sort ? (descending ?? false) : true)
  return rows
    .map((row) => ({ ...sortable(row), row }))
    .sort(compare as (one: { id: string }, other: { id: string }) => number)
    .map(({ row }) => row)
}

/** Those that typed words find. */
function rowsFound({ rows, index }: KeptContacts, typed: string): DeviceRow[] {
  return foundIn(index, typed).flatMap((place) => rows.slice(place, place + 1))
}

function sortable(row: DeviceRow) {
  const [id, first_name, last_name, email, phone_number, , company_name, , lead_status] = row
  return {
    ...{ id, first_name, last_name, email, phone_number, company_name, lead_status },
    created_at: row[9],
    next_task: null,
  }
}
