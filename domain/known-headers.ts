import type { Field } from './fields/field.ts'
import { type Language, type Names, placeVariants, variants } from './fields/headers.ts'
import { fold } from './fold.ts'

/** The field that a header names, and how surely: 0 is best. */
export type Match = {
  field: string
  rank: number
  /** Such a name counts only where no other column names the field. */
  isDoubtful: boolean
}

/** The fields that a folded header names, by language. */
export type KnownHeaders = Map<string, Map<Language, Match>>

/** No header is longer; a cell of a note is. */
const longestHeader = 100

/** `E-mail 2 - Value`, `email value` and `*|EMAILVALUE|*` are the same column: letters only, without accents. */
export function foldHeader(header: string): string {
  if (header.length > longestHeader) return ''
  return fold(header.normalize('NFKC')).replace(/[^\p{L}]+/gu, '')
}

/** The names of a list, folded. */
export function foldedNames(names = ''): string[] {
  return names.split(',').map(foldHeader)
}

/** All headers of some fields: what we call them, and what other programs do. */
export function knownHeaders(
  fields: { name: string; field: Field; label: string; names: Names }[],
): KnownHeaders {
  const known: KnownHeaders = new Map()
  const add = (header: string, language: Language, match: Match) => {
    const languages = known.get(header) ?? new Map<Language, Match>()
    if (!languages.has(language)) known.set(header, languages.set(language, match))
  }
  for (const { name, label } of fields) {
    add(foldHeader(label), 'en', { field: name, rank: -1, isDoubtful: false })
  }
  for (const { name, field, names } of fields) {
    for (const [key, list] of Object.entries(names)) {
      // The keys of the names are the languages.
      const language = key as Language
      for (const [rank, text] of list.split(',').entries()) {
        const isDoubtful = text.endsWith('?')
        add(foldHeader(text), language, { field: name, rank, isDoubtful })
      }
    }
    if (hasVariants(field)) addVariants(name, names, wordsBeside(field), add)
  }
  return known
}

function hasVariants({ kind }: Field): boolean {
  return ['email', 'emails', 'phone', 'phones', 'addresses', 'links'].includes(kind)
}

function wordsBeside({ kind }: Field): Names[] {
  return kind === 'addresses' ? [variants, placeVariants] : [variants]
}

/** 'Work Email', 'E-mail (home)', 'Telefon privat', 'Mailing City', 'Work Website'. */
function addVariants(
  field: string,
  names: Names,
  beside: Names[],
  add: (header: string, language: Language, match: Match) => void,
): void {
  for (const [key, list] of beside.flatMap((words) => Object.entries(words))) {
    // The keys of the variants are the languages.
    const language = key as Language
    // `E-Mail` is said in every language.
    const bases = foldedNames(`${names.en ?? ''}, ${names[language] ?? ''}`).filter(Boolean)
    for (const [place, variant] of foldedNames(list).entries()) {
      const match = { field, rank: 100 + place, isDoubtful: false }
      for (const base of bases) {
        add(`${variant}${base}`, language, match)
        add(`${base}${variant}`, language, match)
      }
    }
  }
}
