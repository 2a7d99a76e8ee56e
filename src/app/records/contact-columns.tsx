import { useState } from 'react'
import { ContactDetails, type ContactRecord } from '#features/contacts/index.ts'
import { RecordTasks } from '#features/tasks/index.ts'
import { ContactCollections } from './contact-collections.tsx'
import { linkedTo, newDealLinks } from './contact-links.ts'
import { LinkedDeals } from './linked-deals.tsx'
import { RecordColumns } from './record-columns.tsx'
import type { ColumnsProps } from './record-page.tsx'

export function ContactColumns(props: ColumnsProps<ContactRecord>) {
  const { id, record, isPartial, error } = props
  // Stays when a phone is turned: another order would drop what is being typed.
  const [isNarrow] = useState(() => window.matchMedia('(max-width: 48em)').matches)
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
      <RecordColumns {...props}>
        {details}
        <RecordTasks {...tasks} />
        {collections}
        {deals}
      </RecordColumns>
    )
  }
  // On a phone tasks and deals come first. The details wait for the deals, which would push them down.
  return (
    <RecordColumns {...props}>
      <RecordTasks {...tasks} />
      {deals}
      {(!isPartial || error) && details}
      {collections}
    </RecordColumns>
  )
}
