import { type AddressPart, labelStored, longestLabel } from './fields/entries.ts'
import {
  addressHeaders,
  contactHeaders,
  labelWords,
  type Names,
  placeLabels,
  placeVariants,
  prefixes,
  variants,
  wholeAddress,
} from './fields/headers.ts'
import { foldedNames, foldHeader } from './known-headers.ts'

/** A column that fills a list, or the first of one. */
export type ListColumn = {
  place: number
  field: string
  header: string
  /** What its header says of all its entries. */
  label: string
  /** The column beside it that says the label row by row, as Google's files have it; -1 for none. */
  labelPlace: number
  /** Columns of one group are the parts of one postal address. */
  group: string
  part: AddressPart | 'whole'
}

const listFields = ['email', 'emails', 'phone_number', 'phones', 'links', 'addresses']

/** `E-mail 1 - Label`: the label of what `E-mail 1 - Value` holds. */
const labelColumn = /^((?:e-?mail|phone|address|website|organization) \d+) - (?:label|type)$/i

/** Whether a column says which of several an entry is. */
export function isLabelColumn(name: string): boolean {
  return labelColumn.test(name)
}

/** Lets the columns with labels fill the list whose entries they tell apart. */
export function withLabels(mapping: (string | null)[], columns: string[]): (string | null)[] {
  return mapping.map((field, place) => {
    const [, of] = labelColumn.exec(columns[place] ?? '') ?? []
    if (!of || field !== null) return field
    const told = columns.findIndex(
      (name, other) => name.startsWith(`${of} - `) && listFields.includes(mapping[other] ?? ''),
    )
    const list = mapping[told] ?? null
    return list === 'email' ? 'emails' : list === 'phone_number' ? 'phones' : list
  })
}

/** The columns that fill lists, without those that hold labels. */
export function listColumns(mapping: (string | null)[], columns: string[]): ListColumn[] {
  const found = mapping.flatMap((field, place): ListColumn[] => {
    const header = columns[place] ?? ''
    if (field === null || !listFields.includes(field) || isLabelColumn(header)) return []
    const [of] = header.split(' - ')
    const labelPlace = columns.findIndex((name) => labelColumn.exec(name)?.[1] === of)
    const base = { place, field, header, labelPlace, group: '', part: 'whole' } as const
    if (field === 'addresses') return [{ ...base, ...placeIn(header) }]
    return [{ ...base, label: field === 'links' ? linkLabel(header) : labelIn(header) }]
  })
  const inParts = new Set(
    found.filter(({ header }) => isPartOf.test(header)).map(({ group }) => group),
  )
  return found.map((column) => {
    const isWhole = column.field === 'addresses' && inParts.has(column.group)
    return isWhole && !isPartOf.test(column.header) ? { ...column, part: 'whole' } : column
  })
}

/** `City of Postal address`: beside such columns `Postal address` holds all of them in one text. */
const isPartOf = / of (?:postal )?address$/i

/** What a row says of the label of an entry. */
export function labelAt({ label, labelPlace }: ListColumn, row: string[]): string {
  // Google marks the entry that is used by default with a star.
  const reported = (row[labelPlace] ?? '').trim().replace(/^\* ?/, '')
  return labelStored((reported || label).slice(0, longestLabel))
}

type LabelWord = { label: string; word: string }

let labelsMade: LabelWord[] | undefined

/** The words that say a label, folded, the surest first. */
function labelList(): LabelWord[] {
  labelsMade ??= Object.entries(labelWords).flatMap(([label, words]) =>
    foldedNames(words).map((word) => ({ label, word })),
  )
  return labelsMade
}

/** The words of a header: `E-mail (home)`, `workPhone`. */
function wordsOf(header: string): string[] {
  return header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{M}’']+/gu) ?? []
}

/** Words of a header that are the names of addresses and numbers themselves. */
let plainMade: Set<string> | undefined

function plainWords(): Set<string> {
  const { email = {}, phone_number = {} } = contactHeaders
  plainMade ??= new Set(
    [
      ...Object.values<string>(email),
      ...Object.values<string>(phone_number),
      prefixes.contacts,
      'Emails, Mails, Phones, Numbers, Addresses, Value, Column, Field, Info, Line, E',
    ]
      .flatMap(wordsOf)
      .map(foldHeader),
  )
  return plainMade
}

