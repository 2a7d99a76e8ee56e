import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { firstLetter } from '#domain/first-letter.ts'
import {
  CompanyDetails,
  companyUrlSchema,
  companyView,
  useCompany,
  useCompanyNeighbours,
  useRemoveCompany,
} from '#features/companies/index.ts'
import { CompanyContacts } from '#features/contacts/index.ts'
import { RecordTasks } from '#features/tasks/index.ts'
import { Timeline } from '#features/timeline/index.ts'
import { isRecordId } from '#lib/record-id.ts'
import { readUrlState } from '#lib/url-state.ts'
import { RecordHeader } from '#ui/record-header.tsx'
import { DetailsSkeleton, RecordLayout } from '#ui/record-layout.tsx'
import { LinkedDeals } from './linked-deals.tsx'
import {
  type List,
  RecordFailed,
  RecordGone,
  RecordIncomplete,
  RecordNotFound,
} from './record-states.tsx'

/** /app/companies/:id, with the query of the list that one came from. */
export function CompanyPage() {
  const { id = '' } = useParams()
  const [params] = useSearchParams()
  const query = params.size > 0 ? `?${params}` : ''
  const list: List = { label: 'Companies', to: `/app/companies${query}` }
  if (!isRecordId(id)) return <RecordNotFound what="Company" list={list} />
  return <CompanyRecord key={id} id={id} params={params} list={list} />
}

type CompanyRecordProps = { id: string; params: URLSearchParams; list: List }

function CompanyRecord({ id, params, list }: CompanyRecordProps) {
  const navigate = useNavigate()
  const view = useMemo(() => companyView(readUrlState(companyUrlSchema, params).state), [params])
  const neighbours = useCompanyNeighbours(id, view)
  const { record, isLoading, isPartial, isGone, error, refetch } = useCompany(id)
  const remove = useRemoveCompany(() => navigate(list.to, { replace: true }))
  if (error && !record) return <RecordFailed what="company" error={error} onRetry={refetch} />
  if (!isLoading && !record) return <RecordNotFound what="Company" list={list} />
  const step = (to: string | null | undefined) =>
    to ? list.to.replace('/app/companies', `/app/companies/${to}`) : null
  return (
    <RecordLayout
      header={
        <>
          <RecordHeader
            title={record?.name}
            subtitle={[record?.industry, record?.location].filter(Boolean).join(' · ')}
            initials={firstLetter(record?.name)}
            back={list}
            previous={{ label: 'Previous company', to: step(neighbours.data?.previous) }}
            next={{ label: 'Next company', to: step(neighbours.data?.next) }}
            actions={
              <ActionIcon
                aria-label="Delete company"
                title="Delete company"
                disabled={!record || isGone}
                onClick={() => record && remove(record)}
              >
                <IconTrash size={16} stroke={1.5} aria-hidden />
              </ActionIcon>
            }
          />
          {isGone && <RecordGone what="Company" list={list} />}
          {error && <RecordIncomplete what="company" error={error} onRetry={refetch} />}
        </>
      }
      aside={
        <>
          {record ? (
            <CompanyDetails company={record} />
          ) : (
            <DetailsSkeleton text="Loading company..." />
          )}
          {record && <RecordTasks record="company" linked={{ id, name: record.name }} />}
          <CompanyContacts company={record} companyId={id} />
          {record && !error && (
            <LinkedDeals
              deals={record.linked_deals}
              count={record.deals}
              isLoading={isPartial}
              company={{ id, name: record.name }}
              query={`company=${id}`}
            />
          )}
        </>
      }
    >
      <Timeline record="company" id={id} isKnown={record !== null} />
    </RecordLayout>
  )
}
