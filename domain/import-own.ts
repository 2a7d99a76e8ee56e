import { type CellValue, type Reading, readCell } from './fields/cells.ts'
import { checkOf } from './fields/checks.ts'
import { type Field, ownPrefix } from './fields/field.ts'
import { definition, hasOptions, hues, type OwnField, type OwnOption } from './fields/own.ts'
import { mostOptions } from './fields/own-form.ts'
import { currencyAt, maySign } from './import-currency.ts'
import { addressesIn } from './import-emails.ts'
import {
  kindOfSide,
  plainField,
  sideName,
  sideOfHeader,
  sides,
  withoutSide,
} from './import-sides.ts'

/** A field of the user's own as an import fills it. */
export type PlannedField = OwnField & {
  /** The import makes it. */
  isNew: boolean
  /** Which of its options the import adds. */
  newOptions: OwnOption[]
}

/** The name of an own field in a mapping. */
export function ownName(id: string): string {
  return `${ownPrefix}${id}`
}

/** The name of an own field in a mapping of such records: in a file of deals, whose it is stands before it. */
export function mappedName(kind: OwnField['record'], field: Pick<OwnField, 'id' | 'record'>) {
  const side = kind === 'deals' && sides.find((each) => kindOfSide[each] === field.record)
  return side ? sideName(side, ownName(field.id)) : ownName(field.id)
}

export function isOwnName(name: string | null): name is string {
  return name?.startsWith(ownPrefix) ?? false
}

/** The field that a mapping names; undefined when it is none of the user's own. */
export function plannedField(
  fields: readonly PlannedField[],
  name: string | null,
): PlannedField | undefined {
  const own = plainField(name)
  return isOwnName(own) ? fields.find(({ id }) => ownName(id) === own) : undefined
}

/**
 * Maps each column that is called like an own field to it. Case, underscores and double spaces do not count. In a file of deals
 * `Person - Size` is called like a field "Size" of contacts.
 */
export function ownColumns(
  kind: OwnField['record'],
  columns: string[],
  fields: readonly OwnField[],
): (string | null)[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    const found = fields.find((field) => isCalled(field, column, kind) && !taken.has(field.id))
    if (!found) return null
    if (found.kind !== 'several choices') taken.add(found.id)
    return mappedName(kind, found)
  })
}

function isCalled({ record, name }: OwnField, column: string, kind: OwnField['record']): boolean {
  const side = sideOfHeader(column)
  const isOfSide = side !== null && kindOfSide[side] === record
  if (record !== kind && !(kind === 'deals' && isOfSide)) return false
  const called = isOfSide ? [column, withoutSide(side, column)] : [column]
  return called.some((each) => plain(each) === plain(name))
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase()
}

const longestOption = 60

/** The names in a cell of a choice, or of several. */
function namesIn({ kind }: OwnField, cell: string): string[] {
  const text = cell.trim()
  if (kind === 'choice') return text === '' ? [] : [text]
  return text.split(/[;,|\n]/).flatMap((part) => part.trim() || [])
}

/** The fields with the options that cells name and that they lack; `cellsOf` gives the cells of a field's columns. */
export function withNewOptions(
  fields: readonly PlannedField[],
  cellsOf: (field: PlannedField) => Iterable<string>,
): PlannedField[] {
  return fields.map((field) => {
    if (!hasOptions(field.kind)) return field
    const before = field.options.filter(
      ({ id }) => !field.newOptions.some((added) => added.id === id),
    )
    const newOptions: OwnOption[] = []
    const known = new Set(before.map(({ name }) => name.toLowerCase()))
    for (const cell of cellsOf(field)) {
      // A name may hold what parts names.
      if (known.has(cell.trim().toLowerCase())) continue
      for (const name of namesIn(field, cell)) {
        if (known.has(name.toLowerCase()) || name.length > longestOption) continue
        known.add(name.toLowerCase())
        // One more than fit is enough to say so.
        if (before.length + newOptions.length > mostOptions) break
        newOptions.push(optionCalled(name, [...before, ...newOptions]))
      }
    }
    return { ...field, options: [...before, ...newOptions], newOptions }
  })
}

/** A new option. The id follows from the name, so that reading the file again gives the same. */
function optionCalled(name: string, before: readonly OwnOption[]): OwnOption {
  let tries = 0
  let id = idOf(name)
  while (before.some((other) => other.id === id)) {
    tries += 1
    id = idOf(`${name} ${tries}`)
  }
  return { id, name, color: hues[(before.length + 1) % hues.length] ?? 'gray' }
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Seven letters that follow from a text. */
function idOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text.toLowerCase())) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  let id = '~'
  for (let place = 0; place < 7; place += 1) {
    id += letters[Number(hash % 62n)] ?? ''
    hash /= 62n
  }
  return id
}

/** Why fields cannot take what the file has for them; null when they can. */
export function optionsProblem(fields: readonly PlannedField[]): string | null {
  const full = fields.find(({ options }) => options.length > mostOptions)
  return full
    ? `“${full.name}” would have more than ${mostOptions} options. Choose another type or field for its column.`
    : null
}

/** What the database is told of the own fields that a file brings. */
export function broughtFields(fields: readonly PlannedField[], mapping: (string | null)[]) {
  return fields
    .filter((field) => (field.isNew || field.newOptions.length > 0) && isMapped(field, mapping))
    .map(({ id, record, name, kind, newOptions }) => ({
      id,
      record,
      name,
      kind,
      options: newOptions,
    }))
}

/** Whether a column fills an own field. */
export function isMapped({ id }: PlannedField, mapping: (string | null)[]): boolean {
  return mapping.some((name) => plainField(name) === ownName(id))
}

/** How the cells of an own field are read and checked. */
export type OwnReader = { id: string; field: Field; check: ReturnType<typeof checkOf> }

export function ownReader(planned: PlannedField): OwnReader {
  const field = definition(planned)
  return { id: planned.id, field, check: checkOf(field) }
}

/** The value of an own field, from the cells of its columns. */
export function readOwn(
  { field, check }: OwnReader,
  cells: string[],
  plan: Reading & { currency: string },
): { value: CellValue | null } | { problem: string } {
  const text = field.kind === 'several choices' ? cells.join('; ') : (cells[0] ?? '')
  const read = readCell(field, field.kind === 'email' ? addressIn(text) : text, plan)
  if ('problem' in read) return read
  if (field.kind === 'money' && isForeign(text, plan.currency)) {
    return { problem: `${field.label}: "${text}" is not in ${plan.currency}.` }
  }
  // What is read of these kinds can be stored as it is; forms hold other things of them.
  if (field.kind === 'yes/no' || hasChoices(field)) return read
  const checked = check.safeParse(read.value)
  if (checked.success) return { value: checked.data as CellValue | null }
  const why = checked.error.issues[0]?.message ?? 'The value can’t be read.'
  return { problem: why.startsWith(field.label) ? why : `${field.label}: ${why}` }
}

/** Whether an amount is said to be in another currency than the account's, in which own fields are. */
function isForeign(amount: string, account: string): boolean {
  const { currency, shared } = currencyAt(amount)
  return currency === null ? shared !== null && !maySign(shared, account) : currency !== account
}

function hasChoices({ kind }: Field): boolean {
  return kind === 'choice' || kind === 'several choices'
}

/** `ada@example.com` of `mailto:ada@example.com`; what holds more than an address stays as it is. */
function addressIn(text: string): string {
  const [only, ...more] = addressesIn(text)
  return only && more.length === 0 && only.name === '' ? only.email : text
}
