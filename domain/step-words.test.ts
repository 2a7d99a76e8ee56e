import { afterEach, expect, test } from 'vitest'
import { setHabits, usualHabits } from './habits.ts'
import { readStep } from './step-words.ts'

afterEach(() => setHabits(usualHabits))

// A Thursday.
const clock = {
  now: Date.parse('2026-11-19T09:00:00Z'),
  timeZone: 'Europe/Berlin',
  weekStart: 1,
}

test.each([
  ['Send offer Wednesday', 'Send offer', '2026-11-25'],
  ['Send offer on friday', 'Send offer', '2026-11-20'],
  ['send offer in a week', 'send offer', '2026-11-26'],
  ['Call 24 Nov about the price', 'Call about the price', '2026-11-24'],
  ['Call next week', 'Call', '2026-11-23'],
  ['Call 11/24', 'Call', '2026-11-24'],
  ['Wednesday', 'Wednesday', '2026-11-25'],
  ['Call tomorrow at 3pm', 'Call', '2026-11-20', '15:00'],
  ['Send offer friday 10:00', 'Send offer', '2026-11-20', '10:00'],
  ['Call in 2 hours', 'Call', '2026-11-19', '12:00'],
])('“%s” is “%s” on %s %s', (words, title, day, time = '') => {
  expect(readStep(words, clock)).toEqual({ title, day, time })
})

test.each(['Send offer', 'Call May', ''])('“%s” names no day', (words) => {
  expect(readStep(words, clock)).toBeNull()
})

test('days as numbers are read in the order that the user is used to', () => {
  setHabits({ ...usualHabits, date_format: 'dd/mm/yyyy' })
  expect(readStep('Call 3/12', clock)).toEqual({ title: 'Call', day: '2026-12-03', time: '' })
})
