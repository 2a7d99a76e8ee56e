import type { ReactNode } from 'react'
import { Proposals } from '#features/connections/index.ts'
import { RecordFiles } from '#features/files/index.ts'
import { RecordConversations } from '#features/mail/index.ts'
import { Timeline } from '#features/timeline/index.ts'
import { ColumnsLayout } from '#ui/record-layout.tsx'
import type { ColumnsProps } from './record-page.tsx'

type RecordColumnsProps = Pick<ColumnsProps<unknown>, 'id' | 'what' | 'title' | 'isGone'> & {
  /** What the kind of record has above its conversations and files. */
  children: ReactNode
}

/** The two columns of a record's page: its sections, and its proposals and timeline. */
export function RecordColumns({ id, what, title, isGone, children }: RecordColumnsProps) {
  const linked = { subject: { record: what, id }, name: title, isGone }
  return (
    <ColumnsLayout
      aside={
        <>
          {children}
          <RecordConversations {...linked} />
          <RecordFiles {...linked} />
        </>
      }
    >
      <Proposals record={id} />
      <Timeline record={what} id={id} />
    </ColumnsLayout>
  )
}
