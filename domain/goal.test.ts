import { expect, test } from 'vitest'
import { goalOf, goalWords, monthOfGoal } from './goal.ts'

test.each([
  ['10000', 10000],
  ['10,000.50', 10000.5],
  ['0', null],
  ['-5', null],
  ['soon', null],
  ['', null],
  ['9999999999999', null],
])('the goal typed as %j is %j', (typed, amount) => {
  expect(goalOf(typed)).toBe(amount)
})

test('how far it is, and how many days are left', () => {
  const november = { last_day: '2026-11-30', deals: 1 }
  const told = (won: string, today: string) => goalWords(1000, { ...november, won, today }).left
  expect(told('299.99', '2026-11-18')).toBe('29% · 13 days left')
  expect(told('0', '2026-11-30')).toBe('0% · 1 day left')
  expect(told('1500.00', '2026-11-30')).toBe('150% · Goal reached')
  expect(monthOfGoal('2026-11-01')).toBe('November')
})
