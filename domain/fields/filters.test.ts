import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Fields } from './field.ts'
import { filterField, filterOf, filterShape, noFilter } from './filters.ts'

/** Known at run time only, as a field of the user's own would be. */
const own: Fields = {
  size: { kind: 'choice', label: 'Size', choices: ['S', 'L'], filter: { by: 'any', key: 's' } },
  color: { kind: 'text', label: 'Colour', filter: { by: 'any' } },
  owner_id: { kind: 'record', label: 'Owner', key: 'owner', filter: { by: 'one', hasNone: true } },
  email: { kind: 'email', label: 'Email', filter: { by: 'presence' } },
  budget: { kind: 'money', label: 'Budget', filter: { by: 'range' } },
  made_at: { kind: 'moment', label: 'Made', key: 'made', filter: { by: 'range', sent: 'born' } },
  secret: { kind: 'text', label: 'Secret' },
}
const keys = ['size', 'color', 'owner', 'email', 'budget', 'made']
const schema = z.object(filterShape(own, keys))

test('nothing is asked for', () => {
  expect(schema.parse({})).toEqual({ s: [], color: [] })
  expect(filterOf(own, keys, schema.parse({}))).toEqual({})
  expect(filterOf(own, keys, noFilter(own, keys))).toEqual({})
})

test('everything that can be asked for, as the database takes it', () => {
  const asked = {
    s: ['L'],
    color: ['red', 'blue'],
    owner: 'none',
    email: 'no',
    min: '12.50',
    to: '2026-01-31',
  }
  expect(filterOf(own, keys, schema.parse(asked), 'Europe/Berlin')).toEqual({
    size: ['L'],
    color: ['red', 'blue'],
    owner: 'none',
    has_email: false,
    budget_from: 12.5,
    born_to: '2026-01-31',
    time_zone: 'Europe/Berlin',
  })
})

test.each([
  { s: ['M'] },
  { owner: 'acme' },
  { email: 'maybe' },
  { min: '-1' },
  { max: '1.234' },
  { from: '2026-02-30' },
])('%j means nothing', (asked) => {
  expect(schema.safeParse(asked).success).toBe(false)
})

test('a list cannot be filtered by what is no filter', () => {
  expect(() => filterField(own, 'secret')).toThrow('A list cannot be filtered by secret.')
})
