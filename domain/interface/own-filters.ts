import { z } from 'zod'
import { answersOf, type OwnFilter, operationsOf } from '#domain/fields/own-filters.ts'
import type { About } from './account.ts'
import { InterfaceError } from './interface-function.ts'

type OwnField = About['fields'][number]

/** Filters by fields of the user's own, which a program names as people do, or by their ids. */
export const ownFilter = z
  .record(
    z.string().min(1).max(100),
    z.strictObject({
      is: z
        .array(z.union([z.boolean(), z.string().min(1).max(200)]))
        .min(1)
        .max(50)
        .optional()
        .describe('Of a choice: any of these options, by name or id. Of yes / no: true or false.'),
      contains: z.string().min(1).max(200).optional().describe('Of a text, link, email or phone.'),
      from: z
        .union([z.number(), z.string().max(10)])
        .optional()
        .describe('Of a number, or of a date as 2026-11-18.'),
      to: z
        .union([z.number(), z.string().max(10)])
        .optional()
        .describe('As from.'),
      filled: z.boolean().optional().describe('Whether there is a value, of any kind of field.'),
    }),
  )
  .describe(
    'By custom fields: the name or id of each, as about answers them, with what is asked of it, such as {"Industry": {"is": ["Health"]}, "Seats": {"from": 10}}.',
  )

type Asked = z.output<typeof ownFilter>

function refuse(words: string): never {
  throw new InterfaceError(400, 'bad_arguments', `filter.fields: ${words} Nothing was done.`)
}

/** The same by ids of fields and options, as the database takes it. */
export function ownFilterById(asked: Asked, record: string, { fields }: About): OwnFilter {
  const own = fields.filter((field) => field.record === record)
  const filter: OwnFilter = {}
  for (const [named, conditions] of Object.entries(asked)) {
    const field = fieldNamed(named, own)
    if (filter[field.id]) refuse(`${field.name} is there twice.`)
    filter[field.id] = conditionsOf(field, conditions)
  }
  return filter
}

function fieldNamed(named: string, own: OwnField[]): OwnField {
  const wanted = named.trim().toLowerCase()
  const found =
    own.find(({ id }) => id === wanted) ?? own.find(({ name }) => name.toLowerCase() === wanted)
  if (found) return found
  const known = own.map(({ name }) => name).join(', ')
  return refuse(
    `There is no field ${named}. ${known === '' ? 'There are none.' : `There are: ${known}.`}`,
  )
}

function conditionsOf(field: OwnField, conditions: Asked[string]): OwnFilter[string] {
  const { name, kind, options } = field
  const known = operationsOf({ kind, label: name })
  const odd = Object.keys(conditions).find((key) => ![...known, 'filled'].includes(key))
  if (odd) refuse(`${name} is asked by ${[...known, 'filled'].join(', ')}.`)
  for (const bound of [conditions.from, conditions.to]) {
    if (bound === undefined) continue
    const isDay = typeof bound === 'string' && z.iso.date().safeParse(bound).success
    if (kind === 'day' ? !isDay : typeof bound !== 'number') {
      refuse(`${name} is a ${kind === 'day' ? 'date, such as 2026-11-18' : 'number'}.`)
    }
  }
  const { is, ...plain } = conditions
  if (!is) return plain
  return { ...plain, is: is.map((answer) => answerOf({ name, kind, options }, answer)) }
}

function answerOf(
  { name, kind, options }: Pick<OwnField, 'name' | 'kind' | 'options'>,
  answer: string | boolean,
): string | boolean {
  const wanted = String(answer).toLowerCase()
  if (kind === 'yes/no') {
    if (typeof answer === 'boolean') return answer
    if (answersOf({ kind, label: name }).includes(wanted)) return wanted === 'yes'
    return refuse(`${name} is true or false.`)
  }
  const option = options.find(({ id }) => id === answer) ?? optionNamed(wanted, options)
  if (option) return option.id
  return refuse(`${name} has no option ${answer}. There are: ${namesOf(options)}.`)
}

function optionNamed(wanted: string, options: OwnField['options']) {
  return options.find(({ name }) => name.toLowerCase() === wanted)
}

function namesOf(options: OwnField['options']): string {
  return options.map(({ name }) => name).join(', ')
}
