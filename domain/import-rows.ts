import type { z } from 'zod'
import { companySchema } from './company.ts'
import { contactSchema, unnamed } from './contact.ts'
import { dealSchema, lostReasonSchema } from './deal.ts'
import { type ImportKind, type ImportMapping, importFields } from './import-columns.ts'
import { stageOf } from './import-stage.ts'
import { isOurStatus, leadStatusOf } from './import-status.ts'
import {
  amountOf,
  cellValues,
  type DayOrder,
  dayIn,
  dayOrderOf,
  momentIn,
  splitName,
} from './import-values.ts'
import { optionalEmail, optionalText } from './text-fields.ts'

/** A row as it is handed to the database: what it says, or why it cannot be imported. */
export type ImportRow = { values: Record<string, unknown> } | { problem: string }

/** What is the same for all rows of a file. */
export type ImportPlan = {
  kind: ImportKind
  mapping: ImportMapping
  dayOrder: DayOrder
  /** The file is our own export: its words are ours, and nothing is guessed. */
  isOwn: boolean
}

/** How the rows of a file are read. */
export function planImport(
  kind: ImportKind,
  mapping: ImportMapping,
  rows: string[][],
  isOwn = false,
): ImportPlan {
  return { kind, mapping, dayOrder: dayOrderOf(datesIn(mapping, rows)), isOwn }
}

const dateFields: (string | null)[] = ['created_at', 'closed_at', 'expected_close_date']

/** The first dates of the columns that are read as such. */
export function datesIn(mapping: ImportMapping, rows: string[][]): string[] {
  const places = mapping.flatMap((field, place) => (dateFields.includes(field) ? [place] : []))
  return rows.slice(0, 1000).flatMap((row) => places.map((place) => row[place] ?? ''))
}

/** The cells of a row by the field that they fill; empty ones are left out. */
function cellsOf(row: string[], mapping: ImportMapping): Map<string, string[]> {
  const cells = new Map<string, string[]>()
  for (const [place, field] of mapping.entries()) {
    const text = (row[place] ?? '').trim()
    if (field === null || text === '') continue
    cells.set(field, [...(cells.get(field) ?? []), text])
  }
  return cells
}

/** Why nothing can be made of a file under this plan, or null. */
export function planProblem({ kind, mapping }: ImportPlan): string | null {
  if (kind !== 'contacts' && !mapping.includes('name')) {
    return `Choose the column that holds the ${importFields[kind].name}.`
  }
  return mapping.some((field) => field !== null) ? null : 'Choose at least one column to import.'
}

/** Reads one row of a file. */
export function importRow(row: string[], plan: ImportPlan): ImportRow {
  const beyond = row.slice(plan.mapping.length).filter((cell) => cell.trim() !== '')
  if (beyond.length > 0) {
    // A delimiter inside a cell that is not quoted moves everything behind it.
    return {
      problem: `The row has ${row.length} cells, but the header has ${plan.mapping.length}.`,
    }
  }
  const cells = cellsOf(row, plan.mapping)
  if (cells.size === 0) return { problem: 'The row holds nothing for the chosen fields.' }
  const created = momentOrProblem(first(cells, 'created_at'), 'Created At', plan.dayOrder)
  if ('problem' in created) return created
  const read = readers[plan.kind](cells, plan)
  if ('problem' in read) return read
  const values = { ...read.values, created_at: created.moment }
  // What is not said is left out: an update changes only what the file says.
  const said = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return { values: Object.fromEntries(said) }
}

type Cells = Map<string, string[]>

function first(cells: Cells, field: string): string {
  return cells.get(field)?.[0] ?? ''
}

function momentOrProblem(
  text: string,
  label: string,
  order: DayOrder,
): { moment: string | null } | { problem: string } {
  if (text === '') return { moment: null }
  const moment = momentIn(text, order)
  return moment ? { moment } : { problem: `${label}: "${text}" is not a date that can be read.` }
}

const readers: Record<ImportKind, (cells: Cells, plan: ImportPlan) => ImportRow> = {
  contacts: readContact,
  companies: readCompany,
  deals: readDeal,
}

const importedContact = contactSchema
  .omit({ company_id: true, lead_status: true })
  .extend({ company: optionalText('Company', 200) })

