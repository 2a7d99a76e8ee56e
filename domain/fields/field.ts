import type { EntriesOf, ListKind } from './entries.ts'

export type Kind =
  | 'text'
  | 'long text'
  | 'email'
  | 'phone'
  | 'link'
  | 'number'
  | 'money'
  | 'currency'
  | 'day'
  | 'moment'
  | 'yes/no'
  | 'choice'
  | 'several choices'
  | 'tags'
  | 'birthday'
  | 'days before'
  | 'record'
  // Several of them, each with a label.
  | 'emails'
  | 'phones'
  | 'links'
  | 'addresses'

/**
 * One field of a record. Forms, details, columns, sort menus, filters, imports, exports, merges and the words
 * of the history are made from it. It is plain data, so that a field may also be known at run time only.
 */
export type Field = {
  kind: Kind
  label: string
  /** Where it is called otherwise. A file says what the column says, and an import what a file says. */
  labels?: { form?: string; column?: string; file?: string; import?: string }
  /** Its name in addresses, sort orders and columns, where that is not the name of its column in the database. */
  key?: string
  /** The property of a row that tells it, where that is another one: a record is told by its name. */
  at?: string
  /** The list whose first entry it is: the database keeps the two equal. */
  firstOf?: string
  /** Where the user may change it: in the form and the details, which is the rule, in the details alone, or nowhere. */
  edit?: 'details' | 'never'
  isRequired?: true
  /** A number or a choice that may be missing; texts and days may be unless they are required. */
  isOptional?: true
  /** Of a text its characters, of a number the number itself; otherwise what its kind allows. */
  max?: number
  min?: number
  /** Of a number, where that is not two. */
  decimals?: number
  /** Of an amount of money: the code by which it is read, where that is not the account's. */
  currency?: string | null
  /** Few people know it: a form shows it when it is asked for, or when it holds something. */
  isRare?: true
  /** A short text that may have several lines. */
  hasLines?: true
  /** Of a choice, in their order. */
  choices?: readonly string[]
  /** What the choices are called, where that is not as they are stored. */
  choiceNames?: Readonly<Record<string, string>>
  /** The names of the choices' hues, where they are shown as badges. */
  choiceColors?: Readonly<Record<string, string>>
  /** What every new record has: in a merge as good as no value. */
  usual?: string | number
  /** Where the kept record lacks it, a merge takes the longer value of the others, or the one changed last. */
  merge?: 'fullest' | 'newest'
  /** Whether a column of a file may fill it, several together, or one for each number: `Contact`, `Contact 2`. */
  import?: 'one column' | 'many columns' | 'numbered columns'
  /** What the directions of its order are called, and which one comes first, where that is not as its kind says. */
  sort?: { asc?: string; desc?: string; first?: 'desc' }
  /** Its column in a table, where that is not as wide as its kind wants it: pixels, and its share of what is left. */
  column?: { width: number; grow?: number }
  filter?: Filter
}

/** How a list is filtered by a field. */
export type Filter = {
  /** Any of several values, one record, whether there is a value at all, or all from one value to another. */
  by: 'any' | 'one' | 'presence' | 'range'
  /**
   * Its name in addresses, where that is not the key of the field. A range has two: from and to, or min and max; a second
   * range of days in a list has `contacted_from` and `contacted_to`.
   */
  key?: string
  /** What the database calls it, where that is not the key of the field: a range has `close_from` and `close_to`. */
  sent?: string
  label?: string
  /** Records that lack it can be asked for: 'none' in addresses. */
  hasNone?: true
}

/** The fields of a record by the names of their columns, in the order of its form. */
export type Fields = Record<string, Field>

/** When a record was made. A file may say it of records that were made elsewhere. */
export const created = {
  kind: 'moment',
  label: 'Created',
  labels: { file: 'Created At' },
  key: 'created',
  edit: 'never',
  import: 'one column',
  sort: { first: 'desc' },
} as const satisfies Field

/** What a record is called in lists, addresses and orders of the database. */
export type KeyOf<F extends Fields> = {
  [Name in keyof F & string]: F[Name] extends { key: infer Key extends string } ? Key : Name
}[keyof F & string]

/** The fields that a form holds. */
export type FormName<F extends Fields> = {
  [Name in keyof F & string]: F[Name] extends { edit: string } ? never : Name
}[keyof F & string]

/** What a form holds of a field, before it is checked. */
export type InputOf<F extends Field> = F extends { choices: readonly (infer Choice)[] }
  ? Choice
  : F['kind'] extends 'number' | 'money'
    ? string | number
    : F['kind'] extends 'tags'
      ? string[]
      : F['kind'] extends ListKind
        ? EntriesOf<F['kind']>
        : F['kind'] extends 'record'
          ? string | null
          : string

/** What is stored of it. */
export type ValueOf<F extends Field> = F extends { choices: readonly (infer Choice)[] }
  ? Choice
  : F['kind'] extends 'number' | 'money'
    ? number
    : F['kind'] extends 'tags'
      ? string[]
      : F['kind'] extends 'days before'
        ? number | null
        : F['kind'] extends ListKind
          ? EntriesOf<F['kind']>
          : F extends { isRequired: true }
            ? string
            : string | null

type LabelUse = 'form' | 'column' | 'file' | 'import'

/** What a field is called in a form, over a column, in a file of ours and among the fields of an import. */
export function labelOf({ label, labels = {} }: Field, use: LabelUse): string {
  if (use === 'form') return labels.form ?? label
  const inFile = use === 'column' ? undefined : labels.file
  return (use === 'import' ? labels.import : undefined) ?? inFile ?? labels.column ?? label
}

/** 'Phone number': what a field is called within a sentence, and in a list of values. What the user named is called as typed. */
export function wordsFor({ key, label }: Field): string {
  if (key?.startsWith('field:')) return label
  return label.charAt(0) + label.slice(1).toLowerCase()
}

/** Whether a list can know this key. */
export function isField(fields: Fields, key: string): boolean {
  return Object.entries(fields).some(([name, field]) => (field.key ?? name) === key)
}

/** The field that a list calls by this key. */
export function fieldOf(fields: Fields, key: string): { name: string; field: Field } {
  const found = Object.entries(fields).find(([name, field]) => (field.key ?? name) === key)
  if (!found) throw new Error(`There is no field ${key}.`)
  return { name: found[0], field: found[1] }
}

/** What a row says under the name of a column; `custom.…` are values of the user's own fields. */
export function valueAt(row: object, name: string): unknown {
  if (!name.startsWith(ownPrefix)) return Reflect.get(row, name)
  const own = Reflect.get(row, ownColumn)
  return typeof own === 'object' && own !== null
    ? Reflect.get(own, name.slice(ownPrefix.length))
    : undefined
}

/** The column of the values of all fields of the user's own, by the ids of the fields. */
const ownColumn = 'custom'
export const ownPrefix = `${ownColumn}.`

/** One value as the columns of a record that it changes: `{ nickname: … }`, `{ custom: { … } }`. */
export function changeAt(name: string, value: unknown): Record<string, unknown> {
  if (!name.startsWith(ownPrefix)) return { [name]: value }
  return { [ownColumn]: { [name.slice(ownPrefix.length)]: value } }
}
