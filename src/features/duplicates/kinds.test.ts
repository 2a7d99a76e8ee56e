import { expect, test } from 'vitest'
import { kindOf, type MergeRecord } from './kinds.ts'

test('what one writes to or calls is a link; what holds no number is none', () => {
  const facts = (contact: object) =>
    Object.fromEntries(
      kindOf.contacts
        // A whole record is not needed for it.
        .facts({ email: null, phone_number: null, ...contact } as MergeRecord)
        .map(({ label, href }) => [label, href ?? null]),
    )
  expect(facts({ email: 'ada@example.com', phone_number: '+49 30 1' })).toEqual({
    Company: null,
    Email: 'mailto:ada@example.com',
    'Phone number': 'tel:+49301',
  })
  expect(facts({ phone_number: 'none' })).toMatchObject({ Email: null, 'Phone number': null })
})
