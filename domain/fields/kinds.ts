import { z } from 'zod'
import { shownDate, shownDay } from '#domain/dates.ts'
import { shownMoney } from '#domain/money.ts'
import { optionalEmail, optionalText, requiredText } from '#domain/text-fields.ts'
import { fullAddress, safeLink, shownWebsite } from '#domain/web-address.ts'
import { type Field, labelOf } from './field.ts'
import { lower, momentKey, type SortKey } from './sort-key.ts'

export type Kind =
  | 'text'
  | 'long text'
  | 'email'
  | 'phone'
  | 'link'
  | 'number'
  | 'money'
  | 'day'
  | 'moment'
  | 'choice'
  | 'record'

/** What holds for all fields of a kind. How cells of files are read and written: `cells.ts`. */
type KindOfField = {
  /** Checks what a form holds, and makes of it what is stored. */
  check: (field: Field) => z.ZodType
  /** What a form holds of a field that was never filled. */
  blank: (field: Field) => unknown
  /** What a form holds of a stored value, where that is not the value as text. */
  input?: (value: unknown, field: Field) => unknown
  /** What the check takes for a text that was typed where the value stands. */
  typed?: (text: string) => unknown
  /** What rows are sorted by; null comes last in either direction. */
  sortKey: (value: unknown, field: Field) => SortKey
  /** As lists and details show it. Moments depend on where the user is. */
  shown?: (value: unknown, timeZone: string) => string
  /** What the directions of its order are called. */
  directions: { asc: string; desc: string }
}

const letters = { asc: 'A to Z', desc: 'Z to A' }
const amounts = { asc: 'Lowest first', desc: 'Highest first' }

const lowered = (value: unknown) => (typeof value === 'string' ? lower(value) : null)
const asText = (value: unknown) => (typeof value === 'string' ? value : null)
const asNumber = (value: unknown) => (typeof value === 'number' ? value : null)
const empty = () => ''

function checkText(field: Field, most: number) {
  const [label, max] = [labelOf(field, 'form'), field.max ?? most]
  return field.isRequired ? requiredText(label, max) : optionalText(label, max)
}

const text: KindOfField = {
  check: (field) => checkText(field, 200),
  blank: empty,
  sortKey: lowered,
  directions: letters,
}

export const kinds: Record<Kind, KindOfField> = {
  text,
  'long text': {
    ...text,
    check: (field) => checkText(field, 50_000),
    // As much as the database's order looks at.
    sortKey: (value) =>
      typeof value === 'string' ? lower([...value].slice(0, 100).join('')) : null,
  },
  email: { ...text, check: (field) => optionalEmail(labelOf(field, 'form')) },
  phone: {
    ...text,
    check: (field) => checkText(field, 50),
    sortKey: asText,
    directions: { asc: 'Ascending', desc: 'Descending' },
  },
  link: {
    ...text,
    check: (field) =>
      z
        .string()
        .transform(fullAddress)
        .pipe(optionalText(labelOf(field, 'form'), field.max ?? 2000))
        .refine(
          (value) => value === null || safeLink(value) !== null,
          'Enter a web address, such as https://acme.com.',
        ),
    shown: (value) => shownWebsite(asText(value) ?? ''),
  },
  number: {
    check: checkNumber,
    blank: ({ usual = '' }) => usual,
    input: (value) => value,
    typed: numberIn,
    sortKey: asNumber,
    shown: (value) => asNumber(value)?.toLocaleString('en-US') ?? '',
    directions: amounts,
  },
  money: {
    check: checkMoney,
    blank: empty,
    typed: amountIn,
    sortKey: asNumber,
    shown: (value) => (typeof value === 'number' ? shownMoney(value) : ''),
    directions: amounts,
  },
  day: {
    check: checkDay,
    blank: empty,
    sortKey: asText,
    // A day has no time zone.
    shown: (value) => (typeof value === 'string' ? shownDate(value) : ''),
    directions: { asc: 'Soonest first', desc: 'Latest first' },
  },
  moment: {
    check: () => z.iso.datetime({ offset: true }).nullable(),
    blank: () => null,
    input: (value) => value,
    sortKey: (value) => (typeof value === 'string' ? momentKey(value) : null),
    shown: (value, timeZone) => (typeof value === 'string' ? shownDay(value, timeZone) : ''),
    directions: { asc: 'Oldest first', desc: 'Newest first' },
  },
  choice: {
    check: ({ choices = [] }) => z.enum(choices),
    blank: ({ choices = [], usual }) => usual ?? choices[0],
    // What is no choice any more has become the usual one.
    input: (value, { choices = [], usual }) => choices.find((choice) => choice === value) ?? usual,
    sortKey: (value, { choices = [] }) => choices.indexOf(String(value)),
    directions: letters,
  },
  record: {
    check: () => z.uuid().nullable(),
    blank: () => null,
    input: (value) => value,
    sortKey: lowered,
    directions: letters,
  },
}

function checkNumber(field: Field) {
  const label = labelOf(field, 'form')
  const max = field.max ?? 999_999.99
  const min = field.min ?? -max
  return z
    .union([z.number(), z.literal('').transform(() => 0)], `${label} must be a number.`)
    .refine(
      (value) => value >= min && value <= max,
      `${label} must be between ${figures(min)} and ${figures(max)}.`,
    )
}

/** Empty becomes 0. */
function checkMoney(field: Field) {
  const label = labelOf(field, 'form')
  const { min = 0, max = largestAmount } = field
  return z
    .union([z.string(), z.number()])
    .transform((typed) => (String(typed).trim() === '' ? 0 : Number(typed)))
    .pipe(
      z
        .number(`${label} must be a number.`)
        .min(min, `${label} cannot be less than ${figures(min)}.`)
        .max(max, `${label} can be at most ${figures(max)}.`)
        .refine((value) => Number(value.toFixed(2)) === value, {
          error: `${label} can have at most two decimals.`,
        }),
    )
}

/** The most that the database takes for an amount of money. */
export const largestAmount = 999_999_999_999.99

function checkDay(field: Field) {
  return z
    .string()
    .trim()
    .refine((day) => day === '' || isSensibleDay(day), {
      error: `${labelOf(field, 'form')} must be a day between 1900 and 2200.`,
    })
    .transform((day) => (day === '' ? null : day))
}

/** A day of the calendar, `YYYY-MM-DD`, that somebody may have meant. */
export function isSensibleDay(day: string): boolean {
  return z.iso.date().safeParse(day).success && day >= '1900-01-01' && day <= '2200-12-31'
}

/** Figures as people type them, '1,250.5' included; a text where it is none, for the check to refuse. */
function numberIn(text: string): number | string {
  const number = Number(text.replaceAll(',', ''))
  return text.trim() !== '' && Number.isFinite(number) ? number : text
}

/** '$1,250.5' as people type it is 1250.5; what is no such figure stays, for the check to refuse. */
function amountIn(text: string): string {
  const isGrouped = /^\s*\$?\s*\d{1,3}(,\d{3})*(\.\d*)?\s*$/.test(text)
  return isGrouped ? text.replace(/[$,\s]/g, '') : text
}

function figures(number: number): string {
  return number.toLocaleString('en-US')
}
