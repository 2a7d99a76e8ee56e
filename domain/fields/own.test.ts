import { expect, test } from 'vitest'
import { csvHeader, csvRow, readCell } from './cells.ts'
import { checkOf } from './checks.ts'
import { type Fields, fieldOf, valueAt } from './field.ts'
import { inputOf, ownTexts, schemaWithOwn } from './form.ts'
import { shownValue } from './kinds.ts'
import { columnLabels, sortOptions } from './list.ts'
import { listOrder } from './order.ts'
import { type OwnField, type OwnKind, ownFields, ownKinds } from './own.ts'
import { fieldInput, fieldSchema, newOption, optionId, optionsTogether } from './own-form.ts'
import { withOwnChanges } from './own-values.ts'

const options = [
  { id: '~aaaaaaa', name: 'Gold', color: 'yellow' },
  { id: '~bbbbbbb', name: 'Silver, old', color: 'gray' },
  { id: '~ccccccc', name: 'Bronze', color: 'orange' },
]

function row(id: string, kind: OwnKind, more: Partial<OwnField> = {}): OwnField {
  const isChoice = kind === 'choice' || kind === 'several choices'
  return {
    id,
    record: 'contacts',
    name: `The ${kind}`,
    kind,
    options: isChoice ? options : [],
    position: 1,
    is_hidden: false,
    ...more,
  }
}

/** One field of each kind, under its kind as its id. */
const own = ownFields(
  // The keys of an object have lost their names.
  (Object.keys(ownKinds) as OwnKind[]).map((kind, index) => row(kind, kind, { position: index })),
  'contacts',
)

function field(kind: OwnKind) {
  return fieldOf(own, `field:${kind}`).field
}

const check = (kind: OwnKind, input: unknown) => checkOf(field(kind)).safeParse(input).data
const problem = (kind: OwnKind, input: unknown) =>
  checkOf(field(kind)).safeParse(input).error?.issues[0]?.message

test('the fields of a record in their order, without those that are hidden unless all are wanted', () => {
  const rows = [
    row('b', 'text', { position: 2 }),
    row('a', 'choice', { position: 1 }),
    row('c', 'text', { position: 3, is_hidden: true }),
    row('d', 'text', { record: 'deals' }),
  ]
  const fields = ownFields(rows, 'contacts')
  expect(Object.keys(fields)).toEqual(['custom.a', 'custom.b'])
  const all = ownFields(rows, 'contacts', 'all')
  expect(Object.keys(all)).toEqual(['custom.a', 'custom.b', 'custom.c'])
  expect(fields['custom.a']).toMatchObject({
    label: 'The choice',
    key: 'field:a',
    choices: ['~aaaaaaa', '~bbbbbbb', '~ccccccc'],
    choiceNames: { '~aaaaaaa': 'Gold' },
    choiceColors: { '~aaaaaaa': 'yellow' },
  })
  expect(columnLabels(fields, ['field:b'])).toEqual([{ key: 'field:b', label: 'The text' }])
  expect(sortOptions(own, ['field:yes/no'])[0]).toMatchObject({ asc: 'Yes first' })
})

test('a value is read under the name of its field', () => {
  expect(valueAt({ custom: { a: 1 } }, 'custom.a')).toBe(1)
  expect(valueAt({ custom: {} }, 'custom.a')).toBeUndefined()
  expect(valueAt({}, 'custom.a')).toBeUndefined()
})

test('each kind checks what is typed, and nothing typed is no value', () => {
  expect(check('text', '  Ada ')).toBe('Ada')
  expect(check('text', ' ')).toBeNull()
  expect(problem('text', 'a'.repeat(501))).toBe('The text can have at most 500 characters.')
  expect(problem('long text', 'a'.repeat(10_001))).toBe(
    'The long text can have at most 10,000 characters.',
  )
  expect(check('number', '')).toBeNull()
  expect(check('number', '0')).toBe(0)
  expect(check('number', '-1.234567')).toBe(-1.234567)
  expect(problem('number', '0.1234567')).toBe('The number can have at most 6 decimals.')
  expect(problem('number', 'many')).toBe('The number must be a number.')
  expect(problem('number', '1000000000001')).toMatch(/^The number must be between/)
  expect(check('money', '')).toBeNull()
  expect(check('money', '$1,234.50')).toBe(1234.5)
  expect(check('money', '12.000')).toBe(12_000)
  expect(check('number', '12.000')).toBe(12)
  expect(problem('money', '0.125')).toBe('The money can have at most two decimals.')
  expect(problem('money', '-1')).toBe('The money can’t be less than 0.')
  expect(check('day', '2026-11-17')).toBe('2026-11-17')
  expect(check('day', '')).toBeNull()
  expect(problem('day', 'unreadable')).toMatch(/must be a day/)
  expect([check('yes/no', 'yes'), check('yes/no', 'no'), check('yes/no', null)]).toEqual([
    true,
    false,
    null,
  ])
  expect(check('choice', '~bbbbbbb')).toBe('~bbbbbbb')
  expect(check('choice', null)).toBeNull()
  expect(checkOf(field('choice')).safeParse('~zzzzzzz').success).toBe(false)
  expect(check('several choices', ['~ccccccc', '~aaaaaaa', '~zzzzzzz'])).toEqual([
    '~aaaaaaa',
    '~ccccccc',
  ])
  expect(check('several choices', [])).toBeNull()
  expect(check('link', 'acme.com')).toBe('https://acme.com')
  expect(problem('email', 'nobody')).toMatch(/valid email/)
})

