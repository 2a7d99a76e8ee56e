import { companyFields } from './fields/companies.ts'
import { contactFields } from './fields/contacts.ts'
import { dealFields } from './fields/deals.ts'
import { type Field, type Fields, labelOf } from './fields/field.ts'
import { companyHeaders, contactHeaders, dealHeaders } from './fields/headers.ts'

/** What can be imported. */
export const importKinds = ['contacts', 'companies', 'deals'] as const

export type ImportKind = (typeof importKinds)[number]

/** The fields that a column may fill, by the names under which the database takes them. */
export const importable: Record<ImportKind, [name: string, field: Field][]> = {
  contacts: importableOf(contactFields),
  companies: importableOf(companyFields),
  deals: importableOf(dealFields),
}

function importableOf(fields: Fields): [name: string, field: Field][] {
  return Object.entries(fields)
    .filter(([, field]) => field.import)
    .map(([name, field]) => [importName(name, field), field])
}

/** The name of a field in imports: a linked record is given by its name, not its id. */
function importName(name: string, { kind, key }: Field): string {
  return kind === 'record' && key ? key : name
}

/** The labels of these fields for the choice of a column. */
export const importFields: Record<ImportKind, Record<string, string>> = {
  contacts: labelsOf('contacts'),
  companies: labelsOf('companies'),
  deals: labelsOf('deals'),
}

function labelsOf(kind: ImportKind): Record<string, string> {
  return Object.fromEntries(
    importable[kind].map(([name, field]) => [name, labelOf(field, 'import')]),
  )
}

/** The field that each column fills, by the place of the column; null where it fills none. */
export type ImportMapping = (string | null)[]

/** Fields that several columns may fill together; every other field takes the best column. */
const manyColumns = new Set(
  Object.values(importable)
    .flat()
    .filter(([, field]) => field.import === 'many columns')
    .map(([name]) => name),
)

/** The folded headers that match a field, the most certain first. */
const headers: Record<ImportKind, Record<string, string[]>> = {
  contacts: headersOf('contacts', contactFields, contactHeaders),
  companies: headersOf('companies', companyFields, companyHeaders),
  deals: headersOf('deals', dealFields, dealHeaders),
}

function headersOf(kind: ImportKind, fields: Fields, known: Record<string, string[] | undefined>) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const ours = importFields[kind][importName(name, field)] ?? ''
      return [importName(name, field), [foldHeader(ours), ...(known[name] ?? [])]]
    }),
  )
}

/** `Person - E-mail`, `person e-mail` and `PersonEMail` are the same column. */
export function foldHeader(header: string): string {
  return header
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Maps a column to another field; a field for one column is taken from the column before. */
export function withColumn(
  mapping: ImportMapping,
  column: number,
  field: string | null,
): ImportMapping {
  return mapping.map((now, place) => {
    if (place === column) return field
    return now === field && field !== null && !manyColumns.has(field) ? null : now
  })
}

/** How well a header matches a field: 0 is best, null is no match. */
function rank(kind: ImportKind, field: string, folded: string): number | null {
  const numbered = folded.replace(/\d+/g, '#')
  const found = headers[kind][field]?.findIndex((name) => name === folded || name === numbered)
  return found === undefined || found < 0 ? null : found
}

/** Maps columns to fields by their headers. */
export function mapColumns(kind: ImportKind, columns: string[]): ImportMapping {
  const folded = columns.map(foldHeader)
  const mapping: ImportMapping = columns.map(() => null)
  for (const field of Object.keys(importFields[kind])) {
    const candidates = folded
      .map((name, place) => ({ place, rank: rank(kind, field, name) }))
      .filter((each): each is { place: number; rank: number } => each.rank !== null)
      .filter(({ place }) => mapping[place] === null)
    const sure = candidates.toSorted((a, b) => a.rank - b.rank)
    for (const { place } of manyColumns.has(field) ? sure : sure.slice(0, 1)) {
      mapping[place] = field
    }
  }
  return mapping
}

/** How many cells of a row match a field, if it were the header. */
export function knownColumns(kind: ImportKind, columns: string[]): number {
  return mapColumns(kind, columns).filter((field) => field !== null).length
}

/** Guesses the kind of records from the headers. */
export function guessKind(columns: string[]): ImportKind {
  const folded = new Set(columns.map(foldHeader))
  const isOfDeals = [...folded].some((name) => /^(deal|opportunity)\b/.test(name))
  if (isOfDeals) return 'deals'
  const [contacts, companies] = [
    knownColumns('contacts', columns),
    knownColumns('companies', columns),
  ]
  return companies > contacts ? 'companies' : 'contacts'
}
