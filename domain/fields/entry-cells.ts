import {
  type AddressPart,
  type AnyEntry,
  addressParts,
  blankEntry,
  entriesOf,
  isPostal,
  type ListKind,
  labelShown,
  labelStored,
} from './entries.ts'

const partNames = Object.keys(addressParts) as AddressPart[] // The keys of an object have lost their names.

/**
 * A list as a cell of a file, an entry a line: `ada@example.com (Work)`. Of a postal address all parts are written,
 * `Main Street 1 | 10115 | Berlin |  | Germany (Home)`, so that it is read again as it was.
 */
export function writeEntries(value: unknown): string {
  return entriesOf(value)
    .map((entry) => {
      const text = isPostal(entry)
        ? partNames.map((part) => entry[part].replace(/\s*\n\s*|\s*\|\s*/g, ', ')).join(' | ')
        : entry.value
      return entry.label ? `${text} (${labelShown(entry.label)})` : text
    })
    .join('\n')
}

/** What such a cell says; entries may also be parted by semicolons. */
export function readEntries(kind: ListKind, cell: string): AnyEntry[] {
  const lines = cell.split(kind === 'addresses' ? /\n/ : /\n|;\s+/)
  return lines.flatMap((line) => {
    // A label has letters: what stands in brackets within a phone number has none.
    const [, text = '', label = ''] =
      /^(.*?)(?:\s+\(([^()]*\p{L}[^()]*)\))?$/u.exec(line.trim()) ?? []
    if (text.trim() === '') return []
    if (kind !== 'addresses') return [{ label: labelStored(label), value: text.trim() }]
    const parts = text.split('|').map((part) => part.trim())
    const read = Object.fromEntries(partNames.map((name, place) => [name, parts[place] ?? '']))
    return [{ ...blankEntry('addresses', labelStored(label)), ...read } as AnyEntry] // All its parts are there.
  })
}
