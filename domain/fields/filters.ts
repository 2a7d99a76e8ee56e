import { z } from 'zod/mini'
import { isSensibleDay } from '#domain/sensible-day.ts'
import { type Field, type Fields, type Filter, fieldOf, labelOf, valueAt } from './field.ts'
import type { OwnFilter } from './own-filters.ts'

/** The fields by their keys. */
type ByKey<F extends Fields> = {
  [Name in keyof F & string as F[Name] extends { key: infer Key extends string }
    ? Key
    : Name]: F[Name]
}

type ChoiceOf<F extends Field> = F extends { choices: readonly (infer Choice)[] } ? Choice : string
type AmountOr<F extends Field> = F['kind'] extends 'money' | 'number' ? number : string

/** What an address holds of a filter: pairs of a name and a value. */
type Asked<F extends Field, Key extends string> = F extends { filter: { by: 'range' } }
  ? F['kind'] extends 'money' | 'number'
    ? ['min' | 'max', number | undefined]
    : [
        F extends { filter: { key: infer Name extends string } }
          ? `${Name}_${'from' | 'to'}`
          : 'from' | 'to',
        string | undefined,
      ]
  : F extends { filter: { by: 'any' } }
    ? [F extends { filter: { key: infer Name extends string } } ? Name : Key, ChoiceOf<F>[]]
    : F extends { filter: { by: 'presence' } }
      ? [Key, 'yes' | 'no' | undefined]
      : [Key, string | undefined]

/** What the database takes of it. */
type Sent<F extends Field, Key extends string> = F extends { filter: { by: 'range' } }
  ?
      | [
          `${F extends { filter: { sent: infer Name extends string } } ? Name : Key}_${'from' | 'to'}`,
          AmountOr<F>,
        ]
      | (F['kind'] extends 'moment' ? ['time_zone', string] : never)
  : F extends { filter: { by: 'any' } }
    ? [Key, ChoiceOf<F>[]]
    : F extends { filter: { by: 'presence' } }
      ? [`has_${Key}`, boolean]
      : [Key, string]

type AskedOf<F extends Fields, Key extends string> = {
  [K in Key & keyof ByKey<F>]: Asked<Extract<ByKey<F>[K], Field>, K>
}[Key & keyof ByKey<F>]
type SentOf<F extends Fields, Key extends string> = {
  [K in Key & keyof ByKey<F>]: Sent<Extract<ByKey<F>[K], Field>, K>
}[Key & keyof ByKey<F>]

/** What a list is filtered by, as its address tells it. */
export type FilterState<F extends Fields, Key extends string> = {
  [Pair in AskedOf<F, Key> as Pair[0]]: Pair[1]
}

/** The same as the database takes it. */
export type FilterOf<F extends Fields, Key extends string> = {
  [Pair in SentOf<F, Key> as Pair[0]]?: Pair[1]
}

/** Besides: what is searched for, and single records. */
export type Chosen = {
  search?: string
  /** Only these. */
  ids?: string[]
  /** All but these. */
  except?: string[]
  /** By fields of the user's own. */
  fields?: OwnFilter
}

type FilterShape<F extends Fields, Key extends string> = {
  [Name in keyof FilterState<F, Key>]: z.ZodMiniType<FilterState<F, Key>[Name]>
}

/** A field with what its filter is called: by people, in addresses and by the database. */
export type FilterField = {
  key: string
  field: Field
  by: Filter['by']
  label: string
  /** In addresses. Of a range, where it begins and where it ends. */
  names: string[]
  /** In the database, in the same order. */
  sent: string[]
}

export function filterField(fields: Fields, key: string): FilterField {
  const { field } = fieldOf(fields, key)
  const { filter } = field
  if (!filter) throw new Error(`A list cannot be filtered by ${key}.`)
  const { by, label = labelOf(field, 'column'), sent = key } = filter
  const common = { key, field, by, label }
  if (by === 'range') {
    const begin = filter.key ? `${filter.key}_` : ''
    const names = isAmount(field) ? ['min', 'max'] : [`${begin}from`, `${begin}to`]
    return { ...common, names, sent: [`${sent}_from`, `${sent}_to`] }
  }
  return { ...common, names: [filter.key ?? key], sent: [by === 'presence' ? `has_${sent}` : sent] }
}

/** A range of it is one of amounts, not of days. */
export function isAmount({ kind }: Field): boolean {
  return kind === 'money' || kind === 'number'
}

const none = z.literal('none')
const day = z.string().check(z.refine(isSensibleDay))
const amount = z.pipe(z.string().check(z.regex(/^\d{1,12}(\.\d{1,2})?$/)), z.transform(Number))

/** What an address may say of one filter. */
function checkOf({ field, by }: FilterField): z.ZodMiniType {
  const { kind, choices, filter } = field
  if (by === 'range') return z.optional(isAmount(field) ? amount : day)
  if (by === 'presence') return z.optional(z.enum(['yes', 'no']))
  if (by === 'one') return z.optional(filter?.hasNone ? z.union([none, z.uuid()]) : z.uuid())
  if (choices) return z._default(z.array(z.enum(choices)).check(z.maxLength(10)), [])
  const value = kind === 'record' ? z.uuid() : z.string().check(z.minLength(1), z.maxLength(200))
  const values = z.array(filter?.hasNone ? z.union([none, value]) : value)
  return z._default(values.check(z.maxLength(50)), [])
}

/** What an address may say of these filters, by the names that it uses. */
export function filterShape<F extends Fields, const Key extends string>(
  fields: F,
  keys: readonly Key[],
): FilterShape<F, Key> {
  const shape = keys
    .map((key) => filterField(fields, key))
    .flatMap((filter) => filter.names.map((name) => [name, checkOf(filter)]))
  // An object that is made of entries has forgotten which name has which type.
  return Object.fromEntries(shape) as FilterShape<F, Key>
}

/** Nothing is filtered. */
export function noFilter<F extends Fields, const Key extends string>(
  fields: F,
  keys: readonly Key[],
): FilterState<F, Key> {
  const state = keys
    .map((key) => filterField(fields, key))
    .flatMap(({ by, names }) => names.map((name) => [name, by === 'any' ? [] : undefined]))
  return Object.fromEntries(state) as FilterState<F, Key> // as above
}

/** What the address asks for, as the database takes it. Moments are on the calendar of a time zone. */
export function filterOf<F extends Fields, const Key extends string>(
  fields: F,
  keys: readonly Key[],
  state: object,
  timeZone = 'UTC',
): FilterOf<F, Key> {
  const asked = keys
    .map((key) => filterField(fields, key))
    .flatMap(({ by, field, names, sent }) => {
      const pairs = names.flatMap((name, place) => {
        const value = valueAt(state, name)
        if (value === undefined || (Array.isArray(value) && value.length === 0)) return []
        return [[sent[place], by === 'presence' ? value === 'yes' : value]]
      })
      const isOfMoments = field.kind === 'moment' && pairs.length > 0
      return isOfMoments ? [...pairs, ['time_zone', timeZone]] : pairs
    })
  return Object.fromEntries(asked) as FilterOf<F, Key> // as above
}
