import { z } from 'zod/mini'
import { isSensibleDay } from '#domain/sensible-day.ts'
import { type Field, type Fields, fieldOf, labelOf } from './field.ts'
import { shownValue } from './kinds.ts'
import { ownKey } from './own.ts'

const operations = ['is', 'contains', 'from', 'to', 'filled'] as const

type Operation = (typeof operations)[number]

/** One condition on a field of the user's own, as an address has it: `<id>.is.~aaaaaaa`, `<id>.from.2026-01-01`. */
export type OwnCondition = { id: string; operation: Operation; value: string }

/** What the database takes of them, by the ids of the fields. */
export type OwnFilter = Record<
  string,
  {
    is?: (string | boolean)[]
    contains?: string
    from?: string | number
    to?: string | number
    filled?: boolean
  }
>

const written = new RegExp(`^([0-9a-f-]{36})\\.(${operations.join('|')})\\.(.+)$`, 's')

/** Reads a condition from the address; null when it is none. */
export function readCondition(text: string): OwnCondition | null {
  const [, id, name, value] = written.exec(text) ?? []
  const operation = operations.find((each) => each === name)
  return id && operation && value ? { id, operation, value } : null
}

function writeCondition({ id, operation, value }: OwnCondition): string {
  return `${id}.${operation}.${value}`
}

/** What a list can be asked of a field, besides whether there is a value. */
export function operationsOf({ kind }: Field): Operation[] {
  if (kind === 'choice' || kind === 'several choices' || kind === 'yes/no') return ['is']
  if (kind === 'number' || kind === 'money' || kind === 'day') return ['from', 'to']
  return ['contains']
}

/** The answers to a yes/no field, and the options of a choice. */
export function answersOf({ kind, choices = [] }: Field): readonly string[] {
  return kind === 'yes/no' ? ['yes', 'no'] : choices
}

function isSensible(field: Field, { operation, value }: OwnCondition): boolean {
  if (operation === 'filled') return value === 'yes' || value === 'no'
  if (!operationsOf(field).includes(operation)) return false
  if (operation === 'is') return answersOf(field).includes(value)
  if (operation === 'contains') return value.length <= 200
  if (field.kind === 'day') return isSensibleDay(value)
  return isAmount(value)
}

function isAmount(value: string): boolean {
  return /^-?\d{1,13}(\.\d{1,6})?$/.test(value)
}

/**
 * The conditions that an address may hold. Until the fields are read, `own` is null, and only the shape is looked at,
 * so that the list need not wait for them.
 */
export function conditionsInUrl(own: Fields | null) {
  const isKnown = (text: string) => {
    const condition = readCondition(text)
    if (!condition || !own) return condition !== null
    const field = Object.values(own).find(({ key }) => key === ownKey(condition.id))
    return field !== undefined && isSensible(field, condition)
  }
  return z._default(z.array(z.string().check(z.refine(isKnown))).check(z.maxLength(200)), [])
}

/** A key of a list for one of these fields; until they are read, any that looks like one. */
export function ownKeyInUrl(own: Fields | null): z.ZodMiniType<`field:${string}`> {
  const keys = own && Object.values(own).map(({ key }) => key)
  return z
    .templateLiteral(['field:', z.uuid()])
    .check(z.refine((key) => !keys || keys.includes(key)))
}

/** What the address asks for, as the database takes it; nothing when it asks for nothing. */
export function ownFilterOf(conditions: readonly string[]): { fields?: OwnFilter } {
  const fields: OwnFilter = {}
  for (const text of conditions) {
    const condition = readCondition(text)
    if (!condition) continue
    const { id, operation, value } = condition
    const asked = fields[id] ?? {}
    fields[id] = asked
    if (operation === 'is') asked.is = [...(asked.is ?? []), answer(value)]
    else if (operation === 'filled') asked.filled = value === 'yes'
    else if (operation === 'contains') asked.contains = value
    else asked[operation] = isAmount(value) ? Number(value) : value
  }
  return Object.keys(fields).length > 0 ? { fields } : {}
}

/** Options have ids that begin with a sign, so that an answer cannot be one. */
function answer(value: string): string | boolean {
  if (value === 'yes') return true
  return value === 'no' ? false : value
}

/** The conditions with those of one field and operation replaced. */
export function withCondition(
  conditions: readonly string[],
  { id, operation }: Pick<OwnCondition, 'id' | 'operation'>,
  values: readonly string[],
): string[] {
  const others = conditions.filter((text) => {
    const other = readCondition(text)
    return other?.id !== id || other.operation !== operation
  })
  return [...others, ...values.map((value) => writeCondition({ id, operation, value }))]
}

/** The values of one field and operation. */
export function conditionValues(
  conditions: readonly string[],
  { id, operation }: Pick<OwnCondition, 'id' | 'operation'>,
): string[] {
  return conditions.flatMap((text) => {
    const condition = readCondition(text)
    return condition?.id === id && condition.operation === operation ? condition.value : []
  })
}

/** 'Contract end from', 'Mar 31, 2027': what a chip says of a condition. */
export function conditionWords(own: Fields, condition: OwnCondition) {
  const { field } = fieldOf(own, ownKey(condition.id))
  const { operation, value } = condition
  const label = labelOf(field, 'column')
  if (operation === 'filled') return { label, value: value === 'yes' ? 'has a value' : 'no value' }
  if (operation === 'contains') return { label: `${label} contains`, value }
  if (operation === 'is') {
    return { label, value: shownValue(field, storedAnswer(field, value)) }
  }
  const stored = field.kind === 'day' ? value : Number(value)
  return { label: `${label} ${operation}`, value: shownValue(field, stored) }
}

function storedAnswer({ kind }: Field, value: string): unknown {
  if (kind === 'yes/no') return value === 'yes'
  return kind === 'several choices' ? [value] : value
}