test('what is stored is what a form holds again, and is shown in words', () => {
  const stored: [OwnKind, unknown, unknown, string][] = [
    ['text', 'Ada', 'Ada', 'Ada'],
    // As years are written.
    ['number', 1234.5, '1234.5', '1,234.5'],
    ['number', 12345, '12345', '12,345'],
    ['money', 1200.5, '1200.5', '$1,200.50'],
    ['money', 1200, '1200', '$1,200'],
    ['yes/no', true, 'yes', 'Yes'],
    ['yes/no', false, 'no', 'No'],
    ['choice', '~aaaaaaa', '~aaaaaaa', 'Gold'],
    ['several choices', ['~ccccccc', '~aaaaaaa'], ['~aaaaaaa', '~ccccccc'], 'Gold, Bronze'],
  ]
  for (const [kind, value, input, shown] of stored) {
    expect(inputOf(field(kind), value)).toEqual(input)
    expect(shownValue(field(kind), value)).toBe(shown)
  }
  const empty = (Object.keys(ownKinds) as OwnKind[]).map((kind) => inputOf(field(kind), undefined))
  expect(empty).toEqual(['', '', '', '', '', null, null, [], '', '', ''])
  // An option that was removed in another window.
  expect(inputOf(field('choice'), '~zzzzzzz')).toBeNull()
})

test('a form stores what was touched, and nothing else', () => {
  const schema = schemaWithOwn({ name: { kind: 'text', label: 'Name' } }, own)
  expect(schema.parse({ name: 'Ada', custom: {} })).toEqual({ name: 'Ada', custom: {} })
  expect(schema.parse({ name: '', custom: { number: '7', text: '' } }).custom).toEqual({
    number: 7,
    text: null,
  })
  const failed = schema.safeParse({ name: '', custom: { number: 'x' } })
  expect(failed.error?.issues[0]?.path).toEqual(['custom', 'number'])
})

test('both versions of a record tell their own fields in words', () => {
  const record = { custom: { number: 5, choice: '~aaaaaaa' } }
  const mine = ownTexts(own, record, { number: '6', 'yes/no': 'no', money: 'x' })
  expect(mine).toMatchObject({
    'custom.number': '6',
    'custom.choice': 'Gold',
    'custom.yes/no': 'No',
    'custom.money': 'x',
    'custom.text': '',
  })
})

test('a write sets the values that it names, removes those that are null, and leaves the others', () => {
  expect(withOwnChanges({ a: 1, b: 'x', c: true }, { a: 2, b: null })).toEqual({ a: 2, c: true })
  expect(withOwnChanges({ a: 1 }, undefined)).toEqual({ a: 1 })
})

test('lists are sorted by them: options by place, yes before no, what is missing last', () => {
  const sorted = (kind: OwnKind, values: unknown[], isDescending = false) => {
    const rows = values.map((value, index) => ({
      id: String(index),
      custom: value === null ? {} : { [kind]: value },
    }))
    return rows
      .toSorted(listOrder(own, `field:${kind}`, isDescending))
      .map(({ id }) => values[Number(id)])
  }
  expect(sorted('choice', ['~ccccccc', null, '~aaaaaaa'])).toEqual(['~aaaaaaa', '~ccccccc', null])
  expect(sorted('choice', ['~aaaaaaa', null, '~ccccccc'], true)).toEqual([
    '~ccccccc',
    '~aaaaaaa',
    null,
  ])
  expect(sorted('yes/no', [false, null, true])).toEqual([true, false, null])
  expect(sorted('number', [10, null, 9, -1])).toEqual([-1, 9, 10, null])
  expect(sorted('text', ['beta', 'Alpha', null])).toEqual(['Alpha', 'beta', null])
})

