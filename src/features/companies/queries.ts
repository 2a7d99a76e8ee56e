import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Outcome } from '#domain/deal.ts'
import { companyFields, companyOrder, type companySchema } from '#domain/fields/companies.ts'
import { storedColumns } from '#domain/fields/field.ts'
import { useUndoableDelete } from '#features/history/index.ts'
import type { Database } from '#lib/database.types.ts'
import type { ListSource } from '#lib/list-source.ts'
import { recordPages, useChoices, useNameOf } from '#lib/record-pages.ts'
import { recordWrites } from '#lib/record-writes.ts'
import { callFunction } from '#lib/supabase.ts'
import { readAgain, useListWrite } from '#lib/use-list-write.ts'
import { useNeighbours, useRecord } from '#lib/use-record.ts'
import type { CompanyView } from './company-view.ts'

export type StoredCompany = Omit<
  Database['public']['Tables']['companies']['Row'],
  'user_id' | 'search_text'
>

export type Company = StoredCompany & { contacts: number; open_deals: number; deals: number }

type CompanyValues = z.output<typeof companySchema>

export const companyPages = recordPages<Company>('company_page')

export const companyList: ListSource<Company, CompanyView> = {
  key: ['companies'],
  failed: 'Failed to fetch companies',
  async readPage({ filter, sort, descending }, after, signal) {
    return companyPages.read({ filter, sort, descending, after, page_size: 60 }, signal)
  },
  async readCount(filter, signal) {
    return callFunction('company_count', { filter }, signal)
  },
  compare: ({ sort, descending }) => companyOrder(sort, descending),
}

/** A deal as the pages of what it is linked to list it. */
export type LinkedDeal = {
  id: string
  name: string
  value: number
  expected_close_date: string | null
  stage_name: string | null
  outcome: Outcome
}

type CompanyRecord = Company & { linked_deals: LinkedDeal[] }

/** One company with all that its page shows. */
export function useCompany(id: string) {
  return useRecord(companyList, {
    id,
    read: (wanted, signal): Promise<CompanyRecord | null> =>
      callFunction('company_record', { id: wanted }, signal),
    fromList: (company) => ({ ...company, linked_deals: [] }),
  })
}

/** The companies before and after one in the list that a view shows. */
export function useCompanyNeighbours(id: string, view: CompanyView) {
  return useNeighbours(companyList, 'company_neighbours', id, view)
}

const named = { source: companyList, pages: companyPages, nameOf: ({ name }: Company) => name }

/** The companies that a search finds, for a field that chooses one. */
export function useCompanyChoices(
  search: string,
  { fixed }: { fixed: { id: string; label: string }[] },
) {
  return useChoices(named, search, { fixed })
}

export function useCompanyName(id: string | undefined): string | undefined {
  return useNameOf(named, id, 'Deleted company')
}

type Facets = { industries: string[]; locations: string[] }

/** The industries and locations there are. */
export function useCompanyFacets() {
  return useQuery({
    queryKey: [...companyList.key, 'facets'],
    queryFn: ({ signal }): Promise<Facets> => callFunction('company_facets', {}, signal),
  })
}

const writes = recordWrites<StoredCompany, Company, CompanyValues>({
  table: 'companies',
  columns: storedColumns(companyFields),
  read: companyPages.one,
})

export function useCreateCompany() {
  return useListWrite(companyList, {
    write: ({ id, values }: { id: string; values: CompanyValues }) => writes.create(id, values),
    optimistic({ id, values }) {
      const now = new Date().toISOString()
      const stored = { id, ...values, created_at: now, updated_at: now }
      return { kind: 'add', row: { ...stored, contacts: 0, open_deals: 0, deals: 0 } }
    },
    confirmed: (stored) => ({
      kind: 'add',
      row: { ...stored, contacts: 0, open_deals: 0, deals: 0 },
    }),
    saved: 'Company created successfully',
    failed: 'Failed to create company',
  })
}

export function useUpdateCompany() {
  return useListWrite(companyList, {
    write: ({ seen, values }: { seen: Company; values: Partial<CompanyValues> }) =>
      writes.update(seen, values),
    optimistic: ({ seen, values }) => ({
      kind: 'change',
      matches: ({ id }) => id === seen.id,
      to: values,
    }),
    confirmed: (stored) => ({ kind: 'change', matches: ({ id }) => id === stored.id, to: stored }),
    saved: 'Company updated successfully',
    failed: 'Failed to update company',
  })
}

export function useDeleteCompany() {
  return useUndoableDelete(companyList, {
    remove: writes.remove,
    done: () => 'Company deleted successfully',
    failed: 'Failed to delete company',
  })
}

/** Reads the screen again, when something on it turned out to be gone. */
export function useReadCompaniesAgain() {
  const queryClient = useQueryClient()
  return () => readAgain(queryClient)
}
