import { z } from 'zod'
import { stageLabel } from './deal.ts'
import { companyFields } from './fields/companies.ts'
import { contactFields, leadStatuses } from './fields/contacts.ts'
import { dealFields } from './fields/deals.ts'
import {
  entriesOf,
  entryKey,
  entryText,
  entryWords,
  firstOf,
  isListKind,
  labelShown,
} from './fields/entries.ts'
import { type Field, type Fields, valueAt, wordsFor } from './fields/field.ts'
import { shownValue } from './fields/kinds.ts'
import { definition } from './fields/own.ts'
import { habits } from './habits.ts'
import { maySign } from './import-currency.ts'
import type { ImportKind } from './import-headers.ts'
import { ownName, type PlannedField } from './import-own.ts'
import { exactMoney } from './money.ts'

/** The values of a row by field, as the database returns them. */
type RowValues = Record<string, unknown>

/** What becomes of a row. */
export type RowOutcome = 'new' | 'update' | 'duplicate' | 'error'

function text(values: RowValues, field: string): string | null {
  const value = values[field]
  return typeof value === 'string' ? value : null
}

/** A sentence for every value of a row that the import would change. */
export function importRemarks(values: RowValues, outcome: RowOutcome): string[] {
  if (outcome !== 'new' && outcome !== 'update') return []
  const status = text(values, 'file_status')
  const stage = text(values, 'file_stage')
  const dealStatus = text(values, 'file_deal_status')
  const sign = text(values, 'file_currency')
  const { currency } = habits()
  return [
    ...(status === null ? [] : [statusRemark(status, text(values, 'lead_status'), outcome)]),
    ...(stage === null
      ? []
      : [
          `Stage "${stage}" becomes ${text(values, 'stage')}, as the status says, and is kept in a note.`,
        ]),
    ...(dealStatus === null
      ? []
      : [`Status "${dealStatus}" says neither won nor lost, and is kept in a note.`]),
    ...(sign === null || maySign(sign, currency)
      ? []
      : [`"${sign}" stands for several currencies: the value is read as one in ${currency}.`]),
    ...furtherContacts(values.further_contacts),
  ]
}

/** The contacts of a deal after the first, as a row says them. */
const people = z.array(
  z.object({ first_name: z.string(), last_name: z.string(), email: z.string() }),
)

function furtherContacts(values: unknown): string[] {
  const { data: all = [] } = people.safeParse(values)
  if (all.length === 0) return []
  const names = all.map(
    ({ first_name, last_name, email }) => `${first_name} ${last_name}`.trim() || email,
  )
  return [`Further contacts: ${names.join(', ')}.`]
}

function statusRemark(word: string, becomes: string | null, outcome: 'new' | 'update'): string {
  if (becomes !== null) return `Lead status "${word}" becomes ${becomes}.`
  const end = outcome === 'update' ? 'the status stays as it is' : `becomes ${leadStatuses[0]}`
  return `Lead status "${word}" is unknown: ${end}. The original is kept in the notes.`
}

/** The fields of an existing deal whose new value depends on more than the row, by their names in the answer. */
const compared: [name: string, field: Field][] = [
  ['pipeline', dealFields.pipeline_id],
  ['stage', dealFields.stage_id],
  ['lost_reason', dealFields.lost_reason],
  ['closed_at', dealFields.closed_at],
]

/** What a row would change of its deal where the deal's pipeline decides too. */
export function dealDifferences(values: RowValues, stored: RowValues): string[] {
  return compared.flatMap(([name, field]) => {
    const theirs = values[name]
    if (theirs === undefined) return []
    const shown = name === 'stage' ? shownStage : (value: unknown) => shownIn(field, value)
    const [here, there] = [shown(stored[name] ?? null), shown(theirs)]
    return here.toLowerCase() === there.toLowerCase() ? [] : [changed(field, here, there)]
  })
}

/** What an update would change of a record, by column, as the database answers. */
export type RowChanges = Record<string, [before: unknown, after: unknown]>

const fieldsOf: Record<ImportKind, Fields> = {
  contacts: contactFields,
  companies: companyFields,
  deals: dealFields,
}

/** 'Role title: Buyer → Owner': a line for every field that an update would change. */
export function changesInWords(
  kind: ImportKind,
  changes: RowChanges,
  own: readonly PlannedField[],
): string[] {
  return Object.entries(changes).flatMap(([name, [before, after]]) => {
    if (name === 'custom') return ownChanges(before, after, own)
    const fields = fieldsOf[kind]
    const field = fields[name] ?? fields[`${name}_id`]
    // Of a link the name is told.
    if (!field || name.endsWith('_id')) return []
    if (name === 'notes') return [`Notes: adds “${addedPart(before, after)}”`]
    if (isListKind(field.kind)) {
      const [, first] = changes[firstOf(fields, name) ?? ''] ?? []
      return addedEntries(field, before, after, first)
    }
    return [changed(field, shownIn(field, before), shownIn(field, after))]
  })
}

function ownChanges(before: unknown, after: unknown, own: readonly PlannedField[]): string[] {
  return own.flatMap((planned) => {
    const field = definition(planned)
    const [here, there] = [before, after].map((values) =>
      shownValue(field, valueAt({ custom: values }, ownName(planned.id))),
    )
    return here === there ? [] : [changed(field, here || 'none', there || 'none')]
  })
}

function changed(field: Field, here: string, there: string): string {
  return `${wordsFor(field)}: ${here} → ${there}`
}

/** 'Emails: adds ada@home.example (Home)': an import only adds to a list. What is told as its first is not told again. */
function addedEntries(field: Field, before: unknown, after: unknown, first: unknown): string[] {
  const known = new Set(entriesOf(before).map(entryKey))
  const added = entriesOf(after)
    .filter((entry) => !known.has(entryKey(entry)) && entryText(entry) !== first)
    .map((entry) => entryWords({ ...entry, label: labelShown(entry.label) }))
  return added.length > 0 ? [`${wordsFor(field)}: adds ${shortened(added.join('; '))}`] : []
}

const mostLetters = 200

function addedPart(before: unknown, after: unknown): string {
  const whole = typeof after === 'string' ? after : ''
  const part = typeof before === 'string' ? whole.slice(before.length) : whole
  const line = part.trim().replace(/\s*\r?\n\s*/g, ' · ')
  return shortened(line)
}

function shortened(line: string): string {
  return line.length > mostLetters ? `${line.slice(0, mostLetters - 1)}…` : line
}

function shownStage(value: unknown): string {
  return stageLabel(typeof value === 'string' ? value : null)
}

function shownIn(field: Field, value: unknown): string {
  const { kind } = field
  if (value === null || value === undefined || value === '') return 'none'
  if (kind === 'money') return exactMoney(Number(value))
  if (kind === 'day' || kind === 'moment') return String(value).slice(0, 10)
  return shownValue(field, value)
}
