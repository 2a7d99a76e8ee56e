import { expect, test } from 'vitest'
import { type OwnKind, ownFields } from './own.ts'
import {
  conditionsInUrl,
  conditionValues,
  conditionWords,
  ownFilterOf,
  ownKeyInUrl,
  readCondition,
  withCondition,
} from './own-filters.ts'

const id = (digit: number) => `0000000${digit}-0000-4000-8000-000000000000`
const kinds: OwnKind[] = ['choice', 'yes/no', 'text', 'number', 'day', 'several choices']
const own = ownFields(
  kinds.map((kind, index) => ({
    id: id(index),
    record: 'deals',
    name: `The ${kind}`,
    kind,
    options: kind.includes('choice') ? [{ id: '~aaaaaaa', name: 'Gold', color: 'gray' }] : [],
    position: index,
    is_hidden: false,
  })),
  'deals',
)

const isRead = (text: string) => conditionsInUrl(own).safeParse([text]).success

test('an address asks for what a field can be asked', () => {
  const right = [
    `${id(0)}.is.~aaaaaaa`,
    `${id(1)}.is.no`,
    `${id(2)}.contains.a.b`,
    `${id(3)}.from.-1.5`,
    `${id(4)}.to.2026-11-17`,
    `${id(5)}.is.~aaaaaaa`,
    `${id(3)}.filled.no`,
  ]
  expect(right.filter((text) => !isRead(text))).toEqual([])
  const wrong = [
    `${id(0)}.is.~zzzzzzz`,
    `${id(0)}.contains.Gold`,
    `${id(1)}.is.perhaps`,
    `${id(2)}.contains.`,
    `${id(3)}.from.many`,
    `${id(4)}.to.2026-02-30`,
    `${id(4)}.filled.maybe`,
    `${id(9)}.filled.yes`,
    'nonsense',
  ]
  expect(wrong.filter(isRead)).toEqual([])
})

test('until the fields are read, the shape decides', () => {
  const early = conditionsInUrl(null)
  expect(early.safeParse([`${id(9)}.is.~zzzzzzz`]).success).toBe(true)
  expect(early.safeParse(['nonsense']).success).toBe(false)
  expect(ownKeyInUrl(null).safeParse(`field:${id(9)}`).success).toBe(true)
  expect(ownKeyInUrl(null).safeParse('field:nine').success).toBe(false)
  expect(ownKeyInUrl(own).safeParse(`field:${id(0)}`).success).toBe(true)
  expect(ownKeyInUrl(own).safeParse(`field:${id(9)}`).success).toBe(false)
})

test('the database is asked by the ids of the fields', () => {
  expect(ownFilterOf([])).toEqual({})
  const asked = [
    `${id(0)}.is.~aaaaaaa`,
    `${id(0)}.is.~bbbbbbb`,
    `${id(1)}.is.yes`,
    `${id(2)}.contains.2026.5`,
    `${id(3)}.from.0`,
    `${id(3)}.to.9.5`,
    `${id(4)}.from.2026-11-17`,
    `${id(4)}.filled.yes`,
  ]
  expect(ownFilterOf(asked)).toEqual({
    fields: {
      [id(0)]: { is: ['~aaaaaaa', '~bbbbbbb'] },
      [id(1)]: { is: [true] },
      [id(2)]: { contains: '2026.5' },
      [id(3)]: { from: 0, to: 9.5 },
      [id(4)]: { from: '2026-11-17', filled: true },
    },
  })
})

test('one condition is changed, and the others stay', () => {
  const before = [`${id(3)}.from.1`, `${id(3)}.to.9`, `${id(0)}.is.~aaaaaaa`]
  const from = { id: id(3), operation: 'from' } as const
  expect(conditionValues(before, from)).toEqual(['1'])
  expect(withCondition(before, from, ['2'])).toEqual([
    `${id(3)}.to.9`,
    `${id(0)}.is.~aaaaaaa`,
    `${id(3)}.from.2`,
  ])
  expect(withCondition(before, from, [])).toHaveLength(2)
})

test('chips say what is asked', () => {
  const words = (text: string) => {
    const condition = readCondition(text)
    const { label, value } = condition ? conditionWords(own, condition) : { label: '', value: '' }
    return `${label}: ${value}`
  }
  expect(words(`${id(0)}.is.~aaaaaaa`)).toBe('The choice: Gold')
  expect(words(`${id(5)}.is.~aaaaaaa`)).toBe('The several choices: Gold')
  expect(words(`${id(1)}.is.no`)).toBe('The yes/no: No')
  expect(words(`${id(2)}.contains.abc`)).toBe('The text contains: abc')
  expect(words(`${id(3)}.from.1000`)).toBe('The number from: 1000')
  expect(words(`${id(4)}.to.2026-11-17`)).toBe('The day to: Nov 17, 2026')
  expect(words(`${id(4)}.filled.no`)).toBe('The day: no value')
})
