import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { contactName } from '#domain/contact.ts'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { counted } from '#domain/counted.ts'
import { contactFields, contactOrder } from '#domain/fields/contacts.ts'
import { withLists } from '#domain/fields/entries.ts'
import { type OwnChanges, ownValues, withOwnChanges } from '#domain/fields/own-values.ts'
import type { contactSchema } from '#domain/fields/record-forms.ts'
import { storedRow, unfilledRow } from '#domain/fields/row.ts'
import { type TagChange, updatedWords } from '#domain/tags.ts'
import { nextTask } from '#domain/task.ts'
import { useBulkWrite, useUndoableDelete, writeMany } from '#features/history/index.ts'
import { knownOwnFields } from '#features/own-fields/index.ts'
import { checked, maybe } from '#lib/answers.ts'
import { type ListSource, listKeys } from '#lib/list-source.ts'
import { recordPages, useChoices } from '#lib/record-pages.ts'
import { recordWrites } from '#lib/record-writes.ts'
import { callFunction } from '#lib/supabase.ts'
import { patchLists, readAgain, useListWrite, useOnceWrite } from '#lib/use-list-write.ts'
import { KeptWrite } from '#lib/waiting-writes.ts'
import type { ContactView } from './contact-view.ts'

const storedContact = z.extend(storedRow(contactFields), { custom: ownValues })

type StoredContact = z.output<typeof storedContact>

/** A contact as the lists show it: see the database's `contact_card`. */
export const contactCard = z.extend(storedContact, {
  company_name: maybe,
  last_contacted: maybe,
  next_task: nextTask,
})

export type Contact = z.output<typeof contactCard>

export type ContactValues = z.output<ReturnType<typeof contactSchema>> & { custom?: OwnChanges }

/** The values of the form, with the name of the company that was chosen. */
type NewContact = { id: string; values: ContactValues; companyName: string | null }
type ContactChange = {
  seen: Contact
  values: Partial<ContactValues>
  companyName: string | null
}

export const contactPages = recordPages('contact_page', contactCard)
const pages = contactPages

export const contactList: ListSource<Contact, ContactView> = {
  key: ['contacts'],
  failed: 'Failed to fetch contacts',
  async readPage({ filter, sort, descending }, after, signal) {
    return pages.read({ filter, sort, descending, after, page_size: 60 }, signal)
  },
  async readCount(filter, signal) {
    return callFunction('contact_count', { filter }, signal)
  },
  compare: ({ sort, descending }, queryClient) =>
    contactOrder(sort, descending, knownOwnFields(queryClient, 'contacts')),
}

/** How many there are in all. */
export function useContactCount() {
  return useQuery({
    queryKey: [...listKeys.counts(contactList.key), {}],
    queryFn: ({ signal }) => callFunction('contact_count', { filter: {} }, signal),
    meta: { failed: contactList.failed },
  })
}

const writes = recordWrites<StoredContact, Contact, ContactValues>({
  table: 'contacts',
  row: storedContact,
  read: pages.one,
})

/** Resolves to what was stored, or to what will be when it is sent. */
export function useCreateContact() {
  const create = useOnceWrite(contactList, {
    once: ({ id, values }: NewContact) => ({
      action: 'add contact',
      args: { values: { ...values, id } },
      title: `New contact: ${contactName(values)}`,
    }),
    shown: (contact) => ({ kind: 'add', row: unstoredRow(contact) }),
    answer: (row) => checked(storedContact, row),
    confirmed: (stored, { companyName }) => ({ kind: 'add', row: newRow(stored, companyName) }),
    saved: 'Contact created successfully',
    failed: 'Failed to create contact',
  })
  return async (contact: NewContact): Promise<StoredContact> => {
    const stored = await create(contact)
    return stored instanceof KeptWrite ? unstoredRow(contact) : stored
  }
}

function unstoredRow({ id, values, companyName }: NewContact): Contact {
  const now = new Date().toISOString()
  return newRow(
    {
      ...unfilledRow(contactFields),
      id,
      ...values,
      custom: withOwnChanges({}, values.custom),
      created_at: now,
      updated_at: now,
    },
    companyName,
  )
}

function newRow(stored: StoredContact, company_name: string | null): Contact {
  return { ...stored, company_name, last_contacted: null, next_task: null }
}

export function useUpdateContact() {
  return useListWrite(contactList, {
    write: ({ seen, values }: ContactChange) => writes.update(seen, values),
    optimistic: ({ seen, values, companyName }) => ({
      kind: 'change',
      matches: ({ id }) => id === seen.id,
      to: {
        ...withLists(contactFields, seen, values),
        custom: withOwnChanges(seen.custom, values.custom),
        company_name: companyName,
      },
    }),
    confirmed: (stored, { companyName }) => ({
      kind: 'change',
      matches: ({ id }) => id === stored.id,
      to: { ...stored, company_name: companyName },
    }),
    saved: 'Contact updated successfully',
    failed: 'Failed to update contact',
  })
}

export function useDeleteContact() {
  return useUndoableDelete(contactList, {
    remove: writes.remove,
    done: () => 'Contact deleted successfully',
    failed: 'Failed to delete contact',
  })
}

/** The contacts that a filter matches, and a test for the rows on the screen. */
export type ChosenContacts = {
  filter: ContactFilter
  count: number
  matches: (contact: Contact) => boolean
}

/** `changes` is written; `shown` is the optimistic update of the rows. */
type ContactsChange = {
  changes:
    | { lead_status: string }
    | { company_id: string | null }
    | { custom: OwnChanges }
    | TagChange
  shown: Partial<Contact> | ((contact: Contact) => Partial<Contact>)
}

/** Lead status, company, tags or own fields of all chosen contacts, in one batch. */
export function useUpdateContacts() {
  return useBulkWrite(contactList, {
    write: ({ filter, changes }: ChosenContacts & ContactsChange) =>
      writeMany('update_contacts', { filter, changes }),
    optimistic: ({ matches, shown }) => ({ kind: 'change', matches, to: shown }),
    done: (count, { changes }) => updatedWords(counted(count, 'contact'), changes),
    failed: 'Failed to update contacts',
  })
}

export function useDeleteContacts() {
  return useBulkWrite(contactList, {
    write: ({ filter }: ChosenContacts) => writeMany('delete_contacts', { filter }),
    optimistic: ({ matches, count }) => ({ kind: 'remove', matches, count }),
    done: (count) => `${count} contacts deleted successfully`,
    failed: 'Failed to delete contacts',
  })
}

/** Refetches after a record on the screen turned out to be deleted. */
export function useReadContactsAgain() {
  const queryClient = useQueryClient()
  return () => readAgain(queryClient)
}

/** Removes deleted contacts from the cached lists, such as after a merge, because long lists are not read again. */
export function useForgetContacts() {
  const queryClient = useQueryClient()
  return (gone: string[]) =>
    patchLists(queryClient, contactList, {
      kind: 'remove',
      matches: ({ id }) => gone.includes(id),
      count: gone.length,
    })
}

/** Every contact that a filter means, a thousand at a time. */
export function readAllContacts(filter: ContactFilter) {
  return pages.all({ filter })
}

const named = { source: contactList, pages, nameOf: contactName }

/** The contacts that a search finds, all or those of one company, for a field that chooses one. */
export function useContactChoices(
  search: string,
  {
    within: company,
    fixed,
  }: { within: string | undefined; fixed: { id: string; label: string }[] },
) {
  return useChoices(named, search, { filter: company ? { company } : {}, fixed })
}
