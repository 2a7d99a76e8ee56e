import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import {
  type Contact,
  type ContactValues,
  useCreateContact,
  useDeleteContact,
  useDeleteContacts,
  useUpdateContact,
  useUpdateContacts,
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

const chosen = { filter: { ids: ['c'] }, count: 1, matches: ({ id }: Contact) => id === 'c' }

test('update contacts', () =>
  expectFailedWrite('Failed to update contacts', () => {
    const update = useUpdateContacts()
    const lead_status = 'Qualified'
    return () => update({ ...chosen, changes: { lead_status }, shown: { lead_status } })
  }))

test('delete contacts', () =>
  expectFailedWrite('Failed to delete contacts', () => {
    const remove = useDeleteContacts()
    return () => remove(chosen)
  }))
