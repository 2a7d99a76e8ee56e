import { companyFields } from './fields/companies.ts'
import { contactFields } from './fields/contacts.ts'
import { dealFields } from './fields/deals.ts'
import { type Field, type Fields, labelOf } from './fields/field.ts'
import {
  companyHeaders,
  contactHeaders,
  dealHeaders,
  type Language,
  type Names,
  prefixes,
  roleNames,
} from './fields/headers.ts'
import type { OwnField } from './fields/own.ts'
import { withContent, withNameless, withoutOthers } from './import-content.ts'
import { type SaysOfContact, withDealRoles } from './import-deal-roles.ts'
import { withLabels } from './import-lists.ts'
import { ownColumns } from './import-own.ts'
import {
  dealFieldOf,
  isSideField,
  kindOfSide,
  type Side,
  sideLabels,
  sideName,
  sideOf,
  sides,
  withoutSide,
} from './import-sides.ts'
import { isOutcomeWord } from './import-stage.ts'
import {
  foldedNames,
  foldHeader,
  type KnownHeaders,
  knownHeaders,
  type Match,
} from './known-headers.ts'

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

/** The fields of the contact and the company of a deal that a column of a file of deals may fill. */
const besideDeals: [name: string, label: string, field: Field][] = sides.flatMap((side) =>
  importable[kindOfSide[side]]
    .filter(([name]) => isSideField(side, name))
    .map(([name, field]): [string, string, Field] => [
      sideName(side, name),
      `${sideLabels[side]}: ${labelOf(field, 'import')}`,
      field,
    ]),
)

/** The labels of these fields for the choice of a column. */
export const importFields: Record<ImportKind, Record<string, string>> = {
  contacts: labelsOf('contacts'),
  companies: labelsOf('companies'),
  deals: {
    ...labelsOf('deals'),
    ...Object.fromEntries(besideDeals.map(([name, label]) => [name, label])),
  },
}

function labelsOf(kind: ImportKind): Record<string, string> {
  return Object.fromEntries(
    importable[kind].map(([name, field]) => [name, labelOf(field, 'import')]),
  )
}

/** The field that each column fills, by the place of the column; null where it fills none. */
export type ImportMapping = (string | null)[]

/** Fields that several columns may fill together; every other field takes the best column. */
const manyColumns = fieldsFilledBy('many columns')

/** Fields with a column for each numbered entry, such as 'Phone 2': the best one for each number fills it. */
const numberedColumns = fieldsFilledBy('numbered columns')

function fieldsFilledBy(columns: Field['import']): Set<string> {
  const all = [
    ...Object.values(importable).flat(),
    ...besideDeals.map(([name, , field]): [string, Field] => [name, field]),
  ]
  return new Set(all.filter(([, field]) => field.import === columns).map(([name]) => name))
}

/**
 * Which of several people a column is about: 2 of `Contact 2`. In `Email 2` the number tells addresses of one person apart,
 * not people.
 */
export function personNumber(field: string, header: string): number {
  const number = ['contact', 'contact_role'].includes(field) ? /\d+/ : /\d+(?=.*\p{L})/u
  return Number(number.exec(header)?.[0] ?? 1)
}

/** The headers that name a field, by kind; they are made when the first file is read. */
const known = new Map<ImportKind, KnownHeaders>()

function headersOf(kind: ImportKind): KnownHeaders {
  const made = known.get(kind) ?? knownHeaders(namesOf[kind]())
  known.set(kind, made)
  return made
}

const namesOf: Record<ImportKind, () => Parameters<typeof knownHeaders>[0]> = {
  contacts: () => namedFields('contacts', contactFields, contactHeaders),
  companies: () => namedFields('companies', companyFields, companyHeaders),
  deals: () => namedFields('deals', dealFields, dealHeaders),
}

