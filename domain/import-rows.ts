import { z } from 'zod'
import { unnamed } from './contact.ts'
import { readCell } from './fields/cells.ts'
import { checkOf } from './fields/checks.ts'
import type { OwnValue } from './fields/own-values.ts'
import { currencyAt } from './import-currency.ts'
import { addressesIn, type CellAddress } from './import-emails.ts'
import { type ImportKind, type ImportMapping, importable } from './import-headers.ts'
import { stageOf } from './import-stage.ts'
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
  dayOrder: DayOrder
  /** The places of the date columns that hold Excel's day numbers. */
  excelDays: number[]
  /** The file is our own export, so nothing is guessed. */
  isOwn: boolean
}

export function planImport(
  kind: ImportKind,
  mapping: ImportMapping,
  rows: string[][],
  isOwn = false,
): ImportPlan {
  const excelDays = datePlaces(mapping).filter((place) =>
    areExcelDays(rows.map((row) => row[place] ?? '')),
  )
  return { kind, mapping, dayOrder: dayOrderOf(datesIn(mapping, rows)), excelDays, isOwn }
}

const dateFields: (string | null)[] = Object.values(importable)
  .flat()
  .filter(([, { kind }]) => kind === 'day' || kind === 'moment')
  .map(([name]) => name)

function datePlaces(mapping: ImportMapping): number[] {
  return mapping.flatMap((field, place) => (dateFields.includes(field) ? [place] : []))
}

/** Sample dates of the date columns. */
export function datesIn(mapping: ImportMapping, rows: string[][]): string[] {
  const places = datePlaces(mapping)
  return rows.slice(0, 1000).flatMap((row) => places.map((place) => row[place] ?? ''))
}

/** The non-empty cells of a row by field. */
function cellsOf(row: string[], { mapping, excelDays }: ImportPlan): Map<string, string[]> {
  const cells = new Map<string, string[]>()
  for (const [place, field] of mapping.entries()) {
    const text = (row[place] ?? '').trim()
    if (field === null || text === '') continue
    const read = excelDays.includes(place) ? (excelDay(text) ?? text) : text
    cells.set(field, [...(cells.get(field) ?? []), read])
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
  if (cells.size === 0) return { problem: 'The row holds nothing for the chosen fields.' }
  const firsts = readCells(plan, cells)
  if ('problem' in firsts) return firsts
  const read = readers[plan.kind](cells, firsts.raw, plan)
  return 'problem' in read ? read : { values: withoutEmpty(read.values) }
}

type Cells = Map<string, string[]>
type RawValues = Record<string, OwnValue>

/** Reads the first cell of each field; empty for a field without a cell. */
function readCells(
  { kind, dayOrder }: ImportPlan,
  cells: Cells,
): { raw: RawValues } | { problem: string } {
  const raw: RawValues = {}
  for (const [name, field] of importable[kind]) {
    const text = first(cells, name)
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
  const [email = '', ...otherEmails] = addresses.map((address) => address.email)
  const [phone = '', ...otherPhones] = valuesOf(cells, 'phone_number')
  const word = first(cells, 'lead_status')
  const leadStatus = leadStatusOf(word)
  const noteParts = [
    ...(cells.get('notes') ?? []),
    // Further values go to the notes, so that nothing is lost.
    ...(otherEmails.length > 0 ? [`Other e-mails: ${otherEmails.join(', ')}`] : []),
    ...(otherPhones.length > 0 ? [`Other phones: ${otherPhones.join(', ')}`] : []),
    ...(word !== '' && !leadStatus ? [`Lead status: ${word}`] : []),
  ]
  return checkedRow(
    'contacts',
    {
      ...raw,
      ...(isNamed ? {} : splitName(first(cells, 'full_name') || (addresses[0]?.name ?? ''))),
      full_name: '',
      email,
      phone_number: phone,
      notes: noteParts.join('\n'),
    },
    {
      // An existing record gets each part that it does not have yet.
      note_parts: noteParts.length > 1 ? noteParts : null,
      lead_status: leadStatus,
      // For the remark in the dry run.
      file_status: isOurStatus(word) ? null : word,
    },
  )
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
  const { stage, isOverruled } = stageOf(fileStage, first(cells, 'status'), isOwn)
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
