import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { firstLetter } from '#domain/first-letter.ts'
import { shownMoney } from '#domain/money.ts'
import {
  DealDetails,
  DealProgress,
  dealUrlSchema,
  dealView,
  useDeal,
  useDealNeighbours,
  useRemoveDeal,
} from '#features/deals/index.ts'
import { RecordTasks } from '#features/tasks/index.ts'
import { Timeline } from '#features/timeline/index.ts'
import { isRecordId } from '#lib/record-id.ts'
import { readUrlState } from '#lib/url-state.ts'
import { RecordHeader } from '#ui/record-header.tsx'
import { DetailsSkeleton, RecordLayout } from '#ui/record-layout.tsx'
import {
  type List,
  RecordFailed,
  RecordGone,
  RecordIncomplete,
  RecordNotFound,
} from './record-states.tsx'

/** /app/deals/:id, with the query of the list or board that one came from. */
export function DealPage() {
  const { id = '' } = useParams()
  const [params] = useSearchParams()
  const query = params.size > 0 ? `?${params}` : ''
  const list: List = { label: 'Deals', to: `/app/deals${query}` }
  if (!isRecordId(id)) return <RecordNotFound what="Deal" list={list} />
  return <DealOfList key={id} id={id} params={params} list={list} />
}

type DealOfListProps = { id: string; params: URLSearchParams; list: List }

function DealOfList({ id, params, list }: DealOfListProps) {
  const navigate = useNavigate()
  const view = useMemo(() => {
    const { state } = readUrlState(dealUrlSchema, params)
    // The board shows every stage.
    return dealView(state.view === 'board' ? { ...state, stage: [] } : state)
  }, [params])
  const neighbours = useDealNeighbours(id, view)
  const { record, isLoading, isGone, error, refetch } = useDeal(id)
  const remove = useRemoveDeal(() => navigate(list.to, { replace: true }))
  if (error && !record) return <RecordFailed what="deal" error={error} onRetry={refetch} />
  if (!isLoading && !record) return <RecordNotFound what="Deal" list={list} />
  const step = (to: string | null | undefined) =>
    to ? list.to.replace('/app/deals', `/app/deals/${to}`) : null
  return (
    <RecordLayout
      header={
        <>
          <RecordHeader
            title={record?.name}
            subtitle={record ? subtitleOf(record) : ''}
            initials={firstLetter(record?.name)}
            back={list}
            previous={{ label: 'Previous deal', to: step(neighbours.data?.previous) }}
            next={{ label: 'Next deal', to: step(neighbours.data?.next) }}
            actions={
              <ActionIcon
                aria-label="Delete deal"
                title="Delete deal"
                disabled={!record || isGone}
                onClick={() => record && remove(record)}
              >
                <IconTrash size={16} stroke={1.5} aria-hidden />
              </ActionIcon>
            }
          />
          {isGone && <RecordGone what="Deal" list={list} />}
          {error && <RecordIncomplete what="deal" error={error} onRetry={refetch} />}
          {record && <DealProgress deal={record} isGone={isGone} />}
        </>
      }
      aside={
        record ? (
          <>
            <DealDetails deal={record} />
            <RecordTasks record="deal" linked={{ id, name: record.name }} />
          </>
        ) : (
          <DetailsSkeleton text="Loading deal..." />
        )
      }
    >
      <Timeline record="deal" id={id} isKnown={record !== null} />
    </RecordLayout>
  )
}

function subtitleOf({ value, company_name }: { value: number; company_name: string | null }) {
  return [shownMoney(value), company_name].filter(Boolean).join(' · ')
}