function namedFields(kind: ImportKind, fields: Fields, headers: Record<string, Names | undefined>) {
  return Object.entries(fields)
    .filter(([, field]) => field.import)
    .map(([column, field]) => {
      const name = importName(column, field)
      return { name, field, label: importFields[kind][name] ?? '', names: headers[column] ?? {} }
    })
}

const [ofContacts, ofCompanies, ofDeals] = [
  foldedNames(prefixes.contacts),
  foldedNames(prefixes.companies),
  foldedNames(prefixes.deals),
]
const prefixesOf: Record<ImportKind, string[]> = {
  contacts: ofContacts,
  companies: ofCompanies,
  deals: ofDeals,
}

/** What a folded header names in each language: itself, or without the kind of record before it. */
function matchesOf(kind: ImportKind, header: string): Map<Language, Match> | undefined {
  const headers = headersOf(kind)
  const exact = headers.get(header)
  if (exact || header === '') return exact
  for (const rest of withoutPrefix(header, prefixesOf[kind])) {
    const found = headers.get(rest)
    if (found) return found
  }
  if (kind !== 'deals') return undefined
  // `Person - Email` in a file of deals is about their contacts.
  const named = withoutPrefix(header, ofContacts)
    .map((rest) => headers.get(rest))
    .find((found) => [...(found?.values() ?? [])].some(({ field }) => field.startsWith('contact_')))
  return named ?? sideMatches(header)
}

/** What a header of a file of deals names of their contacts or companies: `Person - Phone`, `Organization - Address`. */
function sideMatches(header: string): Map<Language, Match> | undefined {
  const found = [
    ...sides.map((side) => ({ side, match: afterWord(side, header) })),
    ...sides.map((side) => ({ side, match: alone(side, header) })),
  ].find(({ match }) => match)
  if (!found?.match) return undefined
  return new Map([...found.match].map(([key, match]) => [key, ofSide(found.side, match)]))
}

/** A lead and a business may be the deal itself, and mails go to people as well as to companies. */
const notOfSides = foldedNames('Lead, Subscriber, Business, Mailing')

function afterWord(side: Side, header: string): Map<Language, Match> | undefined {
  const words = prefixesOf[kindOfSide[side]].filter((word) => !notOfSides.includes(word))
  const headers = headersOf(kindOfSide[side])
  return withoutPrefix(header, words)
    .map((rest) => headers.get(rest))
    .find(Boolean)
}

/** Fields whose headers say without another word that they are not about the deal. */
const neverOfDeals: Record<Side, string[]> = {
  contact: ['phone_number', 'role_title', 'birthday'],
  company: ['website', 'industry'],
}

function alone(side: Side, header: string): Map<Language, Match> | undefined {
  const found = [...(headersOf(kindOfSide[side]).get(header) ?? [])].filter(
    ([, { field, isDoubtful }]) => !isDoubtful && neverOfDeals[side].includes(field),
  )
  return found.length > 0 ? new Map(found) : undefined
}

function ofSide(side: Side, match: Match): Match {
  const { field } = match
  // A header that names the deal's own field wins over one that names it for the contact or company.
  if (!isSideField(side, field)) {
    return { ...match, field: dealFieldOf[side][field] ?? field, rank: match.rank + 500 }
  }
  return { ...match, field: sideName(side, field) }
}

/** A header without its prefix, and without a second one: Pipedrive writes `Deal - Deal created`. */
function withoutPrefix(header: string, all: string[]): string[] {
  const once = all
    .filter((prefix) => header.startsWith(prefix) && header !== prefix)
    .map((prefix) => header.slice(prefix.length))
  return [...once, ...once.flatMap((rest) => withoutPrefix(rest, all))]
}

const foldedOf = new WeakMap<Names, Set<string>>()

/** Whether a header of deals is one of these names, in whatever language and with whatever prefix. */
export function isNamed(header: string, names: Names): boolean {
  const all = foldedOf.get(names) ?? new Set(Object.values(names).flatMap(foldedNames))
  foldedOf.set(names, all)
  const folded = foldHeader(header)
  return [folded, ...withoutPrefix(folded, ofDeals)].some((name) => all.has(name))
}

