import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { contactName } from '#domain/contact.ts'
import { shownNumber } from '#domain/figures.ts'
import { EmailLink } from '#features/fields/index.ts'
import { useList } from '#lib/use-list.ts'
import { NoLines, RecordLine, RecordLines } from '#ui/record-lines.tsx'
import { RecordSection } from '#ui/record-section.tsx'
import { ErrorState } from '#ui/states.tsx'
import { ContactAvatar, LeadStatusBadge } from '../contact-columns.tsx'
import { ContactDialog } from '../contact-dialog-part.ts'
import type { ContactView } from '../contact-view.ts'
import { type Contact, contactList } from '../queries.ts'

// The company record has the count.
const { readCount: _, ...uncounted } = contactList

type CompanyContactsProps = {
  /** Null until it is loaded. */
  company: { id: string; name: string; contacts: number } | null
  companyId: string
}

/** The contacts of a company, with a button to add one. */
export function CompanyContacts({ company, companyId }: CompanyContactsProps) {
  const view = useMemo<ContactView>(
    () => ({ filter: { company: companyId }, sort: 'name', descending: false }),
    [companyId],
  )
  const list = useList(uncounted, view)
  const [isAdding, setIsAdding] = useState(false)
  const count = Math.max(company?.contacts ?? 0, list.rows.length)
  return (
    <RecordSection
      title="Contacts"
      isLoading={list.isLoading}
      count={list.isLoading ? undefined : shownNumber(count)}
      action={
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
          disabled={!company}
          onPointerEnter={ContactDialog.preload}
          onFocus={ContactDialog.preload}
          onClick={() => setIsAdding(true)}
        >
          Add contact
        </Button>
      }
    >
      {list.isLoading && <Skeleton height={40} aria-hidden />}
      {list.problem && (
        <ErrorState
          title="The contacts could not be loaded"
          message="The rest of this page is up to date."
          onRetry={list.refetch}
        />
      )}
      {!list.isLoading && !list.problem && list.rows.length === 0 && (
        <NoLines>No contacts yet</NoLines>
      )}
      {list.rows.length > 0 && (
        <RecordLines
          rows={list.rows}
          renderLine={(contact) => <ContactLine contact={contact} companyId={companyId} />}
        />
      )}
      {list.rows.length > 0 && list.rows.length < count && (
        <Button
          variant="default"
          mt={8}
          fullWidth
          onClick={list.more.hasFailed ? list.more.retry : list.more.load}
        >
          {list.more.isLoading ? 'Loading contacts...' : 'Show more'}
        </Button>
      )}
      {isAdding && company && (
        <ContactDialog presetCompany={company} onClose={() => setIsAdding(false)} />
      )}
    </RecordSection>
  )
}

function ContactLine({ contact, companyId }: { contact: Contact; companyId: string }) {
  const { role_title, email } = contact
  return (
    <RecordLine
      name={contactName(contact)}
      // With this query, previous and next step through the company's contacts.
      to={`/app/contacts/${contact.id}?sort=name&company=${companyId}`}
      avatar={<ContactAvatar contact={contact} />}
      about={role_title && <bdi title={role_title}>{role_title}</bdi>}
      link={email && <EmailLink email={email} />}
      badge={<LeadStatusBadge status={contact.lead_status} />}
    />
  )
}
