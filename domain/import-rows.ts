import { z } from 'zod'
import { unnamed } from './contact.ts'
import { type CellValue, readCell } from './fields/cells.ts'
import { checkOf } from './fields/checks.ts'
import {
  type AnyEntry,
  type Entry,
  isListKind,
  type ListKind,
  mostEntries,
} from './fields/entries.ts'
import { checkEntries } from './fields/entry-checks.ts'
import { currencyAt } from './import-currency.ts'
import { addressesIn, type CellAddress } from './import-emails.ts'
import { linksIn, mailsIn, phonesIn, addressesOf as placesOf, split } from './import-entries.ts'
import { type ImportKind, type ImportMapping, importable } from './import-headers.ts'
import { labelledNotes } from './import-keep.ts'
import { isLabelColumn, type ListColumn, listColumns } from './import-lists.ts'
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
import { areExcelDays, type DayOrder, dayOrderOf, excelDay, splitName } from './import-values.ts'
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

const listFields = ['emails', 'phones', 'links', 'addresses']

/** The non-empty cells of a row by field. */
function cellsOf(row: string[], plan: ImportPlan): Map<string, string[]> {
  const { mapping, excelDays, columns } = plan
  const cells = new Map<string, string[]>()
  const add = (field: string, text: string) => cells.set(field, [...(cells.get(field) ?? []), text])
  for (const [place, field] of mapping.entries()) {
    const text = (row[place] ?? '').trim()
    if (field === null || text === '') continue
    // A label alone says nothing.
    if (listFields.includes(field) && isLabelColumn(columns[place] ?? '')) continue
    if (field === labelledNotes) add('notes', `${columns[place]}: ${text}`)
    else add(field, excelDays.includes(place) ? (excelDay(text) ?? text) : text)
  }
  return cells
}

/** What says nothing of whom a row is about. */
const besides = ['addresses', 'links']

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
  // A date of contact or a city without anybody is no contact.
  if ([...cells.keys()].every((name) => isOwnName(name) || besides.includes(name))) {
    return { problem: 'The row holds nothing for the chosen fields.' }
  }
  const firsts = readCells(plan, cells)
  if ('problem' in firsts) return firsts
  const read = readers[plan.kind](cells, firsts.raw, plan, row)
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

/** The columns that fill each list; those of its first entry come first. */
type Lists = Record<ListKind, ListColumn[]>

const listsOfPlans = new WeakMap<ImportPlan, Lists>()

