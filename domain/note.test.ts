import { expect, test } from 'vitest'
import { minutesAway } from './call-length.ts'
import { fieldErrors } from './field-errors.ts'
import { type NoteInput, noteSchema } from './note.ts'

const note: NoteInput = {
  kind: 'note',
  body: 'Likes tea',
  outcome: '',
  minutes: '',
  happened_at: '2026-11-15T10:00:00Z',
}

const errors = (changes: Partial<NoteInput>) => fieldErrors(noteSchema, { ...note, ...changes })

test('a note needs words; a call or a meeting does not', () => {
  expect(errors({ body: ' \n ' })).toEqual({ body: 'Write something first.' })
  expect(errors({ kind: 'call', body: '' })).toEqual({})
  expect(errors({ kind: 'meeting', body: '' })).toEqual({})
})

test('each field says what is wrong with it', () => {
  expect(errors({ body: 'x'.repeat(50_001) })).toEqual({
    body: 'The text can have at most 50,000 characters.',
  })
  expect(errors({ outcome: 'x'.repeat(501) })).toEqual({
    outcome: 'Outcome can have at most 500 characters.',
  })
  expect(errors({ happened_at: '' })).toEqual({ happened_at: 'Enter a date and a time.' })
  expect(errors({ happened_at: '1899-12-31T23:59:59Z' })).toEqual({
    happened_at: 'Enter a date between 1900 and 2200.',
  })
  expect(errors({ happened_at: '2201-01-01T00:00:00Z' })).toEqual({
    happened_at: 'Enter a date between 1900 and 2200.',
  })
})

test('a length is a whole number of minutes, up to a day; none is none', () => {
  const wrong = { minutes: 'Enter a whole number between 1 and 1,440.' }
  for (const minutes of ['0', '1441', '1.5', '-3', 'ten'])
    expect(errors({ minutes })).toEqual(wrong)
  expect(noteSchema.parse({ ...note, minutes: ' 12 ' }).minutes).toBe(12)
  expect(noteSchema.parse({ ...note, minutes: '' }).minutes).toBeNull()
})

test('the proposed length of a call is the time away, at least a minute', () => {
  expect(minutesAway(0, 20_000)).toBe('1')
  expect(minutesAway(0, 12.4 * 60_000)).toBe('12')
  expect(minutesAway(0, 3 * 24 * 3_600_000)).toBe('1440')
})

test('texts are stored trimmed, and null instead of empty', () => {
  expect(noteSchema.parse({ ...note, body: '  a\n', outcome: ' ' })).toMatchObject({
    body: 'a',
    outcome: null,
  })
})
