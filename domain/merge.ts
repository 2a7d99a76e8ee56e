import { z } from 'zod/mini'
import { counted } from './counted.ts'
import { changeAt, valueAt } from './fields/field.ts'
import { plainWords } from './plain-words.ts'

/** Counts of the records linked to a record. */
const linked = z.object({
  contacts: z.optional(z.number()),
  deals: z.number(),
  tasks: z.number(),
  notes: z.number(),
  collections: z.optional(z.number()),
})

export type Linked = z.output<typeof linked>

/** A record that may be merged with others of its kind. */
export const mergeable = z.object({
  id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  linked,
})

export type Mergeable = z.output<typeof mergeable>

/** A field of a record in a merge. */
export type MergeField = {
  /** Its column. */
  name: string
  label: string
  /** The formatted value; empty for none. */
  shown: (row: object) => string
  /** Which value to take where the kept record has none: the longest, or the one changed last. */
  prefers: 'fullest' | 'newest'
  /** The default value, which counts as none. */
  usual?: string
  /** The label of values that were not chosen, in the notes; null where they are kept beside the chosen one. */
  kept: string | null
}

/** For each field the id of the record whose value is taken. */
export type Choice = Record<string, string>

const newestFirst = (one: Mergeable, other: Mergeable) =>
  Date.parse(other.updated_at) - Date.parse(one.updated_at)

/** The record to keep: the one with most linked records, then the oldest. */
export function recordToKeep(rows: Mergeable[]): string {
  const [first] = rows.toSorted(
    (one, other) =>
      total(other.linked) - total(one.linked) ||
      Date.parse(one.created_at) - Date.parse(other.created_at),
  )
  return first?.id ?? ''
}

function total(linked: Linked): number {
  return Object.values(linked).reduce((sum, count) => sum + count, 0)
}

/**
 * The initial choice: values of the kept record, and where it has none, of another (see `prefers`).
 */
export function presetChoice(fields: MergeField[], rows: Mergeable[], keep: string): Choice {
  return Object.fromEntries(fields.map((field) => [field.name, presetFor(field, rows, keep)]))
}

function presetFor({ shown, prefers, usual }: MergeField, rows: Mergeable[], keep: string): string {
  const filled = rows.filter((row) => shown(row) !== '' && shown(row) !== usual)
  if (filled.length === 0 || filled.some(({ id }) => id === keep)) return keep
  const [best] = filled
    .toSorted(newestFirst)
    .toSorted((one, other) => (prefers === 'fullest' ? shown(other).length - shown(one).length : 0))
  return best?.id ?? keep
}

/** Whether all records have the same value. */
export function isAgreed({ shown }: MergeField, rows: object[]): boolean {
  return new Set(rows.map(shown)).size <= 1
}

/** The changes to the kept record, for the database. */
export function mergeChanges(
  fields: MergeField[],
  rows: Mergeable[],
  keep: string,
  choice: Choice,
): Record<string, unknown> {
  const kept = rows.find(({ id }) => id === keep)
  const changes: Record<string, unknown> = {}
  for (const { name } of fields) {
    const from = rows.find(({ id }) => id === choice[name])
    if (!from || !kept) continue
    const value = valueAt(from, name)
    if (JSON.stringify(value) === JSON.stringify(valueAt(kept, name))) continue
    // The user's own fields are changed together, those without a value by null.
    for (const [column, change] of Object.entries(changeAt(name, value ?? null))) {
      changes[column] = column === name ? value : { ...Object(changes[column]), ...Object(change) }
    }
  }
  return changes
}

/**
 * The values that would be lost because another was chosen, a line for each field: 'Other email: ada@example.org'.
 * Values that differ only by capitals, spaces or punctuation are the same.
 */
export function lostLines(fields: MergeField[], rows: Mergeable[], choice: Choice): string[] {
  return fields.flatMap(({ name, shown, kept, usual }) => {
    const chosen = rows.find(({ id }) => id === choice[name])
    const known = [chosen ? shown(chosen) : '']
    const lost: string[] = []
    for (const row of rows) {
      const value = shown(row).trim()
      if (value === '' || value === usual || known.some((each) => isSameValue(each, value)))
        continue
      known.push(value)
      lost.push(value)
    }
    if (lost.length === 0 || kept === null) return []
    // Paragraphs need more than commas between them.
    const isLong = lost.some((value) => value.includes('\n') || value.length > 80)
    return isLong ? lost.map((value) => `${kept}:\n${value}`) : [`${kept}: ${lost.join(', ')}`]
  })
}

/** Whether two values differ by nothing but capitals, spaces and punctuation, or are the same phone number. */
export function isSameValue(one: string, other: string): boolean {
  if (isPhone(one) && isPhone(other)) return isSameNumber(digits(one), digits(other))
  return plainWords(one) === plainWords(other)
}

const isPhone = (value: string) => /^\+?[\d\s()./-]+$/.test(value)
const digits = (value: string) => value.replace(/\D/g, '').replace(/^0+/, '')

/** Compares phone numbers with and without the country code; different codes are different numbers. */
function isSameNumber(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 7 && long.endsWith(short)
}

/** Appends the lost values to a text. */
export function withLost(text: string | null, lines: string[]): string {
  return [text, ...lines].filter(Boolean).join('\n\n')
}

const words: [name: keyof Linked, one: string][] = [
  ['contacts', 'contact'],
  ['deals', 'deal'],
  ['tasks', 'task'],
  ['notes', 'note'],
  ['collections', 'collection'],
]

/** '2 tasks, 1 deal and 3 notes', or nothing. */
export function linkedWords(linked: Linked[]): string {
  const parts = words.flatMap(([name, one]) => {
    const count = linked.reduce((sum, each) => sum + (each[name] ?? 0), 0)
    return count > 0 ? [counted(count, one)] : []
  })
  const last = parts.pop() ?? ''
  return parts.length > 0 ? `${parts.join(', ')} and ${last}` : last
}
