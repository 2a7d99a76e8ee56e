import { currencyIn, shownValue } from './change-values.ts'
import { fieldsOf } from './change-words.ts'
import { entriesOf, entryText, firstOf, isListKind } from './fields/entries.ts'
import { type Field, type Fields, ownPrefix, wordsFor } from './fields/field.ts'
import { shownFigure } from './figures.ts'
import type { LoggedChange } from './log.ts'
import { toldMoney } from './money.ts'

// What a proposal would write, value by value and whole: what its owner approves is what they see.

type Values = Record<string, unknown>

export type ProposedValue = {
  /** The column, which a row has once. */
  name: string
  label: string
  from: string
  to: string
  /** Where only the part of long texts that differs is in `from` and `to`: the whole of them. */
  whole?: { from: string; to: string }
}

/** What is told besides the fields of forms. The history tells notes by their text alone. */
const more: Record<string, Fields> = {
  notes: {
    kind: { kind: 'text', label: 'Kind' },
    body: { kind: 'long text', label: 'Text' },
    outcome: { kind: 'text', label: 'Outcome' },
    minutes: { kind: 'number', label: 'Minutes' },
    happened_at: { kind: 'moment', label: 'When' },
    contact_id: { kind: 'record', label: 'Contact' },
    company_id: { kind: 'record', label: 'Company' },
    deal_id: { kind: 'record', label: 'Deal' },
  },
  tasks: {
    due_all_day: { kind: 'text', label: 'All day' },
    repeat_start: { kind: 'day', label: 'Repeats from' },
  },
  deal_contacts: {
    contact_id: { kind: 'record', label: 'Contact' },
    deal_id: { kind: 'record', label: 'Deal' },
  },
}

/** What the database keeps for itself. */
const internal = new Set(['id', 'user_id', 'search_text', 'created_at', 'updated_at', 'position'])

/** Each column that a change touches, with its old and its new value. None is left out that differs, known or not. */
export function proposedValues(change: LoggedChange, timeZone: string): ProposedValue[] {
  const { table_name, before, after } = change
  const fields: Fields = { ...fieldsOf[table_name], ...more[table_name] }
  const isTouched = (name: string) => !internal.has(name) && !isSame(before?.[name], after?.[name])
  const known = Object.keys(fields).filter((name) => after !== null && name in after)
  const others = Object.keys(after ?? {}).filter((name) => !(name in fields))
  return [...known, ...others].filter(isTouched).flatMap((name) => {
    const field = fields[name]
    if (field && repeatsFirst(fields, name, change)) return []
    const { label, show } = field
      ? { label: wordsFor(field), show: (values: Values | null) => shown(field, name, values) }
      : unknown(name)
    const [from, to] = [show(before), show(after)]
    // Empty before and after: an empty list of a new record, or a no that stays a no.
    if (from === '' && to === '') return []
    return [{ name, label, ...differing(from, to) }]
  })

  function shown(field: Field, name: string, values: Values | null): string {
    const value = values?.[name]
    if (isListKind(field.kind)) return entriesOf(value).map(entryText).join(', ')
    if (value !== null && (Array.isArray(value) || typeof value === 'boolean')) return plain(value)
    const choice = field.choiceNames?.[String(value)]
    if (choice !== undefined) return choice
    const isText = ['text', 'long text'].includes(field.kind)
    if (isText) return plain(value)
    const words = shownValue(change, field.kind, value, timeZone, currencyIn(values))
    // Kinds without a form of their own are shortened there.
    return words.endsWith('…') ? wholeName(value) : words
  }

  function unknown(name: string) {
    const id = name.startsWith(ownPrefix) ? name.slice(ownPrefix.length) : null
    const isMoney = id !== null && change.names?.[`${id}.kind`] === 'money'
    const words = name.replaceAll('_', ' ')
    return {
      label: id === null ? words.charAt(0).toUpperCase() + words.slice(1) : nameOfField(id),
      show(values: Values | null) {
        const value = values?.[name]
        return isMoney && typeof value === 'number' ? toldMoney(value) : plain(value)
      },
    }
  }

  function nameOfField(id: string): string {
    return change.names?.[id] ?? 'A deleted field'
  }

  function wholeName(value: unknown): string {
    return change.names?.[String(value)] ?? String(value)
  }

  function plain(value: unknown): string {
    if (value === null || value === undefined) return ''
    if (Array.isArray(value)) return value.map(plain).join(', ')
    if (typeof value === 'boolean') return value ? 'Yes' : before === null ? '' : 'No'
    if (typeof value === 'number') return shownFigure(value)
    if (typeof value !== 'string') return JSON.stringify(value)
    return change.names?.[value] ?? value
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

/** Whether a list changes by nothing but its first entry, which is told by its own field. */
function repeatsFirst(fields: Fields, name: string, { before, after }: LoggedChange): boolean {
  const field = fields[name]
  const first = field && isListKind(field.kind) ? firstOf(fields, name) : undefined
  if (!first || !after || !(first in after)) return false
  const rest = (values: Values | null) =>
    entriesOf(values?.[name])
      .map(entryText)
      .filter((text) => text !== values?.[first])
      .join(', ')
  return rest(before) === rest(after)
}

const longest = 200
const around = 40

/** Of two long texts the part that differs, with a little before and after it. */
function differing(from: string, to: string): Omit<ProposedValue, 'name' | 'label'> {
  if (from === '' || to === '' || Math.max(from.length, to.length) <= longest) return { from, to }
  const [one, other] = [[...from], [...to]]
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start += 1
  let end = 0
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const [before, after] = [Math.max(0, start - around), Math.max(0, end - around)]
  const part = (letters: string[]) =>
    [
      before > 0 ? '…' : '',
      ...letters.slice(before, letters.length - after),
      after > 0 ? '…' : '',
    ].join('')
  return { from: part(one), to: part(other), whole: { from, to } }
}
