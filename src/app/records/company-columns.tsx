import { CompanyDetails, type CompanyRecord } from '#features/companies/index.ts'
import { CompanyContacts } from '#features/contacts/index.ts'
import { RecordTasks } from '#features/tasks/index.ts'
import { LinkedDeals } from './linked-deals.tsx'
import { RecordColumns } from './record-columns.tsx'
import type { ColumnsProps } from './record-page.tsx'

export function CompanyColumns(props: ColumnsProps<CompanyRecord>) {
  const { id, record, isPartial, error } = props
  return (
    <RecordColumns {...props}>
      <CompanyDetails company={record} />
      <RecordTasks record="company" linked={{ id, name: record.name }} />
      <CompanyContacts company={record} companyId={id} />
      {!error && (
        <LinkedDeals
          deals={record.linked_deals}
          count={record.deals}
          isLoading={isPartial}
          company={{ id, name: record.name }}
          query={`company=${id}`}
        />
      )}
    </RecordColumns>
  )
}
