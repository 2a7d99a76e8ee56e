import { describe, expect, test } from 'vitest'
import { keptDueDate, newTask, rescheduleSchema, taskSchema } from './task-form.ts'

test('a due date that still shows as before is kept to the second', () => {
  const zone = 'Europe/Berlin'
  expect(keptDueDate('2026-11-15T08:00:00.000Z', '2026-11-15T08:00:42+00:00', zone)).toBe(
    '2026-11-15T08:00:42+00:00',
  )
  // Half past two comes twice in this night; this is the second.
  expect(keptDueDate('2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00+00:00', zone)).toBe(
    '2026-10-25T01:30:00+00:00',
  )
  expect(keptDueDate('2026-11-15T08:01:00.000Z', '2026-11-15T08:00:42+00:00', zone)).toBe(
    '2026-11-15T08:01:00.000Z',
  )
  expect(keptDueDate(null, '2026-11-15T08:00:42+00:00', zone)).toBeNull()
})

test('to put a task off, a date is needed', () => {
  const schema = rescheduleSchema('Europe/Berlin')
  expect(schema.parse({ due_date: '2026-11-15T09:00' })).toEqual({
    due_date: '2026-11-15T08:00:00.000Z',
  })
  const messages = (due_date: string) =>
    schema.safeParse({ due_date }).error?.issues.map(({ message }) => message)
  expect(messages('')).toEqual(['Enter a date and a time.'])
  expect(messages('2026-02-31T09:00')).toEqual(['There is no such day in the calendar.'])
})

describe('the form', () => {
  const check = (changes: object, timeZone = 'Europe/Berlin') => {
    const result = taskSchema(timeZone).safeParse({ ...newTask, title: 'Call', ...changes })
    return result.success ? result.data : result.error.issues.map(({ message }) => message)
  }

  test('a title is all it needs', () => {
    expect(check({ title: ' Call ' })).toEqual({
      ...newTask,
      title: 'Call',
      description: null,
      due_date: null,
    })
  })

  test('the due date is on the wall clock of the user', () => {
    expect(check({ due_date: '2026-11-15T09:00' })).toMatchObject({
      due_date: '2026-11-15T08:00:00.000Z',
    })
  })

  test.each([
    [{ title: '  ' }, 'Title is required.'],
    [{ due_date: '2026-02-31T09:00' }, 'There is no such day in the calendar.'],
    [
      { due_date: '2026-03-29T02:30' },
      'There is no such time on that day: the clock goes forward then.',
    ],
    [{ due_date: '1800-01-01T00:00' }, 'Enter a date between 1900 and 2200.'],
    [{ due_date: 'soon' }, 'Enter a date and a time.'],
    [{ repeat: 'daily' }, 'A task that repeats needs a due date.'],
    [
      { repeat: 'weekly', repeat_days: [], due_date: '2026-11-15T09:00' },
      'Choose at least one day of the week.',
    ],
    [{ repeat: 'after', repeat_every: '' }, 'Enter a number of days between 1 and 3,650.'],
    [{ repeat: 'after', repeat_every: 0.5 }, 'Enter a number of days between 1 and 3,650.'],
  ])('%j is refused: %s', (changes, message) => {
    expect(check(changes)).toEqual([message])
  })

  test('only what belongs to the kind of repetition is kept', () => {
    expect(
      check({
        repeat: 'weekly',
        repeat_days: [5, 1, 5],
        repeat_every: 3,
        due_date: '2026-11-15T09:00',
      }),
    ).toMatchObject({ repeat_days: [1, 5], repeat_every: null })
    expect(check({ repeat: 'after', repeat_days: [1], repeat_every: 3 })).toMatchObject({
      repeat_days: null,
      repeat_every: 3,
    })
  })
})
