import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import { checked, pageOf } from './answers.ts'
import { errorMessage } from './errors.ts'

const page = pageOf(z.object({ id: z.string() }))

test('a page has rows, and says where the next one begins', () => {
  const answer = { rows: [{ id: 'a' }], next: { at: '2026-11-15', id: 'a' } }
  expect(checked(page, answer)).toEqual(answer)
  expect(checked(page, { rows: [], next: null })).toEqual({ rows: [], next: null })
})

test('an answer of another form is told in words, and keeps the reason for whoever looks', () => {
  const read = () => checked(page, { rows: [{ id: 1 }], next: null })
  expect(read).toThrow('This page can’t read the server’s answer. Reload the page.')
  try {
    read()
  } catch (error) {
    expect(errorMessage(error)).toMatch(/Reload the page\.$/)
    expect(error).toHaveProperty('cause.issues.0.path', ['rows', 0, 'id'])
  }
})
