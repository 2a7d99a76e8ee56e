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

/** How long the name is with which the searched text of a row begins. */
export function nameLength([, first, last]: DeviceRow): number {
  const name = [first, last].filter(Boolean).join(' ')
  // Folding a hundred thousand names takes as long as all else.
  return /^[ -~]*$/.test(name) ? name.length : fold(name).length
}

/** The least digits that are looked up as a number. */
const leastDigits = 3

function wantedIn(typed: string): { words: string[]; number: string } {
  const digits = /^[\d\s()+./-]+$/.test(typed) ? digitsIn(typed) : ''
  return {
    words: fold(typed).split(/\s+/).filter(Boolean),
    // In a number of a country the zero before the area falls away.
    number: digits.length >= leastDigits ? digits.replace(/^0+/, '') : '',
  }
}

/** Whether a text holds everything that was typed: each word, or a number however it is written. */
export function matcher(typed: string): (text: string) => boolean {
  const { words, number } = wantedIn(typed)
  return (text) =>
    words.every((word) => text.includes(word)) || (number !== '' && text.includes(number))
}

/** The texts of many rows in one, which is searched several times as fast as one after the other. */
export type SearchIndex = { text: string; starts: number[] }

export function searchIndex(texts: readonly string[]): SearchIndex {
  const starts: number[] = []
  let length = 0
  for (const text of texts) {
    starts.push(length)
    length += text.length + 1
  }
  return { text: texts.join('\n'), starts }
}

/** The places of the rows that hold everything that was typed. */
export function foundIn({ text, starts }: SearchIndex, typed: string): number[] {
  const { words, number } = wantedIn(typed)
  const rarest = rarestOf(words, text.slice(0, sampleLength))
  // Where one word was typed, it is found where it was looked for.
  const byWords = rowsWith(rarest, words.length > 1 ? matcher(typed) : null)
  if (number === '' || number === rarest) return byWords
  const all = new Set([...byWords, ...rowsWith(number, null)])
  return [...all].sort((one, other) => one - other)

  function rowsWith(needle: string, matches: ((row: string) => boolean) | null): number[] {
    const places: number[] = []
    let at = needle === '' ? -1 : text.indexOf(needle)
    let place = 0
    while (at >= 0) {
      place = rowAt(starts, at, place)
      const end = starts[place + 1] ?? text.length + 1
      if (!matches || matches(text.slice(starts[place], end - 1))) places.push(place)
      at = text.indexOf(needle, end)
    }
    return places
  }
}

/** So many characters tell which of the words is rare. */
const sampleLength = 50_000

/** The word with which the fewest rows are looked at. */
function rarestOf(words: readonly string[], sample: string): string {
  if (words.length < 2) return words[0] ?? ''
  const counted = words.map((word) => ({ word, count: sample.split(word).length }))
  counted.sort((one, other) => one.count - other.count || other.word.length - one.word.length)
  return counted[0]?.word ?? ''
}

/** The row in whose text a position lies, which is not before `from`: mostly it is the next one. */
function rowAt(starts: readonly number[], position: number, from: number): number {
  for (let place = from; place < from + 4; place += 1) {
    if (position < (starts[place + 1] ?? Number.POSITIVE_INFINITY)) return place
  }
  let [low, high] = [from, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Of the rows that hold everything that was typed, the first ones by the rank of their names, and then by their places.
 * As `rankOf`, but without folding each name once more.
 */
export function bestIn(
  index: SearchIndex,
  nameLengths: readonly number[],
  typed: string,
  most: number,
): { place: number; rank: number }[] {
  const { text, starts } = index
  const wanted = fold(typed.trim())
  const byRank: number[][] = [[], [], [], []]
  let inside = -1
  for (const place of foundIn(index, typed)) {
    const start = starts[place] ?? 0
    const length = nameLengths[place] ?? 0
    // Enough begin so: only what is called so comes before them.
    if (byRank[1]?.length === most && length !== wanted.length) continue
    const end = start + length - wanted.length
    const isFirst = end >= start && text.startsWith(wanted, start)
    if (!isFirst && inside < start) {
      const next = text.indexOf(` ${wanted}`, start)
      inside = next < 0 ? text.length : next
    }
    const rank = isFirst ? (length === wanted.length ? 0 : 1) : inside < end ? 2 : 3
    const same = byRank[rank]
    if (same && same.length < most) same.push(place)
    if (byRank[0]?.length === most) break
  }
  return byRank.flatMap((places, rank) => places.map((place) => ({ place, rank }))).slice(0, most)
}

/** 0 is called so, 1 begins so, 2 has a word that begins so, 3 holds it. */
export function rankOf(title: string, typed: string): number {
  const name = fold(title)
  const wanted = fold(typed.trim())
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  return name.includes(` ${wanted}`) ? 2 : 3
}
