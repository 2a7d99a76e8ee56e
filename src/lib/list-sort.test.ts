import { expect, test } from 'vitest'
import { directionInUrl, directionOf } from './list-sort.ts'

const newestFirst = ['created'] as const

test('each sort has its usual direction, unless asked otherwise', () => {
  expect(directionOf({ sort: 'created' }, newestFirst)).toBe('desc')
  expect(directionOf<string>({ sort: 'name' }, newestFirst)).toBe('asc')
  expect(directionOf<string>({ sort: 'name', dir: 'desc' }, newestFirst)).toBe('desc')
})

test('the usual direction is not in the address', () => {
  expect(directionInUrl('created', 'desc', newestFirst)).toBeUndefined()
  expect(directionInUrl('created', 'asc', newestFirst)).toBe('asc')
  expect(directionInUrl<string>('name', undefined, newestFirst)).toBeUndefined()
})
