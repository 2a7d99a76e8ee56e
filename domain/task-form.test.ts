import { describe, expect, test } from 'vitest'
import { newTask, taskSchema, weekDaysOf } from './task-form.ts'

describe('the form', () => {
  const check = (changes: object, timeZone = 'Europe/Berlin') => {
    const result = taskSchema(timeZone).safeParse({ ...newTask, title: 'Call', ...changes })
    return result.success ? result.data : result.error.issues.map(({ message }) => message)
  }

  test('a title is all it needs', () => {
    const { due_time, ...rest } = newTask
    expect(check({ title: ' Call ' })).toEqual({
      ...rest,
      title: 'Call',
      description: null,
      due_date: null,
      due_all_day: false,
    })
    expect(due_time).toBe('')
  })

  test('the due date is on the wall clock of the user', () => {
    expect(check({ due_date: '2026-11-15', due_time: '09:00' })).toMatchObject({
      due_date: '2026-11-15T08:00:00.000Z',
      due_all_day: false,
    })
  })

  test('a day without a time is due on all of it', () => {
    expect(check({ due_date: '2026-11-15' })).toMatchObject({
      due_date: '2026-11-15T22:59:59.000Z',
      due_all_day: true,
    })
  })

  test('what is wrong with the title and with the day is told at once', () => {
    expect(check({ title: '', due_date: '2026-02-31' })).toEqual([
      'Title is required.',
      'This day doesn’t exist.',
    ])
  })

  test.each([
    [{ title: '  ' }, 'Title is required.'],
    [{ due_date: 'soon' }, 'Enter a date.'],
    [{ due_time: '09:00' }, 'Enter the date of this time.'],
    [{ repeat: 'daily' }, 'A repeating task needs a due date.'],
    [{ repeat: 'weekly' }, 'A repeating task needs a due date.'],
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
        due_date: '2026-11-15',
      }),
    ).toMatchObject({ repeat_days: [1, 5], repeat_every: null })
    expect(check({ repeat: 'after', repeat_days: [1], repeat_every: 3 })).toMatchObject({
      repeat_days: null,
      repeat_every: 3,
    })
  })

  test('a weekly one without a chosen day repeats on the weekday that it is due on', () => {
    // A Sunday in Berlin, where it is half past midnight.
    const due = { due_date: '2026-11-15', due_time: '00:30' }
    expect(check({ repeat: 'weekly', ...due })).toMatchObject({ repeat_days: [0] })
    expect(check({ repeat: 'weekly', repeat_days: [], ...due })).toMatchObject({
      repeat_days: [0],
    })
    expect(weekDaysOf(null, '')).toEqual([])
    expect(weekDaysOf([3], '')).toEqual([3])
  })
})
