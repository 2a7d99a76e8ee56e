import { z } from 'zod/mini'
import { isListKind } from './entries.ts'
import type { Field, Fields, ValueOf } from './field.ts'

type RowName<F extends Fields> = {
  [Name in keyof F & string]: F[Name] extends { edit: 'never' } ? never : Name
}[keyof F & string]

type Row<F extends Fields> = {
  id: z.ZodMiniString
  created_at: z.ZodMiniString
  updated_at: z.ZodMiniString
} & { [Name in RowName<F>]: z.ZodMiniType<ValueOf<F[Name]>> }

/** A record as the database stores it. What it answers is checked by this, and these are the columns it is asked for. */
export function storedRow<F extends Fields>(fields: F): z.ZodMiniObject<Row<F>> {
  const stored = storedFields(fields).map(([name, field]) => [name, storedValue(field)])
  const stamps = { created_at: z.string(), updated_at: z.string() }
  // An object that is made of entries has forgotten which name has which type.
  return z.object({ id: z.string(), ...Object.fromEntries(stored), ...stamps } as Row<F>)
}

function storedFields(fields: Fields) {
  return Object.entries(fields).filter(([, { edit }]) => edit !== 'never')
}

const entry = z.object({ label: z.string(), value: z.string() })

const postal = z.object({
  city: z.string(),
  label: z.string(),
  region: z.string(),
  street: z.string(),
  country: z.string(),
  postal_code: z.string(),
})

/** What the database stores of a field. */
export function storedValue({ kind, choices, isRequired }: Field): z.ZodMiniType {
  if (choices) return z.enum(choices)
  if (kind === 'number' || kind === 'money') return z.number()
  if (kind === 'days before') return z.nullable(z.number())
  if (kind === 'addresses') return z.array(postal)
  if (isListKind(kind)) return z.array(entry)
  if (kind === 'tags') return z.array(z.string())
  return isRequired ? z.string() : z.nullable(z.string())
}

type RowValues<F extends Fields> = { [Name in RowName<F>]: ValueOf<F[Name]> }

/** What stands in a row for the fields that nobody has filled, or that are not known here. */
export function unfilledRow<F extends Fields>(fields: F): RowValues<F> {
  const values = storedFields(fields).map(([name, field]) => [name, unfilledValue(field)])
  // An object that is made of entries has forgotten which name has which type.
  return Object.fromEntries(values) as RowValues<F>
}

function unfilledValue({ kind, choices, usual, isRequired }: Field): unknown {
  if (choices) return usual ?? choices[0]
  if (kind === 'number' || kind === 'money') return usual ?? 0
  if (isListKind(kind) || kind === 'tags') return []
  return isRequired ? '' : null
}
