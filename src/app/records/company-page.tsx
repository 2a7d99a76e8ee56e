import { useMemo } from 'react'
import { firstLetter } from '#domain/first-letter.ts'
import {
  type CompanyRecord,
  companyUrl,
  companyView,
  useCompany,
  useCompanyNeighbours,
  useRemoveCompany,
} from '#features/companies/index.ts'
import { useOwnUrl } from '#features/own-fields/index.ts'
import { readUrlState } from '#lib/url-state.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { ColumnsSkeleton, type RecordKind, RecordPage } from './record-page.tsx'

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
  quickTargets: ({ id, name, phones, emails, contacts }) => ({
    phone: phones[0]?.value ?? null,
    email: contacts > 0 ? { filter: { company: id }, count: contacts } : null,
    addresses: emails.map(({ value }) => value),
    task: { company: { id, name } },
    deal: { company: { id, name } },
  }),
  Columns: lazyPart(async () => (await import('./company-columns.tsx')).CompanyColumns, {
    loading: () => <ColumnsSkeleton what="company" />,
    name: 'The details of the company',
  }),
}

export function CompanyPage() {
  return <RecordPage kind={companyKind} />
}

function useListView(params: URLSearchParams) {
  const { schema } = useOwnUrl('companies', companyUrl)
  return useMemo(() => companyView(readUrlState(schema, params).state), [schema, params])
}
