import { type ReactNode, useDeferredValue } from 'react'
import { Proposals } from '#features/connections/index.ts'
import { RecordFiles } from '#features/files/index.ts'
import { RecordConversations } from '#features/mail/index.ts'
import { Timeline, TimelineSkeleton } from '#features/timeline/index.ts'
import { ColumnsLayout } from '#ui/record-layout.tsx'
import type { ColumnsProps } from './record-page.tsx'

type RecordColumnsProps = Pick<ColumnsProps<unknown>, 'id' | 'what' | 'title' | 'isGone'> & {
  /** What the kind of record has above its conversations and files. */
  children: ReactNode
}

/**
 * The two columns of a record's page: its sections, and its proposals and timeline. What the list knew of the record stands first;
 * the timeline and what comes from mail and files are rendered a moment later.
 */
export function RecordColumns({ id, what, title, isGone, children }: RecordColumnsProps) {
  const isWhole = useDeferredValue(true, false)
  const linked = { subject: { record: what, id }, name: title, isGone }
  return (
    <ColumnsLayout
      aside={
        <>
          {children}
          {isWhole && <RecordConversations {...linked} />}
          {isWhole && <RecordFiles {...linked} />}
        </>
      }
    >
      {isWhole && <Proposals record={id} />}
      {isWhole ? <Timeline record={what} id={id} /> : <TimelineSkeleton />}
    </ColumnsLayout>
  )
}
