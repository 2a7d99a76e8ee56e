import { z } from 'zod/mini'
import { type Field, type Fields, type Kind, ownPrefix } from './field.ts'

/** The records that can have fields of the user's own. */
export const ownRecords = ['contacts', 'companies', 'deals'] as const

export type OwnRecord = (typeof ownRecords)[number]

/** The kinds that the user can choose from, in the order of the menu, with what they are called. */
export const ownKinds = {
  text: 'Text',
  'long text': 'Long text',
  number: 'Number',
  money: 'Money',
  day: 'Date',
  'yes/no': 'Yes / no',
  choice: 'Choice',
  'several choices': 'Multiple choice',
  link: 'Link',
  email: 'Email',
  phone: 'Phone',
} as const satisfies Partial<Record<Kind, string>>

export type OwnKind = keyof typeof ownKinds

// The keys of an object have lost their names.
export const ownKindNames = Object.keys(ownKinds) as OwnKind[]

/** The hues that a choice can have. */
export const hues = ['gray', 'blue', 'violet', 'green', 'yellow', 'orange', 'red'] as const

/** One of the choices of a field. It is stored by its id, so that a rename touches no record. */
const option = z.object({ id: z.string(), name: z.string(), color: z.string() })

export type OwnOption = z.output<typeof option>

/** A field of the user's own, as the database stores it. */
export const ownField = z.object({
  id: z.string(),
  record: z.enum(ownRecords),
  name: z.string(),
  kind: z.enum(ownKindNames),
  options: z.array(option),
  position: z.number(),
  is_hidden: z.boolean(),
})

export type OwnField = z.output<typeof ownField>

/** Whether a kind has choices, which the user names. */
export function hasOptions(kind: OwnKind): boolean {
  return kind === 'choice' || kind === 'several choices'
}

/** The key of a field of the user's own in columns, orders and addresses. */
export type OwnKey = `field:${string}`

/** Whether the name of a field is that of one of the user's own. */
export function isOwnName(name: string): boolean {
  return name.startsWith('custom.')
}

export function ownKey(id: string): OwnKey {
  return `field:${id}`
}

/**
 * The definitions of a record's own fields, in their order, so that forms, details, columns, filters, imports, exports
 * and merges take them like any other field. Those that are hidden are left out, except where all are wanted.
 */
export function ownFields(
  rows: readonly OwnField[],
  record: OwnRecord,
  which: 'shown' | 'all' = 'shown',
): Fields {
  const shown = rows
    .filter((row) => row.record === record && (which === 'all' || !row.is_hidden))
    .toSorted((one, other) => one.position - other.position)
  return Object.fromEntries(shown.map((row) => [`${ownPrefix}${row.id}`, definition(row)]))
}

/** The keys of these fields, in their order. */
export function ownKeys(own: Fields): OwnKey[] {
  return Object.keys(own).map((name) => ownKey(name.slice(ownPrefix.length)))
}

/** The definition of one of them, hidden or not. */
export function definition({ id, name, kind, options }: OwnField): Field {
  return {
    kind,
    label: name,
    key: ownKey(id),
    isOptional: true,
    merge: 'newest',
    import: kind === 'several choices' ? 'many columns' : 'one column',
    ...limits[kind],
    ...(hasOptions(kind)
      ? {
          choices: options.map((each) => each.id),
          choiceNames: Object.fromEntries(options.map((each) => [each.id, each.name])),
          choiceColors: Object.fromEntries(options.map((each) => [each.id, each.color])),
        }
      : {}),
  }
}

const shortText = { max: 500 }

/** What the database takes, where that is not what the kind takes elsewhere. */
const limits: Partial<Record<OwnKind, Partial<Field>>> = {
  text: shortText,
  email: shortText,
  phone: shortText,
  link: shortText,
  'long text': { max: 10_000 },
  number: { max: 1e12, min: -1e12, decimals: 6 },
}
