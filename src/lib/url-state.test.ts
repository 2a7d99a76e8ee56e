import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readUrlState, refusedNotice, writeUrlState } from './url-state.ts'

const schema = z.object({
  q: z.string().default(''),
  sort: z.enum(['created', 'name']).default('created'),
  dir: z.enum(['asc', 'desc']).optional(),
  industry: z.array(z.string().max(5)).default([]),
})
const read = (query: string) => readUrlState(schema, new URLSearchParams(query))
const defaults = { q: '', sort: 'created', industry: [] }

describe('reading', () => {
  test('an empty address means the defaults', () => {
    expect(read('')).toEqual({ state: defaults, refused: [] })
  })

  test('lists take every value under their name, the others the first', () => {
    expect(read('q=a&q=b&industry=x&industry=y').state).toEqual({
      ...defaults,
      q: 'a',
      industry: ['x', 'y'],
    })
  })

  test('what means nothing is left out and told, the rest stays', () => {
    expect(read('sort=password&q=ada&industry=toolong&other=1')).toEqual({
      state: { ...defaults, q: 'ada' },
      refused: [
        { name: 'sort', value: 'password' },
        { name: 'industry', value: 'toolong' },
      ],
    })
  })
})

test('what is written is what is read, without the defaults', () => {
  const state = { q: 'a&b', sort: 'name', dir: 'desc', industry: ['x', 'y=z'] } as const
  const params = writeUrlState(schema, { ...state, industry: [...state.industry] })
  expect(read(params.toString())).toEqual({ state, refused: [] })
  expect(writeUrlState(schema, read('').state).toString()).toBe('')
})

test('what the address cannot mean is said in words', () => {
  expect(refusedNotice([], 'Companies')).toBeNull()
  expect(refusedNotice([{ name: 'sort', value: 'password' }], 'Companies')).toBe(
    'Companies can’t be sorted by “password”. Showing the newest first.',
  )
  expect(refusedNotice([{ name: 'dir', value: 'up' }], 'Companies')).toContain('“up”')
  expect(refusedNotice([{ name: 'industry', value: 'x' }], 'Companies')).toContain('ignored')
})
