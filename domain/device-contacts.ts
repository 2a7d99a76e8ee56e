import { fold } from './fold.ts'

type Entry = { label: string; value: string }

/** A contact as the device keeps it: see the database's `private.device_contact`. */
export type DeviceRow = [
  id: string,
  first_name: string | null,
  last_name: string | null,
  email: string | null,
  phone_number: string | null,
  company_id: string | null,
  company_name: string | null,
  role_title: string | null,
  lead_status: string,
  created_at: string,
  emails: Entry[] | null,
  phones: Entry[] | null,
]

/** How many contacts one part of the store holds. */
export const partSize = 1000

const idOf = ([id]: DeviceRow) => id

/** Contacts in parts, each ordered by id; `starts` are the first ids of the parts. */
export function partOf(starts: readonly string[], id: string): number {
  let place = 0
  for (let next = 1; next < starts.length && (starts[next] ?? '') <= id; next += 1) place = next
  return place
}

/** A part after contacts were changed, added or deleted. */
export function changedPart(
  part: readonly DeviceRow[],
  rows: readonly DeviceRow[],
  gone: ReadonlySet<string>,
): DeviceRow[] {
  const byId = new Map(part.map((row) => [idOf(row), row]))
  for (const row of rows) byId.set(idOf(row), row)
  for (const id of gone) byId.delete(id)
  return [...byId.values()].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
}

const digitsIn = (text: string) => text.replaceAll(/\D/g, '')

/** What a contact is found by: name, company, e-mails, and the digits of its phone numbers. */
export function searchText(row: DeviceRow): string {
  const [, first, last, email, phone, , company, , , , emails, phones] = row
  const words = [first, last, company, ...(emails ? emails.map(({ value }) => value) : [email])]
  const numbers = phones ? phones.map(({ value }) => value) : [phone]
  return `${fold(words.filter(Boolean).join(' '))} ${numbers.map((each) => digitsIn(each ?? '')).join(' ')}`
}

/** The least digits that are looked up as a number. */
const leastDigits = 3

/** Whether a text holds everything that was typed: each word, or a number however it is written. */
export function matcher(typed: string): (text: string) => boolean {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  const digits = /^[\d\s()+./-]+$/.test(typed) ? digitsIn(typed) : ''
  // In a number of a country the zero before the area falls away.
  const number = digits.length >= leastDigits ? digits.replace(/^0+/, '') : ''
  return (text) =>
    words.every((word) => text.includes(word)) || (number !== '' && text.includes(number))
}

/** 0 is called so, 1 begins so, 2 has a word that begins so, 3 holds it. */
export function rankOf(title: string, typed: string): number {
  const name = fold(title)
  const wanted = fold(typed.trim())
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  return name.includes(` ${wanted}`) ? 2 : 3
}
