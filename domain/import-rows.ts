import { z } from 'zod'
import { unnamed } from './contact.ts'
import { type CellValue, readCell } from './fields/cells.ts'
import { checkOf } from './fields/checks.ts'
import { currencyAt } from './import-currency.ts'
import { addressesIn, type CellAddress } from './import-emails.ts'
import { type ImportKind, type ImportMapping, importable } from './import-headers.ts'
import { labelledNotes } from './import-keep.ts'
import {
  isOwnName,
  type OwnReader,
  ownReader,
  type PlannedField,
  plannedField,
  readOwn,
} from './import-own.ts'
import { isOutcomeWord, stageOf } from './import-stage.ts'
import { isOurStatus, leadStatusOf } from './import-status.ts'
import {
  areExcelDays,
  cellValues,
  type DayOrder,
  dayOrderOf,
  excelDay,
  splitName,
} from './import-values.ts'
import { optionalEmail, optionalText } from './text-fields.ts'

/** A row for the database: its values, or why it cannot be imported. */
export type ImportRow = { values: Record<string, unknown> } | { problem: string }

/** How all rows of a file are read. */
export type ImportPlan = {
  kind: ImportKind
  mapping: ImportMapping
  /** What the columns are called. */
  columns: string[]
  /** The fields of the user's own, with those that the import makes. */
  own: PlannedField[]
  dayOrder: DayOrder
  /** The places of the date columns that hold Excel's day numbers. */
  excelDays: number[]
  /** The file is our own export, so nothing is guessed. */
  isOwn: boolean
}

type PlanExtras = { columns?: string[]; own?: PlannedField[]; isOwn?: boolean }

export function planImport(
  kind: ImportKind,
  mapping: ImportMapping,
  rows: string[][],
  { columns = [], own = [], isOwn = false }: PlanExtras = {},
): ImportPlan {
  const excelDays = datePlaces(mapping, own).filter((place) =>
    areExcelDays(rows.map((row) => row[place] ?? '')),
  )
  const dayOrder = dayOrderOf(datesIn(mapping, rows, own))
  return { kind, mapping, columns, own, dayOrder, excelDays, isOwn }
}

const dateFields: (string | null)[] = Object.values(importable)
  .flat()
  .filter(([, { kind }]) => kind === 'day' || kind === 'moment' || kind === 'birthday')
  .map(([name]) => name)

function datePlaces(mapping: ImportMapping, own: PlannedField[]): number[] {
  return mapping.flatMap((field, place) =>
    dateFields.includes(field) || plannedField(own, field)?.kind === 'day' ? [place] : [],
  )
}

/** Sample dates of the date columns. */
export function datesIn(
  mapping: ImportMapping,
  rows: string[][],
  own: PlannedField[] = [],
): string[] {
  const places = datePlaces(mapping, own)
  return rows.slice(0, 1000).flatMap((row) => places.map((place) => row[place] ?? ''))
}

/** The non-empty cells of a row by field. */
function cellsOf(row: string[], plan: ImportPlan): Map<string, string[]> {
  const { mapping, excelDays, columns } = plan
  const cells = new Map<string, string[]>()
  const add = (field: string, text: string) => cells.set(field, [...(cells.get(field) ?? []), text])
  for (const [place, field] of mapping.entries()) {
    const text = (row[place] ?? '').trim()
    if (field === null || text === '') continue
    if (field === labelledNotes) add('notes', `${columns[place]}: ${text}`)
    else add(field, excelDays.includes(place) ? (excelDay(text) ?? text) : text)
  }
  return cells
}

/** Reads one row of a file. */
export function importRow(row: string[], plan: ImportPlan): ImportRow {
  const beyond = row.slice(plan.mapping.length).filter((cell) => cell.trim() !== '')
  if (beyond.length > 0) {
    // An unquoted delimiter in a cell shifts the cells after it.
    return {
      problem: `The row has ${row.length} cells, but the header has ${plan.mapping.length}.`,
    }
  }
  const cells = cellsOf(row, plan)
  // A date of contact without anybody is no contact.
  if ([...cells.keys()].every(isOwnName)) {
    return { problem: 'The row holds nothing for the chosen fields.' }
  }
  const firsts = readCells(plan, cells)
  if ('problem' in firsts) return firsts
  const read = readers[plan.kind](cells, firsts.raw, plan)
  if ('problem' in read) return read
  const own = ownValuesOf(cells, plan)
  if ('problem' in own) return own
  return { values: withoutEmpty({ ...read.values, ...own.values }) }
}