function readContact(cells: Cells): ImportRow {
  const parts = { first_name: first(cells, 'first_name'), last_name: first(cells, 'last_name') }
  const isNamed = parts.first_name !== '' || parts.last_name !== ''
  const name = isNamed ? parts : splitName(first(cells, 'full_name'))
  const [email = '', ...otherEmails] = valuesOf(cells, 'email')
  const [phone = '', ...otherPhones] = valuesOf(cells, 'phone_number')
  const status = first(cells, 'lead_status')
  const leadStatus = leadStatusOf(status)
  const scoreText = first(cells, 'lead_score')
  const score = scoreText === '' ? 0 : amountOf(scoreText)
  if (score === null) return { problem: `Lead Score: "${scoreText}" is not a number.` }
  const noteParts = [
    ...(cells.get('notes') ?? []),
    // Nothing that stands in the file is lost.
    ...(otherEmails.length > 0 ? [`Other e-mails: ${otherEmails.join(', ')}`] : []),
    ...(otherPhones.length > 0 ? [`Other phones: ${otherPhones.join(', ')}`] : []),
    ...(status !== '' && !leadStatus ? [`Lead status: ${status}`] : []),
  ]
  const checked = importedContact.safeParse({
    ...name,
    email,
    phone_number: phone,
    role_title: first(cells, 'role_title'),
    company: first(cells, 'company'),
    lead_score: score,
    notes: noteParts.join('\n'),
  })
  if (!checked.success) return { problem: problemOf(checked.error) }
  return {
    values: {
      ...checked.data,
      // A record that is there gets each part by itself, unless it has it already.
      note_parts: noteParts.length > 1 ? noteParts : null,
      lead_score: scoreText === '' ? null : checked.data.lead_score,
      lead_status: leadStatus,
      // What the dry run tells is changed.
      file_status: isOurStatus(status) ? null : status,
    },
  }
}

/** All values of a field, of several columns and of cells with several, each once. */
function valuesOf(cells: Cells, field: string): string[] {
  return [...new Set((cells.get(field) ?? []).flatMap(cellValues))]
}

function readCompany(cells: Cells): ImportRow {
  const checked = companySchema.safeParse({
    name: first(cells, 'name'),
    website: first(cells, 'website'),
    industry: first(cells, 'industry'),
    location: (cells.get('location') ?? []).join(', '),
  })
  return checked.success ? { values: checked.data } : { problem: problemOf(checked.error) }
}

const importedDeal = dealSchema
  .pick({ name: true, value: true, expected_close_date: true })
  .extend({
    pipeline: optionalText('Pipeline', 200),
    stage: optionalText('Stage', 200),
    lost_reason: lostReasonSchema.shape.reason,
    company: optionalText('Company', 200),
    contact_first_name: optionalText('Contact', 200),
    contact_last_name: optionalText('Contact', 200),
    contact_email: optionalEmail('Contact Email'),
  })

function readDeal(cells: Cells, { dayOrder, isOwn }: ImportPlan): ImportRow {
  const valueText = first(cells, 'value')
  const value = valueText === '' ? 0 : amountOf(valueText)
  if (value === null) return { problem: `Value: "${valueText}" is not a number.` }
  const closeText = first(cells, 'expected_close_date')
  const close = closeText === '' ? '' : dayIn(closeText, dayOrder)
  if (close === null) {
    return { problem: `Expected Close Date: "${closeText}" is not a date that can be read.` }
  }
  const closed = momentOrProblem(first(cells, 'closed_at'), 'Closed At', dayOrder)
  if ('problem' in closed) return closed
  const contacts = first(cells, 'contact')
  const fileStage = first(cells, 'stage')
  const { stage, isOverruled } = stageOf(fileStage, first(cells, 'status'), isOwn)
  const checked = importedDeal.safeParse({
    name: first(cells, 'name'),
    // More decimals than cents are a matter of the other product's arithmetic.
    value: Math.round(value * 100) / 100,
    expected_close_date: close,
    pipeline: first(cells, 'pipeline'),
    stage,
    lost_reason: first(cells, 'lost_reason'),
    company: first(cells, 'company'),
    ...contactOf(cells, isOwn),
  })
  if (!checked.success) return { problem: problemOf(checked.error) }
  return {
    values: {
      ...checked.data,
      value: valueText === '' ? null : checked.data.value,
      closed_at: closed.moment,
      // What the dry run tells is changed.
      file_stage: isOverruled ? fileStage : null,
      file_contacts: /;\s*\S/.test(contacts) ? contacts : null,
    },
  }
}

/** Whom a deal is with: in parts, or `Ada Lovelace`, `ada@example.com` or, of several, `Ada Lovelace (ada@example.com); …`. */
function contactOf(cells: Cells, isOwn: boolean) {
  const email = first(cells, 'contact_email')
  const parts = {
    contact_first_name: first(cells, 'contact_first_name'),
    contact_last_name: first(cells, 'contact_last_name'),
  }
  if (parts.contact_first_name || parts.contact_last_name) return { ...parts, contact_email: email }
  const text = first(cells, 'contact')
  // So the list calls whoever has no name; nobody is called so.
  const [one = ''] = isOwn && text === unnamed ? [] : text.split(';')
  const [, address = ''] = /([^\s@()<>]+@[^\s@()<>]+)/.exec(one) ?? []
  const { first_name, last_name } = splitName(
    one
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
