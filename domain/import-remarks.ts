import { shownDate, shownDay } from './dates.ts'
import { closedStages, stageLabel } from './deal.ts'
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
import { furtherContacts } from './import-role-remarks.ts'
import { outcomeOfStage } from './import-stage.ts'
import { exactMoney, toldMoney } from './money.ts'

/** The values of a row by field, as the database returns them. */
type RowValues = Record<string, unknown>

/** What becomes of a row. */
export type RowOutcome = 'new' | 'update' | 'duplicate' | 'error'

function text(values: RowValues, field: string): string | null {
  const value = values[field]
  return typeof value === 'string' ? value : null
}

/** A sentence for every value of a row that the import would change; a deal that is there (`stored`) tells who has which role. */
export function importRemarks(
  values: RowValues,
  outcome: RowOutcome,
  stored?: RowValues | null,
): string[] {
  if (outcome !== 'new' && outcome !== 'update') return []
  const status = text(values, 'file_status')
  const stage = text(values, 'file_stage')
  const dealStatus = text(values, 'file_deal_status')
  const closer = text(values, 'closed_by')
  const sign = text(values, 'file_currency')
  const { currency } = habits()
  return [
    ...(status === null ? [] : [statusRemark(status, text(values, 'lead_status'), outcome)]),
    ...(stage === null
      ? []
      : [
          `Stage "${stage}" becomes ${text(values, 'stage')}, as ${closer === null ? 'the status' : `“${closer}”`} says, and is kept in a note.`,
        ]),
    ...(dealStatus === null ? [] : [`Status "${dealStatus}" isn’t won or lost; kept as a note.`]),
    ...(sign === null || maySign(sign, currency)
      ? []
      : [`"${sign}" could be several currencies; read as ${currency}.`]),
    ...unfitLines(values),
    ...furtherContacts(values, outcome === 'update' ? stored?.people : []),
    ...keptLines(values, [stage, dealStatus]),
  ]
}

/** What becomes a note, but for what was told of it already. */
function keptLines({ kept_notes }: RowValues, told: (string | null)[]): string[] {
  if (!Array.isArray(kept_notes)) return []
  const lines = kept_notes
    .map(String)
    .filter((line) => !told.some((each) => each !== null && line.endsWith(`: ${each}`)))
  return lines.length > 0 ? [`Note: “${addedPart(null, lines.join('\n'))}”`] : []
}

/** Cells that no field can hold, of a contact: of other records they are told as the lines of a note. */
function unfitLines({ unfit }: RowValues): string[] {
  if (!Array.isArray(unfit)) return []
  return unfit.map((line) => `Can’t be read and is kept in the notes: “${shortened(String(line))}”`)
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
export function dealDifferences(values: RowValues, stored: RowValues, timeZone: string): string[] {
  return compared.flatMap(([name, field]) => {
    const theirs = name === 'closed_at' ? closedMoment(values, stored) : values[name]
    if (theirs === undefined || theirs === null) return []
    const shown =
      name === 'stage' ? shownStage : (value: unknown) => shownIn(field, value, { timeZone })
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

/** 'Role title: Buyer › Owner': a line for every field that an update would change. */
export function changesInWords(
  kind: ImportKind,
  changes: RowChanges,
  own: readonly PlannedField[],
  { stored, timeZone }: { stored?: RowValues | null | undefined; timeZone: string },
): string[] {
  // Where the row names no currency, it is that of the deal.
  const currencies = changes.currency ?? [stored?.currency, stored?.currency]
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
    return [
      changed(
        field,
        shownIn(field, before, { currency: currencies[0], timeZone }),
        shownIn(field, after, { currency: currencies[1], timeZone }),
      ),
    ]
  })
}

/** What a row of deals would change of its contact ("person") or its company. */
export type ChangesBehind = { side: keyof typeof recordsBehind; changes: RowChanges }

const recordsBehind = {
  person: { kind: 'contacts', label: 'Contact' },
  organisation: { kind: 'companies', label: 'Company' },
} as const

/** 'Contact: Birthday: none › Dec 10, 1815': of a contact or a company that is there, or that the row makes. */
export function behindInWords(
  values: RowValues,
  behind: readonly ChangesBehind[],
  own: readonly PlannedField[],
  timeZone: string,
): string[] {
  return (['person', 'organisation'] as const).flatMap((side) => {
    const found = behind.find((each) => each.side === side)
    const { kind, label } = recordsBehind[side]
    const changes = found?.changes ?? valuesMade(values[side])
    const { kept_notes: note, ...others } = changes
    return [
      ...changesInWords(kind, others, own, { timeZone }),
      ...(note ? [`Note: “${addedPart(null, note[1])}”`] : []),
    ].map((words) => `${label}: ${words}`)
  })
}

/** What a row says of a record that is not there yet, as changes of nothing. */
function valuesMade(reported: unknown): RowChanges {
  if (typeof reported !== 'object' || reported === null) return {}
  return Object.fromEntries(
    Object.entries(reported).map(([name, value]): [string, [unknown, unknown]] => {
      const isLines = name === 'note_parts' || name === 'kept_notes'
      const lines = isLines && Array.isArray(value) ? value.join('\n') : value
      return [name === 'note_parts' ? 'notes' : name, [null, lines]]
    }),
  )
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
  return `${wordsFor(field)}: ${here} › ${there}`
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

type ShownAs = { currency?: unknown; timeZone: string }

function shownIn(field: Field, value: unknown, { currency, timeZone }: ShownAs): string {
  const { kind } = field
  // A deal without a currency is in that of the account.
  if (kind === 'currency') return shownValue(field, value) || habits().currency
  if (value === null || value === undefined || value === '') return 'none'
  if (kind === 'money') {
    return exactMoney(Number(value), typeof currency === 'string' ? currency : null)
  }
  if (kind === 'day') return shownDate(String(value).slice(0, 10))
  return kind === 'moment' ? shownDay(String(value), timeZone) : shownValue(field, value)
}

/** What a row says of a deal: '$1,200', 'Closed Won on Nov 15, 2026'; of one that is there its own moment counts. */
export function dealInWords(
  values: RowValues,
  stored: RowValues | null | undefined,
  timeZone: string,
): string[] {
  const { value, currency } = values
  const money =
    typeof value === 'number'
      ? [toldMoney(value, typeof currency === 'string' ? currency : null)]
      : []
  return [...money, stageInWords(values, stored, timeZone)]
}

function stageInWords(
  values: RowValues,
  stored: RowValues | null | undefined,
  timeZone: string,
): string {
  const stage = text(values, 'stage')
  const outcome = outcomeOfStage(stage ?? '')
  if (outcome === null) return `${stageLabel(stage)} (open)`
  const moment = closedMoment(values, stored)
  return moment === null
    ? closedStages[outcome]
    : `${closedStages[outcome]} on ${shownDay(moment, timeZone)}`
}

/** When a deal will have been closed: as the row says, as the deal does, or as was answered. */
function closedMoment(values: RowValues, stored: RowValues | null | undefined): string | null {
  const outcome = outcomeOfStage(text(values, 'stage') ?? '')
  const isClosed = stored && outcomeOfStage(text(stored, 'stage') ?? '') === outcome
  return (
    text(values, 'closed_at') ??
    (isClosed ? text(stored, 'closed_at') : null) ??
    text(values, 'closes_at')
  )
}
