import { describe, expect, test } from 'vitest'
import type { OwnKind, OwnOption } from './fields/own.ts'
import { mapColumns } from './import-headers.ts'
import { broughtFields, optionsProblem, type PlannedField, withNewOptions } from './import-own.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'

const option = (id: string, name: string): OwnOption => ({ id, name, color: 'gray' })

function field(name: string, kind: OwnKind, options: OwnOption[] = []): PlannedField {
  const id = name.toLowerCase()
  return {
    ...{ id, record: 'contacts', name, kind, options, position: 1, is_hidden: false },
    ...{ isNew: false, newOptions: [] },
  }
}

describe('a column is an own field', () => {
  const own = [field('Budget year', 'number'), field('Title', 'text'), field('Notes', 'text')]

  test('when it is called like it, before other names that we know, but not before our own', () => {
    const columns = ['BUDGET_YEAR', 'Title', 'Notes', 'Email', 'budget  year']
    expect(mapColumns('contacts', columns, [], own)).toEqual([
      'custom.budget year',
      'custom.title',
      'notes',
      'email',
      null,
    ])
  })

  test('never by its cells', () => {
    const rows = [['a@x.com'], ['b@x.com']]
    expect(mapColumns('contacts', ['Billing'], rows, [field('Billing', 'email')])).toEqual([
      'custom.billing',
    ])
  })
})

describe('values', () => {
  function read(planned: PlannedField, ...cells: string[]) {
    const mapping = ['first_name', `custom.${planned.id}`]
    const rows = cells.map((cell) => ['Ada', cell])
    const [own] = withNewOptions([planned], () => cells)
    const columns = ['First Name', 'Field']
    const plan = planImport('contacts', mapping, rows, { columns, own: own ? [own] : [] })
    return rows.map((row) => {
      const result = importRow(row, plan)
      if ('problem' in result) return result.problem
      const custom = result.values.custom as Record<string, unknown> | undefined
      return custom?.[planned.id] ?? result.values.notes
    })
  }

  test.each<[OwnKind, cells: string[], values: unknown[]]>([
    ['text', ['  Some text ', ''], ['Some text', undefined]],
    ['number', ['1,200', '-3.5', 'many'], [1200, -3.5, 'Field: many']],
    ['money', ['$1,200.50', '1,200 USD', '-1'], [1200.5, 1200, 'Field: -1']],
    ['day', ['24.12.2026', '2026-12-24', 'soon'], ['2026-12-24', '2026-12-24', 'Field: soon']],
    ['day', ['46380'], ['2026-12-24']],
    ['day', ['1850-01-01'], ['Field: 1850-01-01']],
    ['yes/no', ['Yes', 'nein', 'sí', 'maybe'], [true, false, true, 'Field: maybe']],
    ['link', ['acme.com', 'no address'], ['https://acme.com', 'Field: no address']],
    ['email', ['mailto:a@x.com', 'nobody'], ['a@x.com', 'Field: nobody']],
    ['phone', ['+49 30 1'], ['+49 30 1']],
    // Amounts of own fields are in the account's currency, and never another one's.
    ['money', ['1.200,50 €', '899 kr', '1,200'], ['Field: 1.200,50 €', 'Field: 899 kr', 1200]],
    ['text', ['x'.repeat(501)], [`Field: ${'x'.repeat(501)}`]],
  ])('of a %s field: %s', (kind, cells, values) => {
    expect(read(field('Field', kind), ...cells)).toEqual(values)
  })

  test('options are told by their names, and new ones are made', () => {
    const level = field('Level', 'choice', [option('~aaaaaaa', 'Gold')])
    const [gold, other, same] = read(level, 'GOLD', 'Bronze', 'bronze')
    expect(gold).toBe('~aaaaaaa')
    expect(other).toMatch(/^~[0-9A-Za-z]{7}$/)
    expect(same).toBe(other)
    // The same file gives the same options.
    expect(read(level, 'Bronze')).toEqual([other])
  })

  test('several options in a cell, and one whose name holds a comma', () => {
    const level = field('Level', 'several choices', [
      option('~aaaaaaa', 'Gold'),
      option('~bbbbbbb', 'Tin, Lead'),
    ])
    expect(read(level, 'gold; Gold', 'Tin, Lead')).toEqual([['~aaaaaaa'], ['~bbbbbbb']])
    expect(read(level, 'Gold, Iron')).toEqual([['~aaaaaaa', expect.stringMatching(/^~/)]])
  })

  test('a name that no option can have goes to the notes', () => {
    const long = 'x'.repeat(61)
    expect(read(field('Level', 'choice'), long)).toEqual([`Field: ${long}`])
  })
})

test('a hundred options are the most, which is said', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `Level ${index}`)
  const level = field('Level', 'choice')
  expect(optionsProblem(withNewOptions([level], () => names(100)))).toBeNull()
  expect(optionsProblem(withNewOptions([level], () => names(5000)))).toBe(
    '“Level” would have more than 100 options. Choose another type or field for its column.',
  )
})

test('the database is told of new fields and options that columns need', () => {
  const [level] = withNewOptions([field('Level', 'choice', [option('~aaaaaaa', 'Gold')])], () => [
    'Gold',
    'Tin',
  ])
  if (!level) throw new Error('There is one.')
  const made = { ...field('Made', 'text'), isNew: true }
  const fields = [level, made, field('There', 'text'), { ...field('Unused', 'text'), isNew: true }]
  expect(broughtFields(fields, ['custom.level', 'custom.made', 'custom.there'])).toEqual([
    { id: 'level', record: 'contacts', name: 'Level', kind: 'choice', options: level.newOptions },
    { id: 'made', record: 'contacts', name: 'Made', kind: 'text', options: [] },
  ])
})
