import { fold } from './fold.ts'
import { isLink } from './import-entries.ts'
import type { ImportKind, ImportMapping } from './import-headers.ts'
import { plainField } from './import-sides.ts'
import { foldHeader } from './known-headers.ts'

/** Of so many rows the cells are looked at. */
const sample = 1000

/** Which field takes which cells. Deals have none: an address in their file may be that of whoever sells. */
const fieldsByContent: Record<ImportKind, [field: string, isSuch: (text: string) => boolean][]> = {
  contacts: [
    ['email', isAddress],
    ['phone_number', isPhone],
  ],
  companies: [
    ['website', isWebsite],
    ['emails', isAddress],
    ['phones', isPhone],
  ],
  deals: [],
}

/** Headers of what belongs to somebody else, or is another thing that looks alike. */
const others =
  /owner|assign|createdby|modifiedby|updatedby|assistant|manager|salesrep|referr|besitzer|zustandig|propri|propiet|responsab|eigenaar|agare|wlascicie|所有者|fax|telecopi|faks|ファックス/

/** Fields that never hold addresses: a column of one of them whose cells all are addresses becomes the email. */
const neverAddresses = [
  'full_name',
  'first_name',
  'last_name',
  'company',
  'role_title',
  'phone_number',
]

/** Maps columns by their cells, where no header names the field: a column of addresses is an e-mail column, whatever its name. */
export function withContent(
  kind: ImportKind,
  columns: string[],
  mapping: ImportMapping,
  rows: string[][],
): ImportMapping {
  const first = rows.slice(0, sample)
  const cells = columns.map((_, place) =>
    first.map((row) => (row[place] ?? '').trim()).filter((text) => text !== ''),
  )
  return fieldsByContent[kind].reduce((now, [field, isSuch]) => {
    const isNamed = now.some((each, place) => each === field && cells[place]?.length)
    if (isNamed) return now
    return now.map((each, place) => {
      // `Contact` may hold nothing but addresses; a name with an address after it is a name, too.
      const isMistaken =
        field === 'email' &&
        neverAddresses.some((name) => name === each) &&
        (cells[place] ?? []).every(isBareAddress)
      const isFree = (each === null || isMistaken) && !others.test(foldHeader(columns[place] ?? ''))
      return isFree && areSuch(cells[place] ?? [], isSuch) ? field : each
    })
  }, mapping)
}

/** A column without a header, as `columnNames` calls it. */
const nameless = /^Column \d+$/

/** Two to five words without a figure, as most people are called; a company, too, which nobody can tell. */
function isFullName(text: string): boolean {
  return text.length <= 60 && /^\p{Lu}[\p{L}\p{M}.'’-]*(?:,? [\p{L}\p{M}.'’-]+){1,4}$/u.test(text)
}

