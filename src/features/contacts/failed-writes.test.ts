import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import {
  type Contact,
  type ContactValues,
  useCreateContact,
  useDeleteContact,
  useUpdateContact,
} from './queries.ts'

// What the writes look at; the rest of a contact is nothing to them.
const values = { first_name: 'Ada' } as ContactValues
const contact = { id: 'c', updated_at: '2026-11-15T00:00:00Z' } as Contact

test('create contact', () =>
  expectFailedWrite('Failed to create contact', () => {
    const create = useCreateContact()
    return () => create({ id: 'n', values, companyName: null })
  }))

test('update contact', () =>
  expectFailedWrite('Failed to update contact', () => {
    const update = useUpdateContact()
    return () => update({ seen: contact, values: { notes: 'x' }, companyName: null })
  }))

test('delete contact', () =>
  expectFailedWrite('Failed to delete contact', () => {
    const remove = useDeleteContact()
    return () => remove(contact)
  }))