/** One plan reads many rows. */
const ownReaders = new WeakMap<ImportPlan, Map<string, OwnReader>>()

function ownReadersOf(plan: ImportPlan): Map<string, OwnReader> {
  const made = ownReaders.get(plan)
  if (made) return made
  const readers = new Map(
    plan.mapping.flatMap((name): [string, OwnReader][] => {
      const planned = plannedField(plan.own, name)
      return name !== null && planned ? [[name, ownReader(planned)]] : []
    }),
  )
  ownReaders.set(plan, readers)
  return readers
}

/** The values of the user's own fields, as the column that holds all of them. */
function ownValuesOf(cells: Cells, plan: ImportPlan): ImportRow {
  const custom: Record<string, CellValue> = {}
  for (const [name, reader] of ownReadersOf(plan)) {
    const texts = cells.get(name)
    if (!texts) continue
    const read = readOwn(reader, texts, plan.dayOrder)
    if ('problem' in read) return read
    if (read.value !== null) custom[reader.id] = read.value
  }
  return { values: Object.keys(custom).length > 0 ? { custom } : {} }
}

type Cells = Map<string, string[]>
type RawValues = Record<string, CellValue>

/** Reads the first cell of each field; empty for a field without a cell. */
function readCells(
  { kind, dayOrder }: ImportPlan,
  cells: Cells,
): { raw: RawValues } | { problem: string } {
  const raw: RawValues = {}
  for (const [name, field] of importable[kind]) {
    // Tags of all columns count together.
    const text = field.kind === 'tags' ? (cells.get(name) ?? []).join('\n') : first(cells, name)
    const cell = text === '' ? { value: text } : readCell(field, text, dayOrder)
    if ('problem' in cell) return cell
    raw[name] = cell.value
  }
  return { raw }
}

/** Leaves out missing values: an update changes only what the file holds. */
function withoutEmpty(values: Record<string, unknown>): Record<string, unknown> {
  const present = Object.entries(values).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  return Object.fromEntries(present)
}

function first(cells: Cells, field: string): string {
  return cells.get(field)?.[0] ?? ''
}

type Reader = (cells: Cells, raw: RawValues, plan: ImportPlan) => ImportRow

const readers: Record<ImportKind, Reader> = {
  contacts: readContact,
  companies: readCompany,
  deals: readDeal,
}

/**
 * The checks for the values of a row. A link is given by the name of the record. Fields that the user cannot edit,
 * such as the time of creation, need no further check.
 */
function checksOf(kind: ImportKind, special: Record<string, z.ZodType>) {
  const checks = importable[kind].map(([name, field]): [string, z.ZodType] => {
    if (field.edit === 'never') return [name, z.unknown()]
    return [name, field.kind === 'record' ? optionalText(field.label, 200) : checkOf(field)]
  })
  return z.object({ ...Object.fromEntries(checks), ...special })
}

const checks: Record<ImportKind, z.ZodObject> = {
  // A lead status of another program is translated later, and the original is kept.
  contacts: checksOf('contacts', { lead_status: z.unknown() }),
  companies: checksOf('companies', {}),
  deals: checksOf('deals', {
    contact_first_name: optionalText('Contact', 200),
    contact_last_name: optionalText('Contact', 200),
    contact_email: optionalEmail('Contact Email'),
  }),
}

/** Checks the values of a row; `others` are added for the database. */
function checkedRow(
  kind: ImportKind,
  raw: RawValues,
  others: Record<string, unknown> = {},
): ImportRow {
  const checked = checks[kind].safeParse(raw)
  if (!checked.success) return { problem: problemOf(checked.error) }
  // The check would turn an empty number into 0.
  const values = Object.entries(checked.data).filter(([name]) => raw[name] !== '')
  return { values: { ...Object.fromEntries(values), ...others } }
}

