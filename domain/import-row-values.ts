import { z } from 'zod'
import type { CellValue } from './fields/cells.ts'
import { checkOf } from './fields/checks.ts'
import { type AnyEntry, isListKind, type ListKind } from './fields/entries.ts'
import { type ImportKind, importable } from './import-headers.ts'
import { type ListColumn, listColumns } from './import-lists.ts'
import type { ImportPlan } from './import-plan.ts'
import { optionalEmail, optionalText } from './text-fields.ts'

/** A row for the database: its values, or why it cannot be imported. */
export type ImportRow = { values: Record<string, unknown> } | { problem: string }

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

/** Checks the values of a row; `others` are added for the database. */
export function checkedRow(
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

const furtherPerson = z.object({
  first_name: personChecks.contact_first_name,
  last_name: personChecks.contact_last_name,
  email: personChecks.contact_email,
})

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

export function problemOf(error: z.ZodError): string {
  return error.issues[0]?.message ?? 'The row can’t be read.'
}
