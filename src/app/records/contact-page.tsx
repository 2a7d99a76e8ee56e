import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { contactInitials, contactName } from '#domain/contact.ts'
import {
  ContactDetails,
  contactUrlSchema,
  contactView,
  useContact,
  useContactNeighbours,
  useRemoveContact,
} from '#features/contacts/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { RecordTasks } from '#features/tasks/index.ts'
import { Timeline } from '#features/timeline/index.ts'
import { isRecordId } from '#lib/record-id.ts'
import { readUrlState } from '#lib/url-state.ts'
import { RecordHeader } from '#ui/record-header.tsx'
import { DetailsSkeleton, RecordLayout } from '#ui/record-layout.tsx'
import { ContactCollections } from './contact-collections.tsx'
import { LinkedDeals } from './linked-deals.tsx'
import {
  type List,
  RecordFailed,
  RecordGone,
  RecordIncomplete,
  RecordNotFound,
} from './record-states.tsx'

/** /app/contacts/:id, with the query of the list that one came from. */
export function ContactPage() {
  const { id = '' } = useParams()
  const [params] = useSearchParams()
  const query = params.size > 0 ? `?${params}` : ''
  const list: List = { label: 'Contacts', to: `/app/contacts${query}` }
  if (!isRecordId(id)) return <RecordNotFound what="Contact" list={list} />
  return <ContactOfList key={id} id={id} params={params} list={list} />
}

type ContactOfListProps = { id: string; params: URLSearchParams; list: List }

function ContactOfList({ id, params, list }: ContactOfListProps) {
  const navigate = useNavigate()
  const timeZone = useTimeZone()
  const view = useMemo(
    () => contactView(readUrlState(contactUrlSchema, params).state, timeZone),
    [params, timeZone],
  )
  const neighbours = useContactNeighbours(id, view)
  const { record, isLoading, isPartial, isGone, error, refetch } = useContact(id)
  const remove = useRemoveContact(() => navigate(list.to, { replace: true }))
  if (error && !record) return <RecordFailed what="contact" error={error} onRetry={refetch} />
  if (!isLoading && !record) return <RecordNotFound what="Contact" list={list} />
  const step = (to: string | null | undefined) =>
    to ? list.to.replace('/app/contacts', `/app/contacts/${to}`) : null
  return (
    <RecordLayout
      header={
        <>
          <RecordHeader
            title={record ? contactName(record) : undefined}
            subtitle={[record?.role_title, record?.company_name].filter(Boolean).join(' · ')}
            initials={record ? contactInitials(record) : ''}
            isRound
            back={list}
            previous={{ label: 'Previous contact', to: step(neighbours.data?.previous) }}
            next={{ label: 'Next contact', to: step(neighbours.data?.next) }}
            actions={
              <ActionIcon
                aria-label="Delete contact"
                title="Delete contact"
                disabled={!record || isGone}
                onClick={() => record && remove(record)}
              >
                <IconTrash size={16} stroke={1.5} aria-hidden />
              </ActionIcon>
            }
          />
          {isGone && <RecordGone what="Contact" list={list} />}
          {error && <RecordIncomplete what="contact" error={error} onRetry={refetch} />}
        </>
      }
      aside={
        record ? (
          <>
            <ContactDetails contact={record} />
            <RecordTasks record="contact" linked={{ id, name: contactName(record) }} />
            {!isPartial && <ContactCollections contact={record} />}
            {!error && (
              <LinkedDeals
                deals={record.linked_deals}
                count={record.deals}
                isLoading={isPartial}
                contact={{ id, name: contactName(record) }}
                {...(record.company_id
                  ? { company: { id: record.company_id, name: record.company_name ?? '' } }
                  : {})}
                query={`contact=${id}`}
              />
            )}
          </>
        ) : (
          <DetailsSkeleton text="Loading contact..." />
        )
      }
    >
      <Timeline record="contact" id={id} isKnown={record !== null} />
    </RecordLayout>
  )
}
