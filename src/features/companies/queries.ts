import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { counted } from '#domain/counted.ts'
import { outcomes } from '#domain/deal.ts'
import { type CompanyFilter, companyFields, companyOrder } from '#domain/fields/companies.ts'
import { type OwnChanges, ownValues, withOwnChanges } from '#domain/fields/own-values.ts'
import type { CompanyBulkValues, companySchema } from '#domain/fields/record-forms.ts'
import { storedRow } from '#domain/fields/row.ts'
import { type TagChange, updatedWords } from '#domain/tags.ts'
import { useBulkWrite, useUndoableDelete, writeMany } from '#features/history/index.ts'
import { knownOwnFields } from '#features/own-fields/index.ts'
import { maybe } from '#lib/answers.ts'
import type { ListSource } from '#lib/list-source.ts'
import { recordPages, useChoices } from '#lib/record-pages.ts'
import { recordWrites } from '#lib/record-writes.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'
import { patchLists, readAgain, useListWrite } from '#lib/use-list-write.ts'
import { useNeighbours, useRecord } from '#lib/use-record.ts'
import type { CompanyView } from './company-view.ts'

const storedCompany = z.extend(storedRow(companyFields), { custom: ownValues })

export type StoredCompany = z.output<typeof storedCompany>

const companyCard = z.extend(storedCompany, {
  contacts: z.number(),
  open_deals: z.number(),
  deals: z.number(),
})

export type Company = z.output<typeof companyCard>

type CompanyValues = z.output<ReturnType<typeof companySchema>> & { custom?: OwnChanges }

export const companyPages = recordPages('company_page', companyCard)

export const companyList: ListSource<Company, CompanyView> = {
  key: ['companies'],
  failed: 'Failed to fetch companies',
  async readPage({ filter, sort, descending }, after, signal) {
    return companyPages.read({ filter, sort, descending, after, page_size: 60 }, signal)
  },
  async readCount(filter, signal) {
    return callFunction('company_count', { filter }, signal)
  },
  compare: ({ sort, descending }, queryClient) =>
    companyOrder(sort, descending, knownOwnFields(queryClient, 'companies')),
}

/** The deals of a record as its page lists them. */
export const linkedDeals = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    value: z.number(),
    currency: z.nullable(z.string()),
    expected_close_date: maybe,
    stage_name: maybe,
    outcome: z.enum(outcomes),
    /** What the contact is to the deal. */
    role: maybe,
  }),
)

export type LinkedDeal = z.output<typeof linkedDeals>[number]

const companyRecord = z.extend(companyCard, {
  linked_deals: linkedDeals,
  /** The time of the last call, meeting or mail with the company, its contacts or deals; undefined until it is read. */
  last_contacted: z.optional(maybe),
})

export type CompanyRecord = z.output<typeof companyRecord>

/** One company with all that its page shows. */
export function useCompany(id: string) {
  return useRecord(companyList, {
    id,
    read: (wanted, signal) =>
      callForJson('company_record', { id: wanted }, z.nullable(companyRecord), signal),
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

const facets = z.object({ industries: z.array(z.string()), locations: z.array(z.string()) })

/** The industries and locations there are. */
export function useCompanyFacets() {
  return useQuery({
    queryKey: [...companyList.key, 'facets'],
    queryFn: ({ signal }) => callForJson('company_facets', {}, facets, signal),
  })
}

const writes = recordWrites<StoredCompany, Company, CompanyValues>({
  table: 'companies',
  row: storedCompany,
  read: companyPages.one,
})

export function useCreateCompany() {
  return useListWrite(companyList, {
    write: ({ id, values }: { id: string; values: CompanyValues }) => writes.create(id, values),
    optimistic({ id, values }) {
      const now = new Date().toISOString()
      const custom = withOwnChanges({}, values.custom)
      const stored = { id, ...values, custom, created_at: now, updated_at: now }
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
      to: { ...values, custom: withOwnChanges(seen.custom, values.custom) },
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

/** The companies that a filter matches, and a test for the rows on the screen. */
export type ChosenCompanies = {
  filter: CompanyFilter
  count: number
  matches: (company: Company) => boolean
}

/** `changes` is written; `shown` is the optimistic update of the rows. */
type CompaniesChange = {
  changes: CompanyBulkValues | { custom: OwnChanges } | TagChange
  shown: Partial<Company> | ((company: Company) => Partial<Company>)
}

/** Industry, location, tags or own fields of all chosen companies, in one batch. */
export function useUpdateCompanies() {
  return useBulkWrite(companyList, {
    write: ({ filter, changes }: ChosenCompanies & CompaniesChange) =>
      writeMany('update_companies', { filter, changes }),
    optimistic: ({ matches, shown }) => ({ kind: 'change', matches, to: shown }),
    done: (count, { changes }) => updatedWords(counted(count, 'company', 'companies'), changes),
    failed: 'Failed to update companies',
  })
}

export function useDeleteCompanies() {
  return useBulkWrite(companyList, {
    write: ({ filter }: ChosenCompanies) => writeMany('delete_companies', { filter }),
    optimistic: ({ matches, count }) => ({ kind: 'remove', matches, count }),
    done: (count) => `${counted(count, 'company', 'companies')} deleted successfully`,
    failed: 'Failed to delete companies',
  })
}

/** Removes deleted companies from the cached lists, such as after a merge, because long lists are not read again. */
export function useForgetCompanies() {
  const queryClient = useQueryClient()
  return (gone: string[]) =>
    patchLists(queryClient, companyList, {
      kind: 'remove',
      matches: ({ id }) => gone.includes(id),
      count: gone.length,
    })
}

/** Refetches after a record on the screen turned out to be deleted. */
export function useReadCompaniesAgain() {
  const queryClient = useQueryClient()
  return () => readAgain(queryClient)
}
