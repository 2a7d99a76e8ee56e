import { z } from 'zod/mini'
import { counted } from './counted.ts'
import { valueAt } from './fields/field.ts'
import { plainWords } from './plain-words.ts'

/** What hangs on a record, counted. */
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

/** A field of a record, as it is chosen when several become one. */
export type MergeField = {
  /** Its column. */
  name: string
  label: string
  /** What a person reads; empty when there is nothing. */
  shown: (row: object) => string
  /** Where the kept record lacks it, of two others: the longer value, or the one changed last. */
  prefers: 'fullest' | 'newest'
  /** What every new record has: as good as no value. */
  usual?: string
  /** What stands before values that were not chosen, where they are kept as text. */
  kept: string
}

/** Which record each field is taken from, by its id. */
export type Choice = Record<string, string>

const newestFirst = (one: Mergeable, other: Mergeable) =>
  Date.parse(other.updated_at) - Date.parse(one.updated_at)

/** The record that is best kept: the one that most hangs on, then the oldest. */
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
 * Of each field, the record it is taken from unless the user says otherwise: the kept one. Only what
 * that one lacks comes from another: see `prefers`.
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

/** True when all of them say the same: there is nothing to choose. */
export function isAgreed({ shown }: MergeField, rows: object[]): boolean {
  return new Set(rows.map(shown)).size <= 1
}

/** The values of the kept record that become others, as the database takes them. */
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
    if (value !== valueAt(kept, name)) changes[name] = value
  }
  return changes
}

/**
 * What would vanish because another value was chosen, a line for each field: 'Other email:
 * ada@example.org'. Values that differ by capitals, spaces or marks alone are the same.
 */
export function lostLines(fields: MergeField[], rows: Mergeable[], choice: Choice): string[] {
  return fields.flatMap(({ name, shown, kept, usual }) => {
    const chosen = rows.find(({ id }) => id === choice[name])
    const known = [chosen ? shown(chosen) : '']
    const lost: string[] = []
    for (const row of rows) {
      const value = shown(row).trim()
      if (value === '' || value === usual || known.some((each) => isSame(each, value))) continue
      known.push(value)
      lost.push(value)
    }
    if (lost.length === 0) return []
    // Whole paragraphs would not be told apart by commas.
    const isLong = lost.some((value) => value.includes('\n') || value.length > 80)
    return isLong ? lost.map((value) => `${kept}:\n${value}`) : [`${kept}: ${lost.join(', ')}`]
  })
}

function isSame(one: string, other: string): boolean {
  if (isPhone(one) && isPhone(other)) return isSameNumber(digits(one), digits(other))
  return plainWords(one) === plainWords(other)
}

const isPhone = (value: string) => /^\+?[\d\s()./-]+$/.test(value)
const digits = (value: string) => value.replace(/\D/g, '').replace(/^0+/, '')

/** With or without the code of the country, it is the same number; with another code it is not. */
function isSameNumber(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 7 && long.endsWith(short)
}

/** A text with what would be lost below it. */
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
