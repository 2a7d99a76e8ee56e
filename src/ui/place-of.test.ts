import { expect, test } from 'vitest'
import { placeOf } from './place-of.ts'

test('a step of the history is known by its key, an address opened anew by itself', () => {
  const contacts = { pathname: '/app/contacts', search: '?sort=name' }
  expect(placeOf({ ...contacts, key: 'x1' })).toBe('x1')
  const opened = placeOf({ ...contacts, key: 'default' })
  expect(opened).toBe(placeOf({ ...contacts, key: 'default' }))
  expect(opened).not.toBe(placeOf({ pathname: '/app/deals', search: '', key: 'default' }))
  expect(opened).not.toBe(placeOf({ ...contacts, search: '', key: 'default' }))
})
