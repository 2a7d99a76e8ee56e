import { describe, expect, test } from 'vitest'
import { splitName } from './full-name.ts'
import {
  areExcelDays,
  cellValues,
  dayIn,
  dayOrderOf,
  excelDay,
  isDayOrderDoubtful,
  momentIn,
} from './import-values.ts'

test('several values in one cell', () => {
  expect(cellValues('a@x.com ::: b@y.com')).toEqual(['a@x.com', 'b@y.com'])
  expect(cellValues('  ')).toEqual([])
})

test.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Ada King Lovelace', 'Ada King', 'Lovelace'],
  ['Lovelace, Ada', 'Ada', 'Lovelace'],
  ['Ada', 'Ada', ''],
  ['Lovelace, Ada, PhD', 'Ada, PhD', 'Lovelace'],
  ['Acme, ', 'Acme,', ''],
  ['', '', ''],
])('the name %s', (full, first_name, last_name) => {
  expect(splitName(full)).toEqual({ first_name, last_name })
})

describe('dates', () => {
  test('a day after the twelfth tells the order of the column, and else the sign between', () => {
    expect(dayOrderOf(['01/02/2026', '13/02/2026'])).toBe('day first')
    expect(dayOrderOf(['01.02.2026', '02.13.2026'])).toBe('month first')
    expect(dayOrderOf(['01/02/2026'])).toBe('month first')
    expect(dayOrderOf(['01.02.2026'])).toBe('day first')
    expect(dayOrderOf([])).toBe('month first')
  })

  test('the order is in doubt when every day could be a month', () => {
    expect(isDayOrderDoubtful(['01/02/2026', '03/04/2026'])).toBe(true)
    expect(isDayOrderDoubtful(['01/02/2026', '13/02/2026'])).toBe(false)
    expect(isDayOrderDoubtful(['02/02/2026', '2026-01-02'])).toBe(false)
    expect(isDayOrderDoubtful([])).toBe(false)
  })

  test.each([
    ['2026-11-15', '2026-11-15'],
    ['2026/1/5', '2026-01-05'],
    ['2026-11-15T08:30:00Z', '2026-11-15'],
    ['11/15/2026', '2026-11-15'],
    ['1/5/26', '2026-01-05'],
    ['15 Nov 2026', '2026-11-15'],
    ['November 15, 2026', '2026-11-15'],
    ['24-Dec-2026', '2026-12-24'],
    ['24-Dec-26', '2026-12-24'],
    ['24/dec/2026', '2026-12-24'],
    ['2026-Dec-24', '2026-12-24'],
    ['Dec-24-2026', '2026-12-24'],
    ['December 1st, 2026', '2026-12-01'],
    ['Thu Dec 24 2026', '2026-12-24'],
    ['Thursday, 24 December 2026', '2026-12-24'],
    ['24. Dezember 2026', '2026-12-24'],
    ['Do., 24. Dez. 2026', '2026-12-24'],
    ['1. Jänner 2026', '2026-01-01'],
    ['5. März 2026', '2026-03-05'],
    ['1er août 2026', '2026-08-01'],
    ['24 déc. 2026', '2026-12-24'],
    ['24 de diciembre de 2026', '2026-12-24'],
    ['1º gennaio 2026', '2026-01-01'],
    ['24 de dezembro de 2026', '2026-12-24'],
    ['24 mrt. 2026', '2026-03-24'],
    ['den 24 december 2026', '2026-12-24'],
    ['24 grudnia 2026', '2026-12-24'],
    ['5 paź 2026', '2026-10-05'],
    ['2026年12月24日', '2026-12-24'],
    ['２０２６年１月５日（月）', '2026-01-05'],
    ['2026-02-30', null],
    ['30 Feb 2026', null],
    ['24 Dec 12:30', null],
    ['2026年13月1日', null],
    ['13/13/2026', null],
    ['15 Foo 2026', null],
    ['soon', null],
    ['45123', null],
  ])('the day %s', (text, day) => {
    expect(dayIn(text, 'month first')).toBe(day)
  })

  test.each([
    [
      'German',
      'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    ],
    [
      'French',
      'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    ],
    [
      'Spanish',
      'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    ],
    [
      'Italian',
      'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    ],
    [
      'Portuguese',
      'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    ],
    [
      'Dutch',
      'januari februari maart april mei juni juli augustus september oktober november december',
    ],
    [
      'Swedish',
      'januari februari mars april maj juni juli augusti september oktober november december',
    ],
    [
      'Polish',
      'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
    ],
  ])('the months in %s', (_language, names) => {
    const days = names.split(' ').map((name) => dayIn(`7 ${name} 2026`, 'month first'))
    expect(days).toEqual(
      Array.from({ length: 12 }, (_, place) => `2026-${`${place + 1}`.padStart(2, '0')}-07`),
    )
  })

  test.each([
    ['1', '1900-01-01'],
    ['59', '1900-02-28'],
    ['60', null],
    ['61', '1900-03-01'],
    ['46380', '2026-12-24'],
    ['46380.5', '2026-12-24 12:00'],
    ['46380,354166667', '2026-12-24 08:30'],
    ['0', null],
    ['60001', null],
    ['-5', null],
    ['24.12.2026', null],
  ])("Excel's day number %s", (text, day) => {
    expect(excelDay(text)).toBe(day)
  })

  test("a column holds Excel's day numbers when all of its values are some, and not years alone", () => {
    expect(areExcelDays(['46380', '', '45123.25'])).toBe(true)
    expect(areExcelDays(['46380', '24.12.2026'])).toBe(false)
    expect(areExcelDays(['2025', '2026'])).toBe(false)
    expect(areExcelDays(['46380', '123456'])).toBe(false)
    expect(areExcelDays(['', ''])).toBe(false)
  })

  test('the day first', () => {
    expect(dayIn('05.11.2026', 'day first')).toBe('2026-11-05')
  })

  test.each([
    ['2026-11-15T08:30:00.123Z', '2026-11-15T08:30:00.123Z'],
    ['2026-11-15 08:30:00+01:00', '2026-11-15T07:30:00.000Z'],
    ['2026-11-15', '2026-11-15T12:00:00.000Z'],
    ['11/15/2026 08:30', '2026-11-15T08:30:00.000Z'],
    ['2026-11-15 8:05', '2026-11-15T08:05:00.000Z'],
    ['12/24/2026 3:05 PM', '2026-12-24T15:05:00.000Z'],
    ['12/24/2026 12:05:59 am', '2026-12-24T00:05:59.000Z'],
    ['24-Dec-2026 15:05', '2026-12-24T15:05:00.000Z'],
    ['2026年12月24日 15:05', '2026-12-24T15:05:00.000Z'],
    ['2026-11-15 25:00', null],
    ['yesterday', null],
    ['2026-03-31 20:00:15.000', '2026-03-31T20:00:15.000Z'],
    ['31 March 2026 20:00 +0200', '2026-03-31T18:00:00.000Z'],
  ])('the moment %s', (text, moment) => {
    expect(momentIn(text, 'month first')).toBe(moment)
  })

  test.each([
    // Noon in UTC would be the first of April in Kiritimati.
    ['2026-03-31', 'Pacific/Kiritimati', '2026-03-30T22:00:00.000Z'],
    ['2026-03-31 20:00', 'Asia/Tokyo', '2026-03-31T11:00:00.000Z'],
    ['2026-03-31 20:00 UTC', 'Asia/Tokyo', '2026-03-31T20:00:00.000Z'],
    ['2026-03-31T20:00:00+02:00', 'Asia/Tokyo', '2026-03-31T18:00:00.000Z'],
    // The day on which the clock goes forward.
    ['2026-03-29 01:59:30', 'Europe/Berlin', '2026-03-29T00:59:30.000Z'],
    ['2026-03-29 03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29 02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ])('a time without a zone is of the account’s clock: %s in %s', (text, zone, moment) => {
    expect(momentIn(text, 'month first', zone)).toBe(moment)
  })

  test('two digits of a year are of the last century from 70 on', () => {
    expect(dayIn('12.03.98', 'day first')).toBe('1998-03-12')
    expect(dayIn('12.03.70', 'day first')).toBe('1970-03-12')
    expect(dayIn('12.03.69', 'day first')).toBe('2069-03-12')
    expect(momentIn('12 Mar 98 10:30', 'day first')).toBe('1998-03-12T10:30:00.000Z')
  })
})
