import { type Field, type Fields, fieldOf, isField, valueAt } from './field.ts'

/** What a row is sorted by; null where it lacks it. */
export type SortKey = string | number | null

/**
 * The order of a list, as the database has it: see `private.list_orders`. `special` are the keys of what no
 * single column tells.
 */
export function listOrder<Row extends { id: string }>(
  fields: Fields,
  sort: string,
  descending: boolean,
  special: Record<string, (row: Row) => SortKey> = {},
): (one: Row, other: Row) => number {
  // A field of the user's own may have been deleted since the list was read.
  if (!isField(fields, sort)) return byKey(() => null, descending)
  const { name, field } = fieldOf(fields, sort)
  const told = (row: Row) => sortKey(field, valueAt(row, field.at ?? name))
  return byKey(special[sort] ?? told, descending)
}

/** What rows are sorted by, as the kind of the field wants it. */
function sortKey({ kind, choices = [] }: Field, value: unknown): SortKey {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 0 : 1
  if (Array.isArray(value)) return placesOf(choices, value)
  if (typeof value !== 'string') return null
  if (kind === 'moment') return momentKey(value)
  // Month and day.
  if (kind === 'birthday') return value.slice(-5)
  if (kind === 'choice') return choices.indexOf(value)
  if (kind === 'phone' || kind === 'day') return value
  // As much of a long text as the database's order looks at.
  return lower(kind === 'long text' ? Array.from(value).slice(0, 100).join('') : value)
}

/** Several choices sort by the places of their options, the first one first. */
function placesOf(choices: readonly string[], chosen: unknown[]): SortKey {
  const places = choices.flatMap((choice, place) => (chosen.includes(choice) ? place + 1 : []))
  return places.map((place) => String(place).padStart(3, '0')).join('') || null
}

/**
 * Rows in the order of the database's lists: by a key, then by id in the same direction; those that lack the
 * key come last in either direction.
 */
export function byKey<Row extends { id: string }>(
  key: (row: Row) => SortKey,
  descending: boolean,
): (one: Row, other: Row) => number {
  // A sort compares each row many times, and its key costs more than the comparison.
  const keys = new WeakMap<Row, SortKey>()
  function keyOf(row: Row): SortKey {
    const known = keys.get(row)
    if (known !== undefined) return known
    const made = key(row)
    keys.set(row, made)
    return made
  }
  return (one, other) => {
    const a = keyOf(one)
    const b = keyOf(other)
    if (a === null || b === null) {
      const order = Number(a === null) - Number(b === null)
      if (order !== 0) return order
    }
    const order = compareKeys(a, b) || compareTexts(one.id, other.id)
    return descending ? -order : order
  }
}

function compareKeys(one: SortKey, other: SortKey): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return compareTexts(String(one), String(other))
}

/** By code points, as the embedded database compares texts. */
function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let place = 0; place < length; place++) {
    const difference = rank(one.charCodeAt(place)) - rank(other.charCodeAt(place))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Half of a pair means a code point beyond all that have one unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** A text without capitals, each letter by itself: the database knows no form of a letter that ends a word. */
export function lower(text: string): string {
  return Array.from(text, (letter) =>
    String.fromCodePoint(letter.toLowerCase().codePointAt(0) ?? 0),
  ).join('')
}

/** A moment in microseconds, as exact as the database keeps it. */
export function momentKey(moment: string): number {
  const [, fraction = ''] = /\.(\d+)/.exec(moment) ?? []
  return Date.parse(moment) * 1000 + Number(fraction.padEnd(6, '0').slice(3, 6))
}
