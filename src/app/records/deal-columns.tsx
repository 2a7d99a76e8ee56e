import { type Deal, DealContacts, DealDetails } from '#features/deals/index.ts'
import { RecordTasks } from '#features/tasks/index.ts'
import { RecordColumns } from './record-columns.tsx'
import type { ColumnsProps } from './record-page.tsx'

export function DealColumns(props: ColumnsProps<Deal>) {
  const { id, record, error } = props
  return (
    <RecordColumns {...props}>
      <DealDetails deal={record} />
      {!error && <DealContacts deal={record} />}
      <RecordTasks record="deal" linked={{ id, name: record.name }} />
    </RecordColumns>
  )
}
