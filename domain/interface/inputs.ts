import { z } from 'zod'
import { checkOf } from '#domain/fields/checks.ts'
import { isListKind } from '#domain/fields/entries.ts'
import { type Field, type Fields, labelOf } from '#domain/fields/field.ts'
import { type FilterField, filterField, isAmount } from '#domain/fields/filters.ts'
import { ownRecords } from '#domain/fields/own.ts'
import { isSensibleDay } from '#domain/sensible-day.ts'
import { ownFilter } from './own-filters.ts'

export const id = z.uuid().describe('The id of a record, as other functions answer it.')

export const day = z.string().refine(isSensibleDay, 'Expected a day, such as 2026-11-18.')

const entry = z.object({ label: z.string().max(50).default('Work'), value: z.string() })

const postal = z.object({
  label: z.string().max(50).default('Work'),
  street: z.string().default(''),
  postal_code: z.string().default(''),
  city: z.string().default(''),
  region: z.string().default(''),
  country: z.string().default(''),
})

/** A value of a field as a program sends it: JSON of the kind's own type. */
function jsonOf({ kind, choices, isRequired }: Field): z.ZodType {
  if (choices) return z.enum(choices)
  if (kind === 'number' || kind === 'money') return z.number()
  if (kind === 'days before') return z.number().int().nullable()
  if (kind === 'tags') return z.array(z.string())
  if (kind === 'addresses') return z.array(postal)
  if (isListKind(kind)) return z.array(entry)
  if (kind === 'record') return z.uuid().nullable()
  if (kind === 'moment') return z.iso.datetime({ offset: true }).nullable()
  return isRequired ? z.string() : z.string().nullable()
}

/** The same, checked as a form checks it, and as it is stored. */
function inputOf(field: Field): z.ZodType {
  const isTyped = !['record', 'moment'].includes(field.kind) && !field.choices
  const check = checkOf(field)
  return jsonOf(field)
    .transform((value, context) => {
      const read = check.safeParse(value === null && isTyped ? '' : value)
      if (read.success) return read.data
      for (const { message, path } of read.error.issues) {
        context.issues.push({ code: 'custom', message, path, input: value })
      }
      return z.NEVER
    })
    .describe(labelOf(field, 'import'))
}

const own = z
  .record(z.uuid(), z.unknown())
  .describe('Custom fields by their ids, as about answers them; null removes a value.')

/** The fields of a record that a program can set, each of them optional. */
export function recordInput(fields: Fields, hasOwn = true): z.ZodObject {
  const shape = Object.entries(fields)
    .filter(([, { edit }]) => edit !== 'never')
    .map(([name, field]) => [name, inputOf(field).optional()])
  return z.strictObject({
    ...Object.fromEntries(shape),
    ...(hasOwn ? { custom: own.optional() } : {}),
  })
}

/** What the database takes of one filter. */
function filterInput({ field, by }: FilterField): z.ZodType {
  if (by === 'range') return isAmount(field) ? z.number() : day
  if (by === 'presence') return z.boolean()
  const value = field.kind === 'record' ? z.uuid() : z.string().min(1).max(200)
  const known = field.choices ? z.enum(field.choices) : value
  const one = field.filter?.hasNone ? z.union([z.literal('none'), known]) : known
  return by === 'any' ? z.array(one).min(1).max(50) : one
}

/** A list of the screens, as programs read it. */
export type List = {
  /** The function that reads a page of it. */
  name: string
  record: string
  fields: Fields
  filters: readonly string[]
  sorts: readonly string[]
  /** Filters that are no field of a record. */
  more?: z.ZodRawShape
}

/** The filters of a list that mean days of the user's calendar where the record has moments. */
export function momentFilters({ fields, filters }: List): string[] {
  return filters
    .map((key) => filterField(fields, key))
    .flatMap(({ field, by, sent }) => (field.kind === 'moment' && by === 'range' ? sent : []))
}

/** The filters of a list, as its screen has them, and its orders. */
export function listInput({ record, fields, filters, sorts, more = {} }: List) {
  const shape = filters
    .map((key) => filterField(fields, key))
    .flatMap((filter) =>
      filter.sent.map((name) => [name, filterInput(filter).optional().describe(filter.label)]),
    )
  const hasOwn = ownRecords.some((each) => each === record)
  return z.strictObject({
    filter: z
      .strictObject({
        search: z.string().max(200).optional().describe('Words that the record must contain.'),
        ...more,
        ...Object.fromEntries(shape),
        ...(hasOwn ? { fields: ownFilter.optional() } : {}),
      })
      .optional(),
    sort: z.enum(sorts).optional(),
    descending: z.boolean().optional(),
    after: z
      .looseObject({})
      .optional()
      .describe('The "next" of the page before, to read the page after it.'),
    page_size: z.number().int().min(1).max(100).optional().describe('25 unless told.'),
  })
}
