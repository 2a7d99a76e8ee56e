import { useMemo } from 'react'
import { firstLetter } from '#domain/first-letter.ts'
import {
  CompanyDetails,
  type CompanyRecord,
  companyUrl,
  companyView,
  useCompany,
  useCompanyNeighbours,
  useRemoveCompany,
} from '#features/companies/index.ts'
import { CompanyContacts } from '#features/contacts/index.ts'
import { useOwnUrl } from '#features/own-fields/index.ts'
import { RecordTasks } from '#features/tasks/index.ts'
import { readUrlState } from '#lib/url-state.ts'
import { LinkedDeals } from './linked-deals.tsx'
import { type AsideProps, type RecordKind, RecordPage } from './record-page.tsx'

const companyKind: RecordKind<CompanyRecord, ReturnType<typeof useListView>> = {
  name: 'Company',
  list: 'Companies',
  path: '/app/companies',
  useView: useListView,
  useRecord: useCompany,
  useNeighbours: useCompanyNeighbours,
  useRemove: useRemoveCompany,
  heading: ({ name, industry, location }) => ({
    title: name,
    subtitle: [industry, location].filter(Boolean).join(' · '),
    initials: firstLetter(name),
  }),
  quickTargets: ({ id, name, phones, contacts }) => ({
    phone: phones[0]?.value ?? null,
    email: contacts > 0 ? { filter: { company: id }, count: contacts } : null,
    task: { company: { id, name } },
    deal: { company: { id, name } },
  }),
  Aside: CompanyAside,
}

export function CompanyPage() {
  return <RecordPage kind={companyKind} />
}

function useListView(params: URLSearchParams) {
  const { schema } = useOwnUrl('companies', companyUrl)
  return useMemo(() => companyView(readUrlState(schema, params).state), [schema, params])
}

function CompanyAside({ id, record, isPartial, error }: AsideProps<CompanyRecord>) {
  return (
    <>
      {record && <CompanyDetails company={record} />}
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
  )
}
