import { z } from 'zod'
import { typedFigure } from '#domain/figures.ts'
import { checkOf } from './checks.ts'
import { entriesOf, entryKey, firstOf, isListKind, listsOf } from './entries.ts'
import {
  type Field,
  type Fields,
  type FormName,
  type InputOf,
  labelOf,
  ownPrefix,
  type ValueOf,
  valueAt,
} from './field.ts'
import { kinds, shownValue } from './kinds.ts'
import type { OwnChanges } from './own-values.ts'

type Shape<F extends Fields> = {
  [Name in FormName<F>]: z.ZodType<ValueOf<F[Name]>, InputOf<F[Name]>>
}

/** What the form of a record may hold. Call it when a form opens, not when a module loads: it takes longer than a list. */
export function schemaOf<F extends Fields>(fields: F): z.ZodObject<Shape<F>> {
  const shape = formFields(fields).map(([name, field]) => [name, checkOf(field)])
  // An object that is made of entries has forgotten which name has which type.
  return checkingFirsts(fields, z.object(Object.fromEntries(shape) as Shape<F>))
}

/** The first entry of a list is typed into a field of its own: no other may be the same. */
function checkingFirsts<Form extends z.ZodType>(fields: Fields, form: Form): Form {
  const lists = listsOf(fields).flatMap(([list]) => {
    const first = firstOf(fields, list)
    return first ? [{ list, first }] : []
  })
  if (lists.length === 0) return form
  return form.superRefine((values, context) => {
    for (const { list, first } of lists) {
      const [typed, others] = [valueAt(Object(values), first), valueAt(Object(values), list)]
      for (const [place, entry] of entriesOf(others).entries()) {
        if (place === 0 || typeof typed !== 'string' || entryKey(entry) !== typed.toLowerCase()) {
          continue
        }
        const path = [list, place, 'value']
        context.addIssue({ code: 'custom', path, message: 'Already added.' })
      }
    }
  })
}

/** What a form holds of the user's own fields: those that were touched, by their ids. */
type OwnInputs = Record<string, unknown>

/** The same with the user's own fields. Only what was touched in the form is checked and stored. */
export function schemaWithOwn<F extends Fields>(fields: F, own: Fields) {
  const checks = formFields(own).map(([name, field]) => [
    name.slice(ownPrefix.length),
    checkOf(field).optional(),
  ])
  // Which id has which kind is known at run time only; each check gives what may be stored.
  const custom = z.object(Object.fromEntries(checks)) as z.ZodType<OwnChanges, OwnInputs>
  return checkingFirsts(fields, z.object({ ...schemaOf(fields).shape, custom }))
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

/** What a form holds of a stored value, or of none. */
export function inputOf(field: Field, value: unknown): unknown {
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
    formFields(fields).map(([name, field]) => {
      const value = valueAt(inputs, name)
      if (isListKind(field.kind)) return [name, shownValue(field, value)]
      return [name, field.kind === 'record' ? (names[name] ?? '') : typedText(value)]
    }),
  )
}

/** What a form holds of the user's own fields, as texts, over what the record has. */
export function ownTexts(
  own: Fields,
  record: object | undefined,
  inputs: OwnInputs = {},
): Record<string, string> {
  return Object.fromEntries(
    formFields(own).map(([name, field]) => {
      const typed = inputs[name.slice(ownPrefix.length)]
      if (typed === undefined) return [name, shownValue(field, valueAt(record ?? {}, name))]
      const stored = checkOf(field).safeParse(typed)
      return [name, stored.success ? shownValue(field, stored.data) : textOf(typed)]
    }),
  )
}

/** A value as it is typed, by the format that the user chose. */
export function typedText(value: unknown): string {
  return typeof value === 'number' ? typedFigure(value) : textOf(value)
}

/** A value as text. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The fields that a form holds, with their names. */
function formFields(fields: Fields): [name: string, field: Field][] {
  return Object.entries(fields).filter(([, { edit }]) => edit === undefined)
}
