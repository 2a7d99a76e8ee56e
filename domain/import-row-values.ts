import { z } from 'zod'
import type { CellValue } from './fields/cells.ts'
import { checkOf } from './fields/checks.ts'
import { type AnyEntry, isListKind, type ListKind } from './fields/entries.ts'
import { type ImportKind, importable, importFields } from './import-headers.ts'
import { type ListColumn, listColumns } from './import-lists.ts'
import type { ImportPlan } from './import-plan.ts'
import { optionalEmail, optionalText } from './text-fields.ts'

/**
 * A row for the database: its values, and lines for the notes about cells that no field can hold; or why it cannot be
 * imported.
 */
export type ImportRow = { values: Record<string, unknown>; unfit?: string[] } | { problem: string }

/** What tells what a row is about: where such a cell cannot be read, the row is refused. All others are kept in the notes. */
const essential: Record<ImportKind, string[]> = {
  contacts: ['first_name', 'last_name', 'notes'],
  companies: ['name'],
  deals: ['name', 'value', 'stage', 'pipeline', 'company', 'closed_at', 'status'],
}

export function isEssential(kind: ImportKind, field: string): boolean {
  return essential[kind].includes(field) || field.startsWith('contact_')
}

/** 'Birthday: 0000-00-00': what the columns of a field say in a row. */
export function linesOf(field: string, row: string[], plan: ImportPlan): string[] {
  const { kind, mapping, columns } = plan
  return mapping.flatMap((name, place) => {
    const text = (row[place] ?? '').trim()
    return name === field && text !== ''
      ? [`${columns[place] || importFields[kind][field]}: ${text}`]
      : []
  })
}

/** The values of a row with more lines in its notes. */
export function withLines(
  kind: ImportKind,
  values: Record<string, unknown>,
  lines: string[],
): ImportRow {
  if (lines.length === 0) return { values }
  const { notes, note_parts: parts, kept_notes: kept } = values
  if (kind !== 'contacts') {
    const all = [...(Array.isArray(kept) ? kept.map(String) : []), ...lines]
    const tooLong = notesProblem(all)
    return tooLong ? { problem: tooLong } : { values: { ...values, kept_notes: all } }
  }
  const before = Array.isArray(parts) ? parts.map(String) : [notes ?? []].flat().map(String)
  const all = [...before, ...lines]
  const tooLong = notesProblem(all)
  if (tooLong) return { problem: tooLong }
  const note_parts = all.length > 1 ? all : null
  return { values: { ...values, notes: all.join('\n'), note_parts } }
}

/** The non-empty cells of a row by field. */
export type Cells = Map<string, string[]>
export type RawValues = Record<string, CellValue>

/** Reads the values of a row that its kind of record reads in a way of its own. */
export type Reader = (cells: Cells, raw: RawValues, plan: ImportPlan, row: string[]) => ImportRow

export function first(cells: Cells, field: string): string {
  return cells.get(field)?.[0] ?? ''
}

/** The columns that fill each list; those of its first entry come first. */
type Lists = Record<ListKind, ListColumn[]>

const listsOfPlans = new WeakMap<ImportPlan, Lists>()

export function listsOf(plan: ImportPlan): Lists {
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

export function filled(entries: AnyEntry[]): AnyEntry[] | null {
  return entries.length > 0 ? entries : null
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

const personChecks = {
  contact_first_name: optionalText('Contact', 200),
  contact_last_name: optionalText('Contact', 200),
  contact_email: optionalEmail('Contact Email'),
}

const checks: Record<ImportKind, z.ZodObject> = {
  // A lead status of another program is translated later, and the original is kept.
  contacts: checksOf('contacts', { lead_status: z.unknown() }),
  companies: checksOf('companies', {}),
  deals: checksOf('deals', personChecks),
}

/** Checks the values of a row; `others` are added for the database, and `unfit` are the lines that its reader has already. */
export function checkedRow(
  plan: ImportPlan,
  row: string[],
  raw: RawValues,
  others: Record<string, unknown> = {},
  unfit: string[] = [],
): ImportRow {
  const { kind } = plan
  const checked = checks[kind].safeParse(raw)
  if (!checked.success) {
    const names = [...new Set(checked.error.issues.map(({ path }) => String(path[0])))]
    // The whole cell of a field can be kept, unless something else was made of it.
    const isKept = names.every(
      (name) => !isEssential(kind, name) && linesOf(name, row, plan).length > 0,
    )
    if (!isKept) return { problem: problemOf(checked.error) }
    const fitting = { ...raw, ...Object.fromEntries(names.map((name) => [name, ''])) }
    const lines = names.flatMap((name) => linesOf(name, row, plan))
    return checkedRow(plan, row, fitting, others, [...unfit, ...lines])
  }
  // The check would turn an empty number into 0.
  const values = Object.entries(checked.data).filter(([name]) => raw[name] !== '')
  const all = { ...Object.fromEntries(values), ...others }
  return unfit.length > 0 ? { values: all, unfit } : { values: all }
}

const furtherPerson = z.object({
  first_name: personChecks.contact_first_name,
  last_name: personChecks.contact_last_name,
  email: personChecks.contact_email,
})

/** Whether a text can be stored as the address of a contact of a deal. */
export function isStorableEmail(email: string): boolean {
  return personChecks.contact_email.safeParse(email).success
}

/** Why a further contact of a deal cannot be stored; null when it can. */
export function checkPerson(person: Record<string, string>): string | null {
  const checked = furtherPerson.safeParse(person)
  return checked.success ? null : problemOf(checked.error)
}

const longestNote = 50_000

/** Why these lines do not fit into a note; null when they do. */
export function notesProblem(lines: string[]): string | null {
  if (lines.join('\n').length <= longestNote) return null
  return 'The columns for the notes have more than 50,000 characters in this row.'
}

function problemOf(error: z.ZodError): string {
  return error.issues[0]?.message ?? 'The row can’t be read.'
}