function readContact(cells: Cells, raw: RawValues): ImportRow {
  const isNamed = raw.first_name !== '' || raw.last_name !== ''
  const addresses = addressesOf(cells, 'email')
  const fullName = first(cells, 'full_name')
  const nameFrom = fullName === '' ? 'address' : 'full name'
  const besides = fullName || (addresses[0]?.name ?? '')
  const guessed = isNamed ? null : splitName(besides)
  const [email = '', ...otherEmails] = addresses.map(({ email: address, name }, place) =>
    place === 0 || name === '' ? address : `${name} <${address}>`,
  )
  const [phone = '', ...otherPhones] = valuesOf(cells, 'phone_number')
  const word = first(cells, 'lead_status')
  const leadStatus = leadStatusOf(word)
  const noteParts = [
    ...(cells.get('notes') ?? []),
    // Further values go to the notes, so that nothing is lost.
    ...(otherEmails.length > 0 ? [`Other e-mails: ${otherEmails.join(', ')}`] : []),
    ...(otherPhones.length > 0 ? [`Other phones: ${otherPhones.join(', ')}`] : []),
    ...(word !== '' && !leadStatus ? [`Lead status: ${word}`] : []),
    ...(isNamed && !isSameName(besides, raw) ? [`Full name: ${besides}`] : []),
  ]
  return checkedRow(
    'contacts',
    {
      ...raw,
      ...guessed,
      full_name: '',
      email,
      phone_number: phone,
      notes: noteParts.join('\n'),
    },
    {
      // An existing record gets each part that it does not have yet.
      note_parts: noteParts.length > 1 ? noteParts : null,
      // Of a record that is there, a guess changes no name.
      name_from: guessed?.first_name || guessed?.last_name ? nameFrom : null,
      lead_status: leadStatus,
      // For the remark in the dry run.
      file_status: isOurStatus(word) ? null : word,
    },
  )
}

/** Whether a full name holds no word that its parts lack. */
function isSameName(fullName: string, { first_name, last_name }: RawValues): boolean {
  const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}\d]+/gu) ?? []
  const parts = new Set(wordsIn(`${first_name} ${last_name}`))
  return wordsIn(fullName).every((word) => parts.has(word))
}

/** All values of a field from all its columns and cells, each once. */
function valuesOf(cells: Cells, field: string): string[] {
  return [...new Set((cells.get(field) ?? []).flatMap(cellValues))]
}

/** The e-mail addresses of a field from all its columns and cells, each once. */
function addressesOf(cells: Cells, field: string): CellAddress[] {
  const found = new Map<string, CellAddress>()
  for (const address of (cells.get(field) ?? []).flatMap(addressesIn)) {
    const key = address.email.toLowerCase()
    if (!found.has(key)) found.set(key, address)
  }
  return [...found.values()]
}

function readCompany(cells: Cells, raw: RawValues): ImportRow {
  return checkedRow('companies', {
    ...raw,
    location: (cells.get('location') ?? []).join(', '),
  })
}

function readDeal(cells: Cells, raw: RawValues, { isOwn }: ImportPlan): ImportRow {
  const contacts = first(cells, 'contact')
  const emails = first(cells, 'contact_email')
  const fileStage = first(cells, 'stage')
  const status = first(cells, 'status')
  const { stage, isOverruled } = stageOf(fileStage, status, isOwn)
  // A column of its own says it better than a sign at the amount.
  const sign = raw.currency
    ? { currency: raw.currency, shared: null }
    : currencyAt(first(cells, 'value'))
  return checkedRow(
    'deals',
    {
      ...raw,
      currency: sign.currency ?? '',
      status: '',
      contact: '',
      stage,
      ...contactOf(cells, isOwn),
    },
    {
      // For the remarks in the dry run.
      file_currency: sign.shared,
      file_stage: isOverruled ? fileStage : null,
      file_deal_status: status === '' || isOutcomeWord(status) ? null : status,
      file_contacts:
        [contacts].find((text) => /;\s*\S/.test(text)) ??
        [emails].find((text) => addressesIn(text).length > 1) ??
        null,
    },
  )
}

/** The contact of a deal: in parts, or as `Ada Lovelace`, `ada@example.com` or `Ada Lovelace (ada@example.com); …`. */
function contactOf(cells: Cells, isOwn: boolean) {
  const [{ email = '', name = '' } = {}] = addressesOf(cells, 'contact_email')
  const parts = {
    contact_first_name: first(cells, 'contact_first_name'),
    contact_last_name: first(cells, 'contact_last_name'),
  }
  if (parts.contact_first_name || parts.contact_last_name) return { ...parts, contact_email: email }
  const text = first(cells, 'contact') || name
  // Our own export writes this for a contact without a name.
  const [one = ''] = isOwn && text === unnamed ? [] : text.split(';')
  const plain = one.replace(/mailto:/i, '')
  const [, address = ''] = /([^\s@()<>]+@[^\s@()<>]+)/.exec(plain) ?? []
  const { first_name, last_name } = splitName(
    plain
      .replace(address, '')
      .replace(/\(\s*\)|<\s*>/, '')
      .trim(),
  )
  return {
    contact_first_name: first_name,
    contact_last_name: last_name,
    contact_email: email || address,
  }
}

function problemOf(error: z.ZodError): string {
  return error.issues[0]?.message ?? 'The row cannot be read.'
}