/** What each column names, in English and in the one other language that knows most of the rest. */
function matchColumns(kind: ImportKind, columns: string[]): (Match | null)[] {
  const found = columns.map((column) => matchesOf(kind, foldHeader(column)))
  const counts = new Map<Language, number>()
  for (const languages of found) {
    if (!languages || languages.has('en')) continue
    for (const language of languages.keys()) {
      counts.set(language, (counts.get(language) ?? 0) + 1)
    }
  }
  const [language] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? ['en']
  const matches = found.map((languages) => languages?.get('en') ?? languages?.get(language) ?? null)
  return kind === 'deals' ? withDealRoles(matches, columns.map(saysOfContact)) : matches
}

const roleHeaders = new Set(Object.values(roleNames).flatMap(foldedNames))

function saysOfContact(column: string): SaysOfContact {
  const header = foldHeader(column)
  const all = [header, ...withoutPrefix(header, ofContacts)]
  const fields = all.flatMap((name) => [...(headersOf('contacts').get(name)?.values() ?? [])])
  return {
    job: fields.some(({ field }) => field === 'role_title'),
    role: all.some((name) => roleHeaders.has(name)),
  }
}

/** The fields that some columns name beyond doubt. */
export function sureFields(kind: ImportKind, columns: string[]): Set<string> {
  const matches = matchColumns(kind, columns)
  return new Set(matches.flatMap((match) => (match && !match.isDoubtful ? [match.field] : [])))
}

/** Maps a column to another field; a field for one column is taken from the column before. */
export function withColumn(
  mapping: ImportMapping,
  column: number,
  field: string | null,
  isShared = field !== null && (manyColumns.has(field) || numberedColumns.has(field)),
): ImportMapping {
  return mapping.map((now, place) => {
    if (place === column) return field
    return now === field && field !== null && !isShared ? null : now
  })
}

/**
 * Maps columns to fields by their headers and, where those leave it open, by the cells of these rows. A column that is called
 * like a field of the user's own fills it, unless one of ours is called the same.
 */
export function mapColumns(
  kind: ImportKind,
  columns: string[],
  rows: string[][] = [],
  own: readonly OwnField[] = [],
  isOwn = false,
): ImportMapping {
  const mapping: ImportMapping = ownColumns(kind, columns, own).map((name, place) =>
    isOurs(kind, name, columns[place] ?? '') ? null : name,
  )
  const matches = matchColumns(kind, columns).map((match, place) => (mapping[place] ? null : match))
  for (const field of Object.keys(importFields[kind])) {
    for (const place of placesOf(field, columns, matches, rows)) mapping[place] = field
  }
  const such = withoutOthers(
    kind === 'deals' ? withSides(mapping, columns, matches) : mapping,
    rows,
  )
  const settled = kind === 'contacts' ? withNames(such, rows) : withoutOtherStatus(such, rows)
  // The columns of our own file say what they are.
  const found = isOwn ? settled : withContent(kind, columns, settled, rows)
  return withLabels(kind === 'contacts' ? withNameless(columns, found, rows) : found, columns)
}

/** Whether a column that is called like an own field is called like one of ours, too. */
function isOurs(kind: ImportKind, name: string | null, column: string): boolean {
  const side = sideOf(name)?.side
  const labels = Object.values(importFields[side ? kindOfSide[side] : kind])
  const called = (side ? withoutSide(side, column) : column).trim().toLowerCase()
  return labels.some((label) => label.toLowerCase() === called)
}

/** Whether a file of deals names their contacts, or their companies: of nobody else can its columns tell anything. */
export function namesSide(mapping: ImportMapping, side: Side): boolean {
  return side === 'company'
    ? mapping.includes('company')
    : mapping.some(
        (field) =>
          field?.startsWith('contact') && field !== 'contact_role' && sideOf(field) === null,
      )
}