/** The label that the header of addresses or numbers says: 'work' of `Work Email`, 'Assistant' of `Assistant's Phone`. */
export function labelIn(header: string): string {
  const whole = foldHeader(header)
  const words = wordsOf(header)
  const folded = words.map(foldHeader)
  const reported = (word: string) =>
    folded.includes(word) ||
    ((word.length > 3 || /[^a-z]/.test(word)) && (whole.startsWith(word) || whole.endsWith(word)))
  const known = labelList().find(({ word }) => reported(word))
  const plain = plainWords()
  if (known?.label) return known.label
  const ranks = new Set(foldedNames(labelWords['']))
  const own = words.filter((_, place) => {
    const word = folded[place] ?? ''
    return !plain.has(word) && !ranks.has(word) && !plain.has(whole)
  })
  return labelStored(capital(own.join(' ').replace(/[’']s?$/, '')).slice(0, longestLabel))
}

const linkWords = new Set(['url', 'urls', 'link', 'links', 'profile', 'value'])

/** The label that the header of a link says: 'LinkedIn' of `LinkedIn Profile URL`. */
function linkLabel(header: string): string {
  const contactWords = new Set(foldedNames(prefixes.contacts))
  // `LinkedIn` is one word.
  const words = header.match(/[\p{L}\p{M}]+/gu) ?? []
  const telling = words.filter((word) => {
    const folded = foldHeader(word)
    return !linkWords.has(folded) && !contactWords.has(folded)
  })
  if (foldHeader(header) === 'links') return ''
  const label = (telling.length > 0 ? telling : words).join(' ')
  return label.toLowerCase() === 'linkedin' ? 'LinkedIn' : capital(label).slice(0, longestLabel)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type Place = Pick<ListColumn, 'group' | 'part' | 'label'>

let placesMade: Map<string, Place> | undefined

/** The parts of addresses by folded header: as they are called, and with what says which address it is. */
function places(): Map<string, Place> {
  if (placesMade) return placesMade
  const made = new Map<string, Place>()
  const add = (header: string, place: Place) => {
    if (header !== '' && !made.has(header)) made.set(header, place)
  }
  const parts: [part: Place['part'], names: Names][] = [
    // The keys of an object have lost their names.
    ...(Object.entries(addressHeaders) as [AddressPart, Names][]),
    ['whole', { en: wholeAddress }],
  ]
  const bases = parts.flatMap(([part, names]) =>
    Object.values(names)
      .flatMap(foldedNames)
      .map((base) => ({ part, base })),
  )
  for (const { part, base } of bases) add(base, { part, group: '', label: '' })
  for (const text of [variants, placeVariants].flatMap((names) => Object.values(names))) {
    for (const variant of text.split(',')) {
      const folded = foldHeader(variant)
      // `Home Address City` is of the same address as `Home City`.
      const which = variant
        .trim()
        .replace(/^of /i, '')
        .replace(/ ?address$/i, '')
      const known = labelList().find(({ word }) => word === foldHeader(which))
      const label = known?.label ?? placeLabels[which] ?? capital(which)
      for (const { part, base } of bases) {
        const place = { part, group: label, label }
        add(`${folded}${base}`, place)
        add(`${base}${folded}`, place)
      }
    }
  }
  placesMade = made
  return made
}

/** Which part of which address a column holds. What is not known is an address of its own, in one text. */
function placeIn(header: string): Place {
  const [, numbered, rest = ''] = /^(address \d+) - (.*)$/i.exec(header) ?? []
  if (numbered) {
    return { part: places().get(foldHeader(rest))?.part ?? 'street', group: numbered, label: '' }
  }
  const folded = foldHeader(header)
  if (folded === 'addresses' || folded === '') return { part: 'whole', group: header, label: '' }
  const prefixed = foldedNames(prefixes.contacts)
    .filter((prefix) => folded.startsWith(prefix))
    .map((prefix) => folded.slice(prefix.length))
  const known = [folded, ...prefixed].map((name) => places().get(name)).find(Boolean)
  return known ?? { part: 'whole', group: header, label: header.trim().slice(0, longestLabel) }
}