test('files hold names and words, and are read again', () => {
  const read = (kind: OwnKind, text: string) =>
    readCell(field(kind), text, { dayOrder: 'day first', isOwn: false, timeZone: 'UTC' })
  const custom = {
    number: -0.5,
    'yes/no': false,
    choice: '~bbbbbbb',
    'several choices': ['~aaaaaaa', '~ccccccc'],
    text: '=1+1',
  }
  const keys = ['number', 'yes/no', 'choice', 'several choices', 'text', 'day'].map(
    (kind) => `field:${kind}`,
  )
  expect(csvHeader(own, keys)[1]).toBe('The yes/no')
  const cells = csvRow(own, keys, { custom })
  expect(cells).toEqual(['-0.5', 'No', 'Silver, old', 'Gold; Bronze', "'=1+1", ''])
  expect(read('yes/no', 'TRUE')).toEqual({ value: true })
  expect(read('yes/no', 'perhaps')).toEqual({
    problem: 'The yes/no: "perhaps" isn’t yes or no.',
  })
  expect(read('choice', 'gold')).toEqual({ value: '~aaaaaaa' })
  expect(read('choice', 'Iron')).toEqual({
    problem: 'The choice: "Iron" isn’t one of its options.',
  })
  expect(read('several choices', 'Bronze; Gold')).toEqual({ value: ['~aaaaaaa', '~ccccccc'] })
  expect(read('several choices', 'Silver, old')).toEqual({ value: ['~bbbbbbb'] })
  expect(read('several choices', 'Gold, Iron')).toMatchObject({ problem: expect.any(String) })
})

test('the form of a field: names once, a choice with options, other kinds without', () => {
  const schema = fieldSchema(['Budget'])
  const errors = (input: object) =>
    schema.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(schema.parse({ name: ' Size ', kind: 'text', options: [] })).toEqual({
    name: 'Size',
    kind: 'text',
    options: [],
  })
  expect(errors({ name: ' ', kind: 'text', options: [] })).toEqual([['name', 'Name is required.']])
  expect(errors({ name: 'budget ', kind: 'text', options: [] })).toEqual([
    ['name', 'A field with this name already exists.'],
  ])
  expect(errors({ name: 'a'.repeat(61), kind: 'text', options: [] })).toEqual([
    ['name', 'Name can have at most 60 characters.'],
  ])
  expect(errors({ name: 'Size', kind: 'choice', options: [] })).toEqual([
    ['options', 'Add at least one option.'],
  ])
  const two = [
    { id: '~aaaaaaa', name: 'Big', color: 'red' },
    { id: '~bbbbbbb', name: 'big ', color: 'red' },
  ]
  expect(errors({ name: 'Size', kind: 'choice', options: two })).toEqual([
    ['options.1.name', 'An option with this name already exists.'],
  ])
  expect(errors({ name: 'Size', kind: 'choice', options: [{ ...two[0], name: '' }] })).toEqual([
    ['options.0.name', 'Name is required.'],
  ])
  // Continue the kind was changed.
  expect(schema.parse({ name: 'Size', kind: 'number', options: two }).options).toEqual([])
})

test('a new option has an id of its own and a hue that is not that of the one before', () => {
  expect(optionId(new Uint8Array([0, 25, 26, 51, 52, 61, 62]))).toBe('~azAZ09a')
  const first = newOption('~aaaaaaa', [])
  expect(newOption('~bbbbbbb', [first]).color).not.toBe(first.color)
  expect(fieldInput(undefined, 'Budget')).toEqual({ name: 'Budget', kind: 'text', options: [] })
  expect(fieldInput(row('a', 'choice')).options).toHaveLength(3)
})

test('the definitions are whole without any field', () => {
  const none: Fields = ownFields([], 'deals')
  expect(none).toEqual({})
})

test('options that two windows change are put together, and nothing is lost', () => {
  const option = (id: string, name: string, color = 'gray') => ({ id, name, color })
  const before = [option('a', 'Gold'), option('b', 'Silver'), option('c', 'Tin')]
  const together = (mine: typeof before, now: typeof before) =>
    optionsTogether(before, mine, now).map(({ name, color }) => `${name} ${color}`)
  const mine = [option('c', 'Tin', 'red'), option('a', 'Or'), option('d', 'Lead')]
  // Silver was removed here, and Gold coloured and Iron added there.
  const now = [option('a', 'Gold', 'yellow'), ...before.slice(1), option('e', 'Iron')]
  expect(together(mine, now)).toEqual(['Tin red', 'Or yellow', 'Lead gray', 'Iron gray'])
  expect(together(before, now)).toEqual(['Gold yellow', 'Silver gray', 'Tin gray', 'Iron gray'])
  // What was removed there goes, unless it was changed here.
  expect(together([option('a', 'Or'), ...before.slice(1)], [option('c', 'Tin')])).toEqual([
    'Or gray',
    'Tin gray',
  ])
})
