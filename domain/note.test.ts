import { expect, test } from 'vitest'
import { fieldErrors } from './field-errors.ts'
import { type NoteInput, noteSchema } from './note.ts'

const note: NoteInput = {
  kind: 'note',
  body: 'Likes tea',
  outcome: '',
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

test('texts are stored trimmed, and null instead of empty', () => {
  expect(noteSchema.parse({ ...note, body: '  a\n', outcome: ' ' })).toMatchObject({
    body: 'a',
    outcome: null,
  })
})
