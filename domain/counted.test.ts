import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test('one, none and many', () => {
  expect(counted(1, 'company', 'companies')).toBe('1 company')
  expect(counted(0, 'company', 'companies')).toBe('0 companies')
  expect(counted(10_000, 'contact')).toBe('10,000 contacts')
})
