import { afterEach, expect, test } from 'vitest'
import { typedNumber } from './amount.ts'
import { clockTime, dayInYear, longDay, shownDate, shownDay, shownMoment } from './dates.ts'
import { grouping, shownNumber, typedFigure } from './figures.ts'
import { dateFormats, numberFormats, setHabits, usualHabits } from './habits.ts'
import { shownTime } from './task.ts'

afterEach(() => setHabits(usualHabits))

/** Browsers write spaces that do not break, and one apostrophe or the other. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replaceAll("'", '’')

const moment = '2026-03-05T23:07:00Z'

test.each([
  ['month day, year', 'Mar 5, 2026', 'March 5, 2026', 'Mar 5'],
  ['day month year', '5 Mar 2026', '5 March 2026', '5 Mar'],
  ['yyyy-mm-dd', '2026-03-05', '2026-03-05', '03-05'],
  ['dd.mm.yyyy', '05.03.2026', '05.03.2026', '05.03.'],
  ['dd/mm/yyyy', '05/03/2026', '05/03/2026', '05/03'],
  ['mm/dd/yyyy', '03/05/2026', '03/05/2026', '03/05'],
] as const)('days in the format %s', (date_format, short, long, near) => {
  setHabits({ ...usualHabits, date_format })
  expect(shownDate('2026-03-05')).toBe(short)
  expect(shownDay(moment, 'UTC')).toBe(short)
  expect(longDay(moment, 'UTC')).toBe(long)
  expect(dayInYear(moment, 'UTC')).toBe(near)
  // The day is that of the time zone.
  expect(shownDay(moment, 'Asia/Tokyo')).not.toBe(short)
})

test('every format has its test', () => {
  expect(dateFormats).toHaveLength(6)
  expect(numberFormats).toHaveLength(5)
})

test('times by the clock that was chosen', () => {
  expect(clockTime(moment, 'UTC')).toBe('23:07')
  expect(shownMoment(moment, 'UTC')).toBe('Mar 5, 2026, 23:07')
  setHabits({ ...usualHabits, clock: 12, date_format: 'day month year' })
  expect(plain(clockTime(moment, 'UTC'))).toBe('11:07 PM')
  expect(plain(clockTime('2026-03-05T00:07:00Z', 'UTC'))).toBe('12:07 AM')
  expect(plain(shownTime(moment, 'UTC'))).toBe('5 Mar, 11:07 PM')
})

test.each([
  ['1,234.56', '1,234,567.25'],
  ['1.234,56', '1.234.567,25'],
  ['1 234,56', '1 234 567,25'],
  ['1’234.56', '1’234’567.25'],
  ['12,34,567.89', '12,34,567.25'],
] as const)('numbers in the format %s', (number_format, shown) => {
  setHabits({ ...usualHabits, number_format })
  expect(plain(shownNumber(1_234_567.25))).toBe(shown)
  // What a form begins with is read as the same number.
  for (const number of [0, 1.5, 1250, 1.25, 0.125, 1_234_567.25, -3.5]) {
    expect(typedNumber(typedFigure(number))).toBe(number)
  }
})

test('typed numbers follow the chosen format', () => {
  setHabits({ ...usualHabits, number_format: '1.234,56' })
  expect(typedNumber('1.250')).toBe(1250)
  expect(typedNumber('1,250')).toBe(1.25)
  expect(typedNumber('1.234.567,5')).toBe(1_234_567.5)
  expect(typedNumber('1 250')).toBe(1250)
  expect(typedNumber('$1,250.50')).toBe(1250.5)
  expect(typedNumber('many')).toBeNull()
})

test('while an amount is typed, its thousands are parted as they are shown', () => {
  const parted = numberFormats.map((number_format) => {
    setHabits({ ...usualHabits, number_format })
    const { sign, style } = grouping()
    expect(plain(shownNumber(1234567))).toContain(`${plain(sign)}567`)
    return `${plain(sign)} ${style}`
  })
  expect(parted).toEqual([', thousand', '. thousand', '  thousand', '’ thousand', ', lakh'])
})
