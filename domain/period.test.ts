import { describe, expect, test } from 'vitest'
import { periodBefore, periods, weekBegins } from './period.ts'

const of = (name: string, today: string, weekStart = 1) =>
  periods.find((each) => each.name === name)?.of(today, weekStart)

describe('periods', () => {
  test.each([
    ['This week', '2026-11-18', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['Last week', '2026-11-18', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
    ['This month', '2026-03-31', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['Last month', '2026-01-31', '2025-12-01', '2025-12-31', '2025-11-01', '2025-11-30'],
    ['Quarter', '2026-11-18', '2026-10-01', '2026-12-31', '2026-07-01', '2026-09-30'],
    ['Year', '2028-02-29', '2028-01-01', '2028-12-31', '2027-01-01', '2027-12-31'],
  ])('%s of %s', (name, today, from, to, beforeFrom, beforeTo) => {
    expect(of(name, today)).toEqual({ from, to })
    expect(periodBefore({ from, to })).toEqual({ from: beforeFrom, to: beforeTo })
  })

  test('a week begins on the day that the user chose', () => {
    expect(weekBegins('2026-11-15', 1)).toBe('2026-11-09')
    expect(weekBegins('2026-11-15', 0)).toBe('2026-11-15')
    expect(weekBegins('2026-11-15', 6)).toBe('2026-11-14')
  })

  test('any other period has as many days before it', () => {
    expect(periodBefore({ from: '2026-03-10', to: '2026-03-12' })).toEqual({
      from: '2026-03-07',
      to: '2026-03-09',
    })
  })
})
