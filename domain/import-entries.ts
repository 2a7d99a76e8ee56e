import {
  type AnyEntry,
  addressParts,
  blankEntry,
  type Entry,
  entryKey,
  entryText,
  isBlankEntry,
  type ListKind,
  mostEntries,
  type PostalAddress,
} from './fields/entries.ts'
import { readEntries } from './fields/entry-cells.ts'
import { checkEntry } from './fields/entry-checks.ts'
import { pastedValues } from './fields/pasted-entries.ts'
import { addressesIn } from './import-emails.ts'
import { type ListColumn, labelAt } from './import-lists.ts'
import { cellValues } from './import-values.ts'
import { foldHeader } from './known-headers.ts'

/** The entries that a row says, and texts that no entry can hold, each after its name. */
export type RowEntries = { entries: AnyEntry[]; rest: string[] }

/** An e-mail address of a row: what it is called, and who it is said to belong to. */
type Mail = Entry & { name: string }

function cellsIn(columns: ListColumn[], row: string[]): (ListColumn & { text: string })[] {
  return columns.flatMap((column) => {
    const text = (row[column.place] ?? '').trim()
    return text === '' ? [] : [{ ...column, label: labelAt(column, row), text }]
  })
}

/** The entries of a list, each once; of the same that is said twice, the label counts that is there. */
function united<E extends Entry>(entries: E[]): E[] {
  const found = new Map<string, E>()
  for (const entry of entries) {
    const before = found.get(entryKey(entry))
    if (!before) found.set(entryKey(entry), entry)
    else if (before.label === '') found.set(entryKey(entry), { ...before, label: entry.label })
  }
  return [...found.values()]
}

/** All e-mail addresses of a row. */
export function mailsIn(columns: ListColumn[], row: string[]): Mail[] {
  const cells = cellsIn(columns, row)
  return united(
    cells.flatMap(({ field, text, label: reported }) => {
      // In a list the brackets hold the label, and elsewhere a name.
      const parts = field === 'emails' ? readEntries('emails', text) : [{ label: '', value: text }]
      return parts.flatMap((part) =>
        addressesIn(entryText(part)).map(({ email, name }) => ({
          label: part.label || reported,
          value: email,
          name,
        })),
      )
    }),
  )
}

/** All phone numbers of a row. */
export function phonesIn(columns: ListColumn[], row: string[]): Entry[] {
  const cells = cellsIn(columns, row)
  return united(
    cells.flatMap(({ field, text, label }) => {
      const values = cellValues(text).flatMap((value) => {
        const several = pastedValues('phones', value)
        return several.length > 0 ? several : [value]
      })
      if (field === 'phone_number') return values.map((value) => ({ label, value }))
      return readEntries('phones', values.join('\n')).map((entry) => ({
        label: entry.label || label,
        value: entryText(entry),
      }))
    }),
  )
}

/** The links of a row. */
export function linksIn(columns: ListColumn[], row: string[]): RowEntries {
  const cells = cellsIn(columns, row)
  const all = cells.flatMap(({ text, label, header }) => {
    const isList = foldHeader(header) === 'links'
    const values = text.split(/\n| ::: |[\s,;]+(?=https?:)/i).filter((value) => value.trim() !== '')
    return values.map((value) => {
      const [entry = { label, value }] = isList ? readEntries('links', value) : []
      return { label: entry.label || label, value: entryText(entry).trim(), header }
    })
  })
  const links = united(all.filter(({ value }) => isLink(value)))
  const fitting = split('links', links)
  const others = [...all.filter(({ value }) => !isLink(value)), ...fitting.rest]
  return {
    entries: fitting.entries.map(({ label, value }) => ({ label, value })),
    rest: others.map(({ header, value }) => `${header}: ${value}`),
  }
}

/** What a browser would open: not a name in a network, such as `@ada`. */
export function isLink(text: string): boolean {
  return /^(?:https?:\/\/\S+|[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,24}(?:[/?#:]\S*)?)$/iu.test(
    text,
  )
}

const checks = {
  emails: checkEntry('emails'),
  phones: checkEntry('phones'),
  links: checkEntry('links'),
  addresses: checkEntry('addresses'),
}

/** The entries of a list that can be stored, and the others. */
export function split<E extends AnyEntry>(
  kind: ListKind,
  entries: E[],
): { entries: E[]; rest: E[] } {
  const fits = entries
    .filter((entry) => checks[kind].safeParse(entry).success)
    .slice(0, mostEntries)
  return { entries: fits, rest: entries.filter((entry) => !fits.includes(entry)) }
}

/** The postal addresses of a row: the columns of one group are one address. */
export function addressesOf(columns: ListColumn[], row: string[]): RowEntries {
  const cells = cellsIn(columns, row)
  const groups = new Set(cells.map(({ group }) => group))
  const read = [...groups].map((one) => addressOf(cells.filter(({ group }) => group === one)))
  const found = new Map(
    read
      .flatMap(({ entries }) => entries)
      .filter((entry) => !isBlankEntry(entry))
      .toReversed()
      .map((entry) => [entryKey(entry), entry]),
  )
  const fitting = split('addresses', [...found.values()].toReversed())
  return {
    entries: fitting.entries,
    rest: [
      ...read.flatMap(({ rest }) => rest),
      ...fitting.rest.map((entry) => `Address: ${entryText(entry)}`),
    ],
  }
}

function addressOf(cells: (ListColumn & { text: string })[]): RowEntries {
  const parts = cells.filter(({ part }) => part !== 'whole')
  const wholes = cells.filter(({ part }) => part === 'whole')
  const [{ label } = { label: '' }] = cells
  // `blankEntry` makes an address of this kind.
  const address = blankEntry('addresses', label) as PostalAddress
  for (const { part, text } of parts) {
    if (part !== 'whole') address[part] = [address[part], text].filter(Boolean).join(', ')
  }
  const reported = new Set(
    wordsIn(Object.keys(addressParts).map((part) => Reflect.get(address, part))),
  )
  const others = wholes.filter(({ text }) => wordsIn([text]).some((word) => !reported.has(word)))
  if (parts.length === 0) {
    return { entries: wholes.flatMap(({ text, label: of }) => wholeAddresses(text, of)), rest: [] }
  }
  return { entries: [address], rest: others.map(({ header, text }) => `${header}: ${text}`) }
}

/** Addresses in one text: as we write them to files, or as one writes them down. */
function wholeAddresses(text: string, label: string): AnyEntry[] {
  const isOurs = text.split('\n').every((line) => line.split('|').length === 5)
  if (!isOurs) return [{ ...blankEntry('addresses', label), street: text }]
  return readEntries('addresses', text).map((entry) => ({ ...entry, label: entry.label || label }))
}

function wordsIn(texts: string[]): string[] {
  return (
    texts
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{M}\d]+/gu) ?? []
  )
}
