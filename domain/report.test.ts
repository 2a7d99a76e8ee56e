import { describe, expect, test } from 'vitest'
import {
  conversionSteps,
  forecastLabel,
  longDate,
  monthLabel,
  reasonLabel,
  shownDays,
  weekLabel,
  winRate,
} from './report.ts'

test.each([
  [{ won: 0, lost: 0 }, null],
  [{ won: 3, lost: 0 }, 100],
  [{ won: 1, lost: 2 }, 33],
  [{ won: 0, lost: 4 }, 0],
])('the win rate of %o is %s', (closed, rate) => {
  expect(winRate(closed)).toBe(rate)
})

test('days in words', () => {
  expect([null, 0, 1, 0.5, 34, 1204.25].map(shownDays)).toEqual([
    '–',
    '0 days',
    '1 day',
    '0.5 days',
    '34 days',
    '1,204.3 days',
  ])
})

test('each stage with its share of those at the stage before', () => {
  expect(
    conversionSteps([
      { name: 'Lead', reached: 8 },
      { name: 'Qualified', reached: 6 },
      { name: 'Proposal', reached: 2 },
      { name: 'Closed Won', reached: 0 },
    ]),
  ).toEqual([
    { name: 'Lead', reached: 8, rate: null },
    { name: 'Qualified', reached: 6, rate: 75 },
    { name: 'Proposal', reached: 2, rate: 33 },
    { name: 'Closed Won', reached: 0, rate: 0 },
  ])
  const nobody = [
    { name: 'Lead', reached: 0 },
    { name: 'Qualified', reached: 0 },
  ]
  expect(conversionSteps(nobody).map(({ rate }) => rate)).toEqual([null, null])
})

describe('days of the calendar keep their day wherever they are read', () => {
  test.each(['2026-01-01', '2026-03-29', '2026-10-25', '2026-12-31', '1900-01-01', '2200-12-31'])(
    '%s',
    (day) => {
      const [year, month, date] = day.split('-').map(Number)
      const words = longDate(day)
      expect(words.endsWith(` ${date}, ${year}`)).toBe(true)
      expect(new Date(`${words} 12:00 UTC`).getUTCMonth()).toBe((month ?? 0) - 1)
    },
  )
})

test('labels of months, weeks, forecasts and reasons', () => {
  expect(monthLabel('2026-11-01')).toBe('Nov 2026')
  expect(weekLabel('2026-11-09')).toBe('Nov 9')
  expect(forecastLabel({ kind: 'month', month: '2027-01-01' })).toBe('Jan 2027')
  expect(forecastLabel({ kind: 'overdue', month: null })).toBe('Overdue')
  expect(forecastLabel({ kind: 'later', month: null })).toBe('Later')
  expect(forecastLabel({ kind: 'none', month: null })).toBe('No date')
  expect(reasonLabel('Too expensive')).toBe('Too expensive')
  expect(reasonLabel(null)).toBe('No reason given')
})
