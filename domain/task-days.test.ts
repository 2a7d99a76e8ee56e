import { expect, test } from 'vitest'
import { agendaDay, agendaHeading, agendaOrder, dueOn, movedTo, weekOf } from './task-days.ts'

const now = Date.parse('2026-11-15T12:00:00Z') // a Sunday
const zone = 'Europe/Berlin'

test.each([
  [null, 'none', 'No date'],
  ['2026-11-15T11:00:00Z', 'overdue', 'Overdue'],
  ['2026-11-15T13:00:00Z', '2026-11-15', 'Today'],
  ['2026-11-15T23:30:00Z', '2026-11-16', 'Tomorrow'],
  ['2026-11-20T13:00:00Z', '2026-11-20', 'Friday, Nov 20'],
])('due %s stands under %s, %s', (due_date, day, heading) => {
  expect(agendaDay({ due_date }, now, zone)).toBe(day)
  expect(agendaHeading(day, now, zone)).toBe(heading)
})

test('overdue stands first, without a date last', () => {
  const days = ['none', '2026-11-20', 'overdue', '2026-11-16']
  expect(days.toSorted(agendaOrder)).toEqual(['overdue', '2026-11-16', '2026-11-20', 'none'])
})

test.each([
  ['2026-11-15', 1, '2026-11-09', '2026-11-15'],
  ['2026-11-15', 0, '2026-11-15', '2026-11-21'],
  ['2026-11-16', 1, '2026-11-16', '2026-11-22'],
  ['2027-01-01', 1, '2026-12-28', '2027-01-03'],
])('the week of %s that begins with weekday %i', (day, start, first, last) => {
  const week = weekOf(day, start)
  expect(week).toHaveLength(7)
  expect([week[0], week[6]]).toEqual([first, last])
})

const timed = (due_date: string) => ({ due_date, due_all_day: false })

test('another day keeps the time on the clock, over a change of the clock too', () => {
  expect(dueOn('2026-03-30', timed('2026-03-27T08:00:00Z'), zone)).toEqual(
    timed('2026-03-30T07:00:00.000Z'),
  )
  // That night the clock skips this hour.
  expect(dueOn('2026-03-29', timed('2026-03-27T01:30:00Z'), zone)).toEqual(
    timed('2026-03-29T07:00:00.000Z'),
  )
  expect(dueOn('2026-11-18', { due_date: null, due_all_day: false }, zone)).toEqual(
    timed('2026-11-18T08:00:00.000Z'),
  )
})

test('moved to today, an hour that is over becomes the whole day', () => {
  const clock = { now, timeZone: zone }
  const late = timed('2026-11-12T08:00:00Z')
  expect(movedTo('2026-11-15', late, clock)).toEqual({
    due_date: '2026-11-15T22:59:59.000Z',
    due_all_day: true,
  })
  expect(movedTo('2026-11-15', timed('2026-11-12T18:00:00Z'), clock)).toEqual(
    timed('2026-11-15T18:00:00.000Z'),
  )
  expect(movedTo('2026-11-14', late, clock)).toEqual(timed('2026-11-14T08:00:00.000Z'))
})
