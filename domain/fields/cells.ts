import { birthdayIn, birthdayInFile, daysBeforeIn } from '#domain/birthday.ts'
import { neutralised } from '#domain/csv.ts'
import { amountInCell } from '#domain/import-amount.ts'
import { currencyIn } from '#domain/import-currency.ts'
import { type DayOrder, dayIn, momentIn } from '#domain/import-values.ts'
import { tagsIn } from '#domain/tags.ts'
import { type AnyEntry, isListKind, type ListKind } from './entries.ts'
import { readEntries, writeEntries } from './entry-cells.ts'
import {
  type Field,
  type Fields,
  fieldOf,
  type KeyOf,
  type Kind,
  labelOf,
  valueAt,
} from './field.ts'
import { chosenOf } from './kinds.ts'
import type { OwnValue } from './own-values.ts'

export type CellValue = OwnValue | AnyEntry[]

/** What a cell of a file says, or why it cannot be read. */
type Cell = { value: CellValue } | { problem: string }

/** How each kind is read from a file and written to one; all others are texts. Only imports and exports load it. */
const cells: Partial<
  Record<
    Kind,
    {
      /** Null when the text is none of its kind. */
      read: (text: string, reading: Reading, field: Field) => CellValue | null
      /** What a cell that cannot be read is not. */
      noun: string
      write: (value: unknown, field: Field) => string
    }
  >
> = {
  number: { read: (text) => amountInCell(text), noun: 'a number', write: String },
  money: {
    read(text) {
      const amount = amountInCell(text)
      // More decimals than cents are a matter of the other product's arithmetic.
      return amount === null ? null : Math.round(amount * 100) / 100
    },
    noun: 'a number',
    write: (value) => Number(value).toFixed(2),
  },
  currency: {
    read: (text) => currencyIn(text),
    noun: 'a known currency',
    write: String,
  },
  day: {
    read: (text, { dayOrder }) => dayIn(text, dayOrder),
    noun: 'a valid date',
    write: String,
  },
  moment: {
    read: (text, { dayOrder, timeZone }) => momentIn(text, dayOrder, timeZone),
    noun: 'a valid date',
    write: (value) => new Date(String(value)).toISOString(),
  },
  'yes/no': {
    read: answerIn,
    noun: 'yes or no',
    write: (value) => (value === true ? 'Yes' : 'No'),
  },
  'several choices': {
    read(text, _, field) {
      const chosen = text.split(/[;,|\n]/).flatMap((part) => part.trim() || [])
      const ids = chosen.map((name) => optionIn(field, name))
      // A name may hold what parts names.
      const whole = optionIn(field, text)
      if (whole !== null) return [whole]
      return ids.includes(null) ? null : chosenOf(field, ids)
    },
    noun: 'made of its options',
    write: (value, field) => namesOf(field, value).join('; '),
  },
  birthday: {
    read: (text, { dayOrder }) => birthdayIn(text, dayOrder),
    noun: 'a valid birthday',
    write: (value) => birthdayInFile(String(value)),
  },
  'days before': {
    read: (text) => daysBeforeIn(text),
    noun: 'a number of days',
    write: String,
  },
  tags: {
    // Some programs quote each of them, or part groups by colons and mark their own with a star; the group of all
    // contacts says nothing of one.
    read: (text) =>
      tagsIn(text.replaceAll(':::', ';').replaceAll('"', ' '))
        .filter((tag) => !/^\* ?my ?contacts$/i.test(tag))
        .map((tag) => tag.replace(/^\* /, '')),
    noun: 'a list of tags',
    write: (value) => (Array.isArray(value) ? value.join('; ') : ''),
  },
  emails: listCell('emails'),
  phones: listCell('phones'),
  links: listCell('links'),
  addresses: listCell('addresses'),
}

function listCell(kind: ListKind) {
  return {
    read: (text: string) => readEntries(kind, text),
    noun: 'a valid list',
    write: writeEntries,
  }
}