function listsOf(plan: ImportPlan): Lists {
  const made = listsOfPlans.get(plan)
  if (made) return made
  const columns = listColumns(plan.mapping, plan.columns)
  const of = (name: string) => columns.filter(({ field }) => field === name)
  const lists = {
    emails: [...of('email'), ...of('emails')],
    phones: [...of('phone_number'), ...of('phones')],
    links: of('links'),
    addresses: of('addresses'),
  }
  listsOfPlans.set(plan, lists)
  return lists
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
    if (isListKind(field.kind)) continue
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

type Reader = (cells: Cells, raw: RawValues, plan: ImportPlan, row: string[]) => ImportRow

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
  const fields = importable[kind].filter(([, field]) => !isListKind(field.kind))
  const checks = fields.map(([name, field]): [string, z.ZodType] => {
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

function readContact(cells: Cells, raw: RawValues, plan: ImportPlan, row: string[]): ImportRow {
  const isNamed = raw.first_name !== '' || raw.last_name !== ''
  const columns = listsOf(plan)
  const mails = mailsIn(columns.emails, row)
  const fullName = first(cells, 'full_name')
  const nameFrom = fullName === '' ? 'address' : 'full name'
  const besideName = fullName || (mails[0]?.name ?? '')
  const guessed = isNamed ? null : splitName(besideName)
  const emails = withFirst('emails', mails.map(named({ ...raw, ...guessed })))
  const phones = withFirst('phones', phonesIn(columns.phones, row))
  const [links, places] = [linksIn(columns.links, row), placesOf(columns.addresses, row)]
  const word = first(cells, 'lead_status')
  const leadStatus = leadStatusOf(word)
  const noteParts = [
    ...(cells.get('notes') ?? []),
    // What no list can hold goes to the notes, so that nothing is lost.
    ...(emails.rest.length > 0 ? [`Other emails: ${emails.rest.join(', ')}`] : []),
    ...(phones.rest.length > 0 ? [`Other phones: ${phones.rest.join(', ')}`] : []),
    ...places.rest,
    ...links.rest,
    ...(word !== '' && !leadStatus ? [`Lead status: ${word}`] : []),
    ...(isNamed && !isSameName(besideName, raw) ? [`Full name: ${besideName}`] : []),
  ]
  return checkedRow(
    'contacts',
    {
      ...raw,
      ...guessed,
      full_name: '',
      email: emails.first,
      phone_number: phones.first,
      notes: noteParts.join('\n'),
    },
    {
      emails: emails.list,
      phones: phones.list,
      links: filled(links.entries),
      addresses: filled(places.entries),
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

/** An address with whom it is said to belong to, where that is somebody else: as its label, or before it. */
function named(contact: RawValues) {
  return ({ label, value, name }: Entry & { name: string }, place: number) => {
    const isOther = place > 0 && name !== '' && !isSameName(name, contact)
    const isLabel = isOther && label === '' && name.length <= longestLabel
    return {
      label: isLabel ? name : label,
      value,
      said: isOther && !isLabel ? `${name} <${value}>` : value,
    }
  }
}

const longestLabel = 40

type Said = Entry & { said?: string }

/** The first entry, the whole list where it says more, and how the row says what the list cannot hold. */
function withFirst(kind: 'emails' | 'phones', [head, ...others]: Said[]) {
  const { entries, rest } = split(kind, others)
  // The first has its place in the list.
  const fits = entries.slice(0, mostEntries - 1)
  const kept = [...(head ? [head] : []), ...fits].map(({ label, value }) => ({ label, value }))
  return {
    first: head?.value ?? '',
    list: fits.length > 0 || head?.label ? kept : null,
    rest: [
      ...fits.filter(({ said, value }) => (said ?? value) !== value),
      ...entries.slice(mostEntries - 1),
      ...rest,
    ].map(({ said, value }) => said ?? value),
  }
}

function filled(entries: AnyEntry[]): AnyEntry[] | null {
  return entries.length > 0 ? entries : null
}

/** Whether a full name holds no word that its parts lack. */
function isSameName(fullName: string, { first_name, last_name }: RawValues): boolean {
  const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}\d]+/gu) ?? []
  const parts = new Set(wordsIn(`${first_name} ${last_name}`))
  return wordsIn(fullName).every((word) => parts.has(word))
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

const listChecks = (['emails', 'phones', 'addresses'] as const).map(
  (kind) => [kind, checkEntries(kind)] as const,
)

function readCompany(cells: Cells, raw: RawValues, plan: ImportPlan, row: string[]): ImportRow {
  const columns = listsOf(plan)
  const lists = {
    emails: mailsIn(columns.emails, row).map(({ label, value, name }) => ({
      label: label || name,
      value,
    })),
    phones: phonesIn(columns.phones, row),
    addresses: placesOf(columns.addresses, row).entries,
  }
  // A company has no notes that could hold what a list cannot.
  for (const [kind, check] of listChecks) {
    const checked = check.safeParse(lists[kind])
    if (!checked.success) return { problem: problemOf(checked.error) }
  }
  return checkedRow(
    'companies',
    {
      ...raw,
      location: (cells.get('location') ?? []).join(', '),
    },
    {
      emails: filled(lists.emails),
      phones: filled(lists.phones),
      addresses: filled(lists.addresses),
    },
  )
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
