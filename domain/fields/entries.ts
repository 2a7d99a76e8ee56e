import type { Field, Fields, Kind } from './field.ts'

/** One of several e-mail addresses, phone numbers or links. */
export type Entry = { label: string; value: string }

/** One of several postal addresses. Its parts stand as the database sorts them, so that two compare as texts. */
export type PostalAddress = {
  city: string
  label: string
  region: string
  street: string
  country: string
  postal_code: string
}

export type AnyEntry = Entry | PostalAddress

/** The kinds of fields that hold a list of entries. */
export type ListKind = 'emails' | 'phones' | 'links' | 'addresses'

/** What is stored of each. */
export type EntriesOf<K extends Kind> = K extends 'addresses' ? PostalAddress[] : Entry[]

const listKinds: readonly ListKind[] = ['emails', 'phones', 'links', 'addresses']

/** The most that the database takes of each. */
export const mostEntries = 20

/** The most letters of a label. */
export const longestLabel = 40

/** What one entry is called. */
export const entryNouns: Record<ListKind, string> = {
  emails: 'Email',
  phones: 'Phone',
  links: 'Link',
  addresses: 'Address',
}

/** The parts of a postal address, as one writes it down. */
export const addressParts = {
  street: 'Street',
  postal_code: 'Postal Code',
  city: 'City',
  region: 'State or Region',
  country: 'Country',
} as const

export type AddressPart = keyof typeof addressParts

const partNames = Object.keys(addressParts) as AddressPart[] // The keys of an object have lost their names.

export function isListKind(kind: Kind): kind is ListKind {
  return listKinds.some((list) => list === kind)
}

/** Whether each entry of a list is one text beside its label, so that it can be typed in one line. */
export function isTextList(kind: Kind): kind is Exclude<ListKind, 'addresses'> {
  return isListKind(kind) && kind !== 'addresses'
}

/** The labels that are offered; any other word is one's own. */
export const usualLabels = ['Work', 'Home', 'Mobile', 'Other'] as const

/** A label as it is shown: 'work' as 'Work', an own word as it was typed. */
export function labelShown(label: string): string {
  return usualLabels.find((usual) => usual.toLowerCase() === label.toLowerCase()) ?? label
}

/** A label as it is stored: 'Work' as 'work'. */
export function labelStored(typed: string): string {
  const label = typed.trim()
  return usualLabels.some((usual) => usual.toLowerCase() === label.toLowerCase())
    ? label.toLowerCase()
    : label
}

/** An entry that says nothing yet. */
export function blankEntry(kind: ListKind, label = ''): AnyEntry {
  if (kind !== 'addresses') return { label, value: '' }
  return { city: '', label, region: '', street: '', country: '', postal_code: '' }
}

/** What a record holds under a list; nothing where it is not read yet. */
export function entriesOf(value: unknown): AnyEntry[] {
  return Array.isArray(value) ? value : []
}

export function isPostal(entry: AnyEntry): entry is PostalAddress {
  return 'street' in entry
}

/** The lines of a postal address: 'Main Street 1', '10115 Berlin', 'Germany'. */
export function addressLines(address: PostalAddress): string[] {
  const { street, postal_code, city, region, country } = address
  const place = [postal_code, city].filter(Boolean).join(' ')
  return [street, [place, region].filter(Boolean).join(', '), country].filter(Boolean)
}

/** An entry in one line, without its label. */
export function entryText(entry: AnyEntry): string {
  return isPostal(entry) ? addressLines(entry).join(', ') : entry.value
}

/** The same with its label: 'ada@example.com (work)'. */
export function entryWords(entry: AnyEntry): string {
  return entry.label ? `${entryText(entry)} (${entry.label})` : entryText(entry)
}

/** Entries of the same key are the same, whatever their labels. */
export function entryKey(entry: AnyEntry): string {
  const text = isPostal(entry) ? partNames.map((part) => entry[part]).join('\n') : entry.value
  return text.toLowerCase()
}

/** Whether an entry says nothing but its label. */
export function isBlankEntry(entry: AnyEntry): boolean {
  return entryKey(entry).trim() === ''
}

/** The field whose value is the first of a list, such as `email` of `emails`. */
export function firstOf(fields: Fields, list: string): string | undefined {
  return Object.keys(fields).find((name) => fields[name]?.firstOf === list)
}

/** The fields that are lists, with their names. */
export function listsOf(fields: Fields): [name: string, field: Field & { kind: ListKind }][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { kind } = field
    return isListKind(kind) ? [[name, { ...field, kind }]] : []
  })
}

/** A list with this value first. It keeps the label that it has in the list, and all others their order. */
export function withFirst(entries: readonly AnyEntry[], value: string | null): AnyEntry[] {
  const [first, ...others] = entries
  if (value === null) return others
  const known = entries.find((entry) => entryKey(entry) === value.toLowerCase())
  if (known) return [{ label: known.label, value }, ...entries.filter((entry) => entry !== known)]
  return [{ label: first?.label ?? '', value }, ...others]
}

/**
 * What a form of a record holds, as it is saved: without entries that say nothing. The first entry of a list is typed into
 * a field of its own, and where that is empty the next one comes first.
 */
export function withFirsts<Values extends object>(fields: Fields, values: Values): Values {
  const saved: Record<string, unknown> = Object.fromEntries(Object.entries(values))
  for (const [list] of listsOf(fields)) {
    const first = firstOf(fields, list)
    const [head, ...others] = entriesOf(saved[list])
    const typed = first ? saved[first] : undefined
    const all = first
      ? [{ label: head?.label ?? '', value: typeof typed === 'string' ? typed : '' }, ...others]
      : entriesOf(saved[list])
    const entries = all.filter((entry) => !isBlankEntry(entry))
    saved[list] = entries
    if (first) saved[first] = entries[0] ? entryText(entries[0]) : null
  }
  // The same names: only lists and their first values were put together.
  return saved as Values
}

/** What a write changes of a record, with what the database makes of it: a first value is in its list, too. */
export function withLists<Row extends object, Values extends object>(
  fields: Fields,
  row: Row,
  values: Values,
): Values {
  const changes: Record<string, unknown> = Object.fromEntries(Object.entries(values))
  for (const [list] of listsOf(fields)) {
    const first = firstOf(fields, list)
    if (!first) continue
    if (list in values) {
      const [entry] = entriesOf(Reflect.get(values, list))
      changes[first] = entry ? entryText(entry) : null
    } else if (first in values) {
      const entries = withFirst(
        entriesOf(Reflect.get(row, list)),
        Reflect.get(values, first) as string | null, // What is stored of a text.
      )
      changes[list] = entries
      changes[first] = entries[0] ? entryText(entries[0]) : null
    }
  }
  return changes as Values // As above.
}

/** Where a postal address is on a map; opened only by a click. */
export function mapLink(address: PostalAddress): string {
  const query = new URLSearchParams({ query: entryText(address) })
  return `https://www.openstreetmap.org/search?${query}`
}
