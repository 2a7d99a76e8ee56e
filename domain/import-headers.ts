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

/** A file says a record by its name, not by its id. */
function importName(name: string, { kind, key }: Field): string {
  return kind === 'record' && key ? key : name
}

/** The same with their names in the list of choices. */
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

/** Fields that several columns may fill together; of every other field one column is the best. */
const manyColumns = new Set(
  Object.values(importable)
    .flat()
    .filter(([, field]) => field.import === 'many columns')
    .map(([name]) => name),
)

/** What a column that fills a field may be called, folded, the surest name first. */
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

/** The mapping with one column filling another field; where only one column may fill it, that one. */
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

/** How sure it is that a column fills a field: the smaller the surer, null when it is not known to. */
function rank(kind: ImportKind, field: string, folded: string): number | null {
  const numbered = folded.replace(/\d+/g, '#')
  const found = headers[kind][field]?.findIndex((name) => name === folded || name === numbered)
  return found === undefined || found < 0 ? null : found
}

/** Which field each column fills, as far as its name tells. */
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

/** How many columns of a row would fill something, if it were the header. */
export function knownColumns(kind: ImportKind, columns: string[]): number {
  return mapColumns(kind, columns).filter((field) => field !== null).length
}

/** What a file most likely holds. */
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
