import { expect, test } from 'vitest'
import { deviceCard } from '#domain/device-card.ts'
import { contactCard } from './queries.ts'

test('what the device keeps of a contact is shown by the list without a network', () => {
  const at = '2026-11-01T00:00:00+00:00'
  const card = deviceCard(['a', 'Ada', null, 'a@x', null, null, null, null, 'New', at, null, null])
  expect(contactCard.safeParse(card).error).toBeUndefined()
  expect(card).toMatchObject({ first_name: 'Ada', emails: [{ label: '', value: 'a@x' }] })
})