/** One word of a name, with what may stand before it: `Lovelace`, `O’Brien`, `van Beek`, `Ana-Maria`. */
function isNamePart(text: string): boolean {
  return text.length <= 40 && /^(?:\p{Ll}{1,3}\s){0,2}\p{Lu}[\p{L}\p{M}.'’-]*$/u.test(text)
}

/** The letters of a text, without accents. */
function lettersOf(text: string): string {
  return fold(text).replace(/[^\p{L}]/gu, '')
}

/** What an address says of two words that may be a first and a last name: both of them, one, or neither. */
function toldByAddress(address: string, first: string, last: string): 'both' | 'one' | null {
  const mailbox = lettersOf(/([^<\s:]+)@/.exec(address)?.[1] ?? '')
  const [one, other] = [lettersOf(first), lettersOf(last)]
  if (mailbox === '' || one === '' || other === '') return null
  const isShort = [`${one[0]}${other}`, `${one}${other[0]}`].includes(mailbox)
  if (isShort || (mailbox.startsWith(one) && mailbox.slice(one.length).includes(other)))
    return 'both'
  return mailbox === one || mailbox === other ? 'one' : null
}

/**
 * Whether two columns of single words are a first and a last name. They may as well be a company and its city, so the addresses
 * beside them must say it: `ada.lovelace@`, `alovelace@`.
 */
function areFirstAndLast(rows: string[][], first: number, last: number, email: number): boolean {
  const told = rows.flatMap((row) => {
    const [one = '', other = '', address = ''] = [first, last, email].map((at) => row[at]?.trim())
    return one && other && address ? [toldByAddress(address, one, other)] : []
  })
  const [both, some] = [told.filter((each) => each === 'both').length, told.filter(Boolean).length]
  return both > 0 && both * 2 >= some && some * 2 >= told.length
}

/** The mapping with the first two columns beside each other that are a first and a last name, in whatever order; null when there are none. */
function withFirstAndLast(mapping: ImportMapping, rows: string[][]): ImportMapping | null {
  const email = mapping.indexOf('email')
  const isName = (place: number) => {
    const cells = rows.map((row) => (row[place] ?? '').trim()).filter((text) => text !== '')
    return mapping[place] === null && areSuch(cells, isNamePart)
  }
  const first = mapping.findIndex(
    (_, at) => at + 1 < mapping.length && isName(at) && isName(at + 1),
  )
  if (email < 0 || first < 0) return null
  for (const [one, other] of [
    [first, first + 1],
    [first + 1, first],
  ] as const) {
    if (areFirstAndLast(rows, one, other, email)) {
      return mapping.with(one, 'first_name').with(other, 'last_name')
    }
  }
  return null
}

/** Maps the first column of names beside addresses, or two of first and last names, in a file of people without a header. */
export function withNameless(
  columns: string[],
  mapping: ImportMapping,
  rows: string[][],
): ImportMapping {
  const reaches = mapping.includes('email') || mapping.includes('phone_number')
  if (!reaches || !columns.every((name) => nameless.test(name))) return mapping
  const first = rows.slice(0, sample)
  const inParts = withFirstAndLast(mapping, first)
  if (inParts) return inParts
  const cellsAt = (place: number) =>
    first.map((row) => (row[place] ?? '').trim()).filter((text) => text !== '')
  const place = mapping.findIndex((field, at) => field === null && areSuch(cellsAt(at), isFullName))
  return place < 0 ? mapping : mapping.with(place, 'full_name')
}

/** What the cells of some fields must be: another program's `Twitter` may hold a name, and `Address` e-mail addresses. */
const isSuchOf: Record<string, (text: string) => boolean> = {
  links: (text) => text.split(/ ::: |[\s,;]+/).every(isLink),
  emails: isAddress,
  addresses: (text) => !isAddress(text),
}

/** Takes columns from fields that most of their cells cannot fill. */
export function withoutOthers(mapping: ImportMapping, rows: string[][]): ImportMapping {
  const first = rows.slice(0, sample)
  return mapping.map((field, place) => {
    const isSuch = isSuchOf[plainField(field) ?? '']
    if (!isSuch) return field
    const cells = first.map((row) => (row[place] ?? '').trim()).filter((text) => text !== '')
    // Brackets hold the labels in a file of ours.
    const plain = cells.map((text) => text.replace(/\s+\([^()]*\)(?=$|\n)/g, ''))
    return plain.filter(isSuch).length >= cells.length * 0.8 ? field : null
  })
}

/** Nearly all cells are such, and not one for all rows, as that of an owner would be. */
function areSuch(cells: string[], isSuch: (text: string) => boolean): boolean {
  if (cells.length === 0) return false
  const isVaried = cells.length < 4 || new Set(cells).size * 2 > cells.length
  return isVaried && cells.filter(isSuch).length >= cells.length * 0.8
}

/** `ada@example.com`, `mailto:ada@example.com`, `Ada <ada@example.com>`, and several of them. */
export function isAddress(text: string): boolean {
  // The name before an address may hold a comma, in quotation marks.
  return text
    .replace(/"[^"]*"/g, '')
    .split(/ ::: |[;,\n]/)
    .every((part) =>
      /^(?:[^<>@]{0,100}<)?(?:mailto:)?[^\s@<>,;]+@[^\s@<>,;]+\.\p{L}{2,}>?$/iu.test(part.trim()),
    )
}

function isBareAddress(text: string): boolean {
  return isAddress(text) && !text.includes('<')
}

/**
 * A phone number as people write it. Mere digits may as well be an id or an amount, so it must begin as a number for
 * calls does, or be parted as one.
 */
export function isPhone(text: string): boolean {
  return text.split(/ ::: |[;,\n]/).every((part) => {
    const number = part.trim().replace(/\s*(?:ext|x)\.?\s*\d{1,6}$/i, '')
    const digits = number.replace(/\D/g, '').length
    if (digits < 8 || digits > 15 || !/^\+?[\d\s().\-/]+$/.test(number)) return false
    if (/^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(number)) return false
    return /^(?:\+|00[1-9]|0[1-9]|\(\d{1,5}\)[\s\d])|^(?:1[-. ])?\d{3}[-. ]\d{3}[-. ]\d{4}$/.test(
      number,
    )
  })
}

/** The address of a site; a page in a network of people is none. */
export function isWebsite(text: string): boolean {
  if (/(?:linkedin|facebook|instagram|twitter|xing|youtube|\bx)\.com?\//i.test(text)) return false
  if (/\.(?:png|jpe?g|gif|svg|pdf)$/i.test(text)) return false
  return /^(?:https?:\/\/)?(?:[\p{L}\d-]+\.)+\p{L}{2,24}(?:[/?#:]\S*)?$/iu.test(text)
}
