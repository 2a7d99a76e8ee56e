import { z } from 'zod'
import { checkOf } from './checks.ts'
import {
  type Field,
  type Fields,
  type FormName,
  type InputOf,
  labelOf,
  type ValueOf,
  valueAt,
} from './field.ts'
import { kinds } from './kinds.ts'

type Shape<F extends Fields> = {
  [Name in FormName<F>]: z.ZodType<ValueOf<F[Name]>, InputOf<F[Name]>>
}

/** What the form of a record may hold. */
export function schemaOf<F extends Fields>(fields: F): z.ZodObject<Shape<F>> {
  const shape = formFields(fields).map(([name, field]) => [name, checkOf(field)])
  // An object that is made of entries has forgotten which name has which type.
  return z.object(Object.fromEntries(shape) as Shape<F>)
}

type Inputs<F extends Fields> = { [Name in FormName<F>]: InputOf<F[Name]> }

/** The form of a record that is not there yet. */
export function blankOf<F extends Fields>(fields: F): Inputs<F> {
  const inputs = formFields(fields).map(([name, field]) => [name, kinds[field.kind].blank(field)])
  return Object.fromEntries(inputs) as Inputs<F> // as above
}

/** A record as its form holds it. */
export function inputsOf<F extends Fields>(fields: F, row: object): Inputs<F> {
  const inputs = formFields(fields).map(([name, field]) => [
    name,
    inputOf(field, valueAt(row, name)),
  ])
  return Object.fromEntries(inputs) as Inputs<F> // as above
}

function inputOf(field: Field, value: unknown): unknown {
  const { input } = kinds[field.kind]
  return input ? input(value, field) : textOf(value)
}

/** What both versions of a record are compared by, with the labels of its form. */
export function formLabels(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    formFields(fields).map(([name, field]) => [name, labelOf(field, 'form')]),
  )
}

/** What a form holds, as texts; `names` are those of the records that it links to. */
export function formTexts(
  fields: Fields,
  inputs: object,
  names: Record<string, string | null | undefined> = {},
): Record<string, string> {
  return Object.fromEntries(
    formFields(fields).map(([name, { kind }]) => [
      name,
      kind === 'record' ? (names[name] ?? '') : textOf(valueAt(inputs, name)),
    ]),
  )
}

/** A value as it is typed. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The fields that a form holds, with their names. */
function formFields(fields: Fields): [name: string, field: Field][] {
  return Object.entries(fields).filter(([, { edit }]) => edit === undefined)
}
