import { useMemo, useState } from 'react'
import { contactInitials, contactName } from '#domain/contact.ts'
import {
  ContactDetails,
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
import { RecordTasks } from '#features/tasks/index.ts'
import { readUrlState } from '#lib/url-state.ts'
import { ContactCollections } from './contact-collections.tsx'
import { LinkedDeals } from './linked-deals.tsx'
import { type AsideProps, type RecordKind, RecordPage } from './record-page.tsx'

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
  Aside: ContactAside,
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

function linkedTo(contact: ContactRecord) {
  return { id: contact.id, name: contactName(contact) }
}

/** A deal with a contact is one with the company, too. */
function newDealLinks(contact: ContactRecord) {
  const { company_id, company_name } = contact
  return {
    contact: linkedTo(contact),
    ...(company_id ? { company: { id: company_id, name: company_name ?? '' } } : {}),
  }
}

function ContactAside({ id, record, isPartial, error }: AsideProps<ContactRecord>) {
  // Stays when a phone is turned: another order would drop what is being typed.
  const [isNarrow] = useState(() => window.matchMedia('(max-width: 48em)').matches)
  if (!record) return null
  const details = <ContactDetails contact={record} />
  const collections = !isPartial && <ContactCollections contact={record} />
  const deals = !error && (
    <LinkedDeals
      deals={record.linked_deals}
      count={record.deals}
      isLoading={isPartial}
      {...newDealLinks(record)}
      query={`contact=${id}`}
    />
  )
  const tasks = { record: 'contact', linked: linkedTo(record) } as const
  if (!isNarrow) {
    return (
      <>
        {details}
        <RecordTasks {...tasks} />
        {collections}
        {deals}
      </>
    )
  }
  // On a phone first what there is to do. What is below comes when the length of that is known.
  return (
    <RecordTasks {...tasks}>
      {deals}
      {(!isPartial || error) && details}
      {collections}
    </RecordTasks>
  )
}