/** What is told of a second contact is not of the main one, which may have several addresses. */
function withSides(
  mapping: ImportMapping,
  columns: string[],
  matches: (Match | null)[],
): ImportMapping {
  return mapping.map((field, place) => {
    const isOfMain = personNumber('', columns[place] ?? '') === 1
    if (field === null && matches[place]?.field === 'contact_email' && isOfMain) {
      return sideName('contact', 'emails')
    }
    if (field === 'contact_role' && !namesSide(mapping, 'contact')) return null
    const side = sideOf(field)?.side
    return !side || (isOfMain && namesSide(mapping, side)) ? field : null
  })
}

/** A status that never says won, lost or open is another program's, and tells nothing about how a deal ended. */
function withoutOtherStatus(mapping: ImportMapping, rows: string[][]): ImportMapping {
  return mapping.map((field, place) => {
    if (field !== 'status') return field
    const words = rows.map((row) => cell(row, place)).filter(Boolean)
    return words.length === 0 || words.some(isOutcomeWord) ? field : null
  })
}

type Candidate = Match & { place: number; isFilled: boolean }

/** The columns that fill a field. */
function placesOf(
  field: string,
  columns: string[],
  matches: (Match | null)[],
  rows: string[][],
): number[] {
  const all = matches.flatMap((match, place): Candidate[] =>
    match?.field === field ? [{ ...match, place, isFilled: isFilled(rows, place) }] : [],
  )
  const sure = all.filter(({ isDoubtful }) => !isDoubtful)
  const candidates = sure.length > 0 ? sure : all
  if (manyColumns.has(field)) return candidates.map(({ place }) => place)
  if (!numberedColumns.has(field)) return bestOf(candidates, columns, rows)
  const numberOf = ({ place }: Candidate) => personNumber(field, columns[place] ?? '')
  return [...new Set(candidates.map(numberOf))].flatMap((number) =>
    bestOf(
      candidates.filter((candidate) => numberOf(candidate) === number),
      columns,
      rows,
    ),
  )
}

/** The column that fills a field best, and those of its name that do not contradict it. */
function bestOf(candidates: Candidate[], columns: string[], rows: string[][]): number[] {
  const [best] = candidates.toSorted(
    (a, b) => Number(b.isFilled) - Number(a.isFilled) || a.rank - b.rank,
  )
  if (!best) return []
  // Two columns of one name both count where they do not contradict each other: the first cell with a value counts.
  const twins = candidates.filter(
    ({ place }) =>
      place !== best.place &&
      foldHeader(columns[place] ?? '') === foldHeader(columns[best.place] ?? '') &&
      !rows.some((row) => cell(row, place) && cell(row, best.place)),
  )
  return [best, ...twins].map(({ place }) => place)
}

function cell(row: string[], place: number): string {
  return (row[place] ?? '').trim()
}

function isFilled(rows: string[][], place: number): boolean {
  return rows.some((row) => cell(row, place) !== '')
}

/**
 * `Name` beside a first name is the last name, as `Nom` beside `Prénom`, and beside a last name the first one, as
 * `Nombre` beside `Apellidos`; unless it repeats that part, and so is the full name.
 */
function withNames(mapping: ImportMapping, rows: string[][]): ImportMapping {
  const full = mapping.indexOf('full_name')
  const [first, last] = [mapping.indexOf('first_name'), mapping.indexOf('last_name')]
  if (full < 0 || first < 0 === last < 0) return mapping
  const part = Math.max(first, last)
  const named = rows.filter((row) => cell(row, full) && cell(row, part))
  const repeats = named.filter((row) => cell(row, full).includes(cell(row, part))).length
  if (named.length > 0 && repeats * 2 >= named.length) {
    return mapping.with(part, null)
  }
  return mapping.with(full, first < 0 ? 'first_name' : 'last_name')
}

/** How many cells of a row match a field, if it were the header. */
export function knownColumns(kind: ImportKind, columns: string[]): number {
  return mapColumns(kind, columns).filter((field) => field !== null).length
}
