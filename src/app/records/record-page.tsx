import { ActionIcon, Box } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type ComponentType, useMemo } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { fileParam } from '#features/files/index.ts'
import { PinButton, useNoteOpened } from '#features/kept/index.ts'
import { conversationParam } from '#features/mail/index.ts'
import { TimelineSkeleton, timelineParam } from '#features/timeline/index.ts'
import { WaitingMark } from '#features/waiting/index.ts'
import { isRecordId } from '#lib/record-id.ts'
import { RecordHeader } from '#ui/record-header.tsx'
import { ColumnsLayout, DetailsSkeleton, RecordLayout } from '#ui/record-layout.tsx'
import { QuickActions, QuickActionsSkeleton, type QuickTargets } from './quick-actions.tsx'
import {
  type List,
  RecordFailed,
  RecordGone,
  RecordIncomplete,
  RecordNotFound,
} from './record-states.tsx'

type Reading<Row> = {
  record: Row | null
  isLoading: boolean
  /** The record comes from a list; the rest of it is not read yet. */
  isPartial: boolean
  isGone: boolean
  error: Error | null
  refetch: () => void
}

export type ColumnsProps<Row> = Pick<Reading<Row>, 'isPartial' | 'isGone' | 'error'> & {
  id: string
  what: 'contact' | 'company' | 'deal'
  record: Row
  /** The name of the record. */
  title: string
}

type Neighbours = { previous: string | null; next: string | null }

/** What differs between the pages of contacts, companies and deals. */
export type RecordKind<Row, View> = {
  name: 'Contact' | 'Company' | 'Deal'
  list: List['label']
  /** The path of the list; a record's page lies below it. */
  path: string
  /** The view of the list that the query of the address describes. */
  useView: (params: URLSearchParams) => View
  useRecord: (id: string) => Reading<Row>
  useNeighbours: (id: string, view: View) => { data: Neighbours | undefined }
  /** Asks and deletes; `onRemoving` is called when the user has confirmed. */
  useRemove: (onRemoving: () => void) => (record: Row) => unknown
  heading: (record: Row) => { title: string; subtitle: string; initials: string }
  isRound?: boolean
  quickTargets: (record: Row) => QuickTargets
  /** What can be done beside deleting it. */
  Actions?: ComponentType<{ record: Row; isGone: boolean }>
  /** Between the header and the columns. */
  Progress?: ComponentType<{ record: Row | null; isGone: boolean }>
  /** Details, tasks, timeline: their code comes once the header shows the record. */
  Columns: ComponentType<ColumnsProps<Row>>
}

/** The page of a record, at `path/:id`, with the query of the list that the user came from. */
export function RecordPage<Row, View>({ kind }: { kind: RecordKind<Row, View> }) {
  const { id = '' } = useParams()
  const [all] = useSearchParams()
  // The rest of the address is the list's.
  const params = useMemo(() => {
    const others = new URLSearchParams(all)
    others.delete(timelineParam)
    others.delete(fileParam)
    others.delete(conversationParam)
    return others
  }, [all])
  const query = params.size > 0 ? `?${params}` : ''
  const list: List = { label: kind.list, to: `${kind.path}${query}` }
  if (!isRecordId(id)) return <RecordNotFound what={kind.name} list={list} />
  return <OneRecord key={id} kind={kind} id={id} params={params} list={list} />
}

type OneRecordProps<Row, View> = {
  kind: RecordKind<Row, View>
  id: string
  params: URLSearchParams
  list: List
}

function OneRecord<Row, View>(props: OneRecordProps<Row, View>) {
  const { kind, id, params, list } = props
  const { name, path, Actions, Progress, Columns } = kind
  const navigate = useNavigate()
  const neighbours = kind.useNeighbours(id, kind.useView(params))
  const { record, isLoading, isPartial, isGone, error, refetch } = kind.useRecord(id)
  const remove = kind.useRemove(() => navigate(list.to, { replace: true }))
  const what = lowerCased[name]
  const keptKind = kinds[name]
  useNoteOpened({ kind: keptKind, id }, record !== null && !isGone && !error)
  if (error && !record) return <RecordFailed what={what} error={error} onRetry={refetch} />
  if (!isLoading && !record) return <RecordNotFound what={name} list={list} />
  const step = (to: string | null | undefined) =>
    to ? list.to.replace(path, `${path}/${to}`) : null
  return (
    <RecordLayout>
      <RecordHeader
        {...(record ? kind.heading(record) : { title: undefined, initials: '' })}
        isRound={kind.isRound ?? false}
        back={list}
        previous={{ label: `Previous ${what}`, to: step(neighbours.data?.previous) }}
        next={{ label: `Next ${what}`, to: step(neighbours.data?.next) }}
        actions={
          <>
            <WaitingMark id={id} isLong />
            {record ? (
              <PinButton
                what={what}
                record={{
                  kind: keptKind,
                  id,
                  title: kind.heading(record).title,
                  about: kind.heading(record).subtitle || null,
                }}
                isGone={isGone}
              />
            ) : (
              <ActionPlace />
            )}
            {Actions && (record ? <Actions record={record} isGone={isGone} /> : <ActionPlace />)}
            <ActionIcon
              aria-label={`Delete ${what}`}
              title={`Delete ${what}`}
              disabled={!record || isGone}
              onClick={() => record && remove(record)}
            >
              <IconTrash size={16} stroke={1.5} aria-hidden />
            </ActionIcon>
          </>
        }
        quickActions={
          record ? (
            <QuickActions
              targets={kind.quickTargets(record)}
              subject={{ record: what, id, name: kind.heading(record).title }}
              isGone={isGone}
            />
          ) : (
            <QuickActionsSkeleton />
          )
        }
      />
      {isGone && <RecordGone what={name} list={list} />}
      {error && <RecordIncomplete what={what} error={error} onRetry={refetch} />}
      {Progress && <Progress record={record} isGone={isGone} />}
      {record ? (
        <Columns
          id={id}
          what={what}
          record={record}
          title={kind.heading(record).title}
          isPartial={isPartial}
          isGone={isGone}
          error={error}
        />
      ) : (
        <ColumnsSkeleton what={what} />
      )}
    </RecordLayout>
  )
}

/** Keeps the place of a button that comes with the record, so that those beside it stay. */
function ActionPlace() {
  return <Box w="var(--solo-control-height)" aria-hidden />
}

/** Keeps the place of the columns until the record and their code are there. */
export function ColumnsSkeleton({ what }: { what: string }) {
  return (
    <ColumnsLayout aside={<DetailsSkeleton text={`Loading ${what}...`} />}>
      <TimelineSkeleton />
    </ColumnsLayout>
  )
}

const kinds = { Contact: 'contacts', Company: 'companies', Deal: 'deals' } as const
const lowerCased = { Contact: 'contact', Company: 'company', Deal: 'deal' } as const