/** A choice is a text, except of the user's own fields, whose choices have ids. */
const ownChoice: (typeof cells)['day'] = {
  read: (text, _, field) => optionIn(field, text),
  noun: 'one of its options',
  write: (value, field) => field.choiceNames?.[String(value)] ?? '',
}

function cellOf({ kind, choiceColors }: Field) {
  return kind === 'choice' && choiceColors ? ownChoice : cells[kind]
}

function optionIn({ choices = [], choiceNames = {} }: Field, name: string): string | null {
  const wanted = name.trim().toLowerCase()
  return choices.find((id) => choiceNames[id]?.toLowerCase() === wanted) ?? null
}

function namesOf(field: Field, value: unknown): string[] {
  return chosenOf(field, value).map((id) => field.choiceNames?.[id] ?? id)
}

/** Yes and no, as programs and people write them in the languages of an import's headers. */
const [yesWords, noWords] = [
  'yes,y,true,1,x,✓,✔,☑,checked,ja,j,wahr,oui,vrai,sí,si,verdadero,vero,sim,verdadeiro,waar,sant,tak,prawda,はい',
  'no,n,false,0,unchecked,nein,falsch,non,faux,falso,não,nao,nee,onwaar,nej,falskt,nie,fałsz,いいえ',
].map((words) => new Set(words.split(',')))

/** Yes or no in a text; null when it is neither. */
export function answerIn(text: string): boolean | null {
  const word = text.normalize('NFC').trim().toLowerCase()
  if (yesWords?.has(word)) return true
  return noWords?.has(word) ? false : null
}

/** How the cells of a file are read. */
export type Reading = {
  dayOrder: DayOrder
  /** We wrote the file. */
  isOwn: boolean
  /** Where the clock stands that times without a zone are of. */
  timeZone: string
}

/** Reads what a cell says of a field. */
export function readCell(field: Field, text: string, reading: Reading): Cell {
  const cell = cellOf(field)
  if (!cell) return { value: text }
  // In a file of ours a point is never one of thousands.
  if (reading.isOwn && field.kind === 'number' && /^-?\d+(?:\.\d+)?$/.test(text)) {
    return { value: Number(text) }
  }
  const value = cell.read(text, reading, field)
  if (value !== null) return { value }
  return { problem: `${labelOf(field, 'import')}: "${text}" isn’t ${cell.noun}.` }
}

/**
 * The columns of a file with all fields, in the order of the form: whatever can be written, and the moments that the
 * app keeps. What holds several lines in a cell comes last.
 */
export function fileKeys<F extends Fields>(fields: F): KeyOf<F>[] {
  const filed = Object.entries(fields).filter(
    ([, { edit, kind }]) => edit !== 'never' || kind === 'moment',
  )
  const lists = filed.filter(([, { kind }]) => isListKind(kind))
  const others = filed.filter(([, { kind }]) => !isListKind(kind))
  // The names of entries are those of the fields.
  return [...others, ...lists].map(([name, { key }]) => (key ?? name) as KeyOf<F>)
}

/** The names over the columns of a file. */
export function csvHeader(fields: Fields, keys: readonly string[]): string[] {
  return keys.map((key) => labelOf(fieldOf(fields, key).field, 'file'))
}

/**
 * The cells of one row, safe to open in a spreadsheet: figures and days plain, what is missing empty.
 * `special` are the texts of what no single column tells.
 */
export function csvRow<Row extends object>(
  fields: Fields,
  keys: readonly string[],
  row: Row,
  special: Record<string, (row: Row) => string | null | undefined> = {},
): string[] {
  return keys.map((key) => {
    const { name, field } = fieldOf(fields, key)
    const value = special[key] ? special[key](row) : valueAt(row, field.at ?? name)
    return neutralised(cellText(field, value))
  })
}

/** What a file says of a value, as an import reads it. */
export function cellText(field: Field, value: unknown): string {
  if (value === null || value === undefined) return ''
  return (cellOf(field)?.write ?? String)(value, field)
}
