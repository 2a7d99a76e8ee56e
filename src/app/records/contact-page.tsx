import { useMemo } from 'react'
import { contactInitials, contactName } from '#domain/contact.ts'
import {
  type ContactRecord,
  contactUrl,
  contactView,
  ShareContactButton,
  useContact,
  useContactNeighbours,
  useRemoveContact,
} from '#features/contacts/index.ts'
import { useOwnUrl } from '#features/own-fields/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { readUrlState } from '#lib/url-state.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { linkedTo, newDealLinks } from './contact-links.ts'
import { ColumnsSkeleton, type RecordKind, RecordPage } from './record-page.tsx'

const contactKind: RecordKind<ContactRecord, ReturnType<typeof useListView>> = {
  name: 'Contact',
  list: 'Contacts',
  path: '/app/contacts',
  useView: useListView,
  useRecord: useContact,
  useNeighbours: useContactNeighbours,
  useRemove: useRemoveContact,
  heading: (contact) => ({
    title: contactName(contact),
    subtitle: [contact.role_title, contact.company_name].filter(Boolean).join(' · '),
    initials: contactInitials(contact),
  }),
  isRound: true,
  quickTargets: (contact) => ({
    phone: contact.phone_number,
    email: contact.email ? { filter: { ids: [contact.id] }, count: 1 } : null,
    task: { contact: linkedTo(contact) },
    deal: newDealLinks(contact),
  }),
  Actions: ({ record, isGone }) => <ShareContactButton contact={record} isGone={isGone} />,
  Columns: lazyPart(async () => (await import('./contact-columns.tsx')).ContactColumns, {
    loading: () => <ColumnsSkeleton what="contact" />,
    name: 'The details of the contact',
  }),
}

export function ContactPage() {
  return <RecordPage kind={contactKind} />
}

function useListView(params: URLSearchParams) {
  const timeZone = useTimeZone()
  const { schema } = useOwnUrl('contacts', contactUrl)
  return useMemo(
    () => contactView(readUrlState(schema, params).state, timeZone),
    [schema, params, timeZone],
  )
}
