import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { companySchema } from '#domain/company.ts'
import { deletionOf, showUndoToast } from '#features/history/index.ts'
import type { Database, Json } from '#lib/database.types.ts'
import { notFound } from '#lib/errors.ts'
import type { ListSource, Page } from '#lib/list-source.ts'
import { supabase } from '#lib/supabase.ts'
import { keepInLists, readListsAgain, useListWrite } from '#lib/use-list-write.ts'
import type { CompanySort, CompanyView } from './company-view.ts'

const columns = 'id, name, website, industry, location, created_at, updated_at'

type StoredCompany = Pick<
  Database['public']['Tables']['companies']['Row'],
  'id' | 'name' | 'website' | 'industry' | 'location' | 'created_at' | 'updated_at'
>

export type Company = StoredCompany & { contacts: number; open_deals: number; deals: number }

type CompanyValues = z.output<typeof companySchema>

export const companyList: ListSource<Company, CompanyView> = {
  key: ['companies'],
  failed: 'Failed to fetch companies',
  async readPage({ filter, sort, descending }, after, signal) {
    return readPage({ filter, sort, descending, after, page_size: 60 }, signal)
  },
  async readCount(filter, signal) {
    const { data, error } = await supabase().rpc('company_count', { filter }).abortSignal(signal)
    if (error) throw error
    return data
  },
  compare({ sort, descending }) {
    const key = sortKeys[sort]
    return (one, other) => {
      const [a, b] = [key(one), key(other)]
      const order = a < b ? -1 : a > b ? 1 : 0
      return descending ? -order : order
    }
  },
}

const sortKeys: Record<CompanySort, (company: Company) => string | number> = {
  created: ({ created_at }) => Date.parse(created_at),
  name: ({ name }) => name.toLowerCase(),
  industry: ({ industry }) => (industry ?? '').toLowerCase(),
  location: ({ location }) => (location ?? '').toLowerCase(),
}

async function readPage(
  args: { filter: Json; sort?: string; descending?: boolean; after?: Json; page_size: number },
  signal?: AbortSignal,
): Promise<Page<Company>> {
  const request = supabase().rpc('company_page', args)
  const { data, error } = await (signal ? request.abortSignal(signal) : request)
  if (error) throw error
  // What the function builds: see its migration.
  return data as unknown as Page<Company>
}

/** One company as it is now, or null when there is none. */
export async function readCompany(id: string): Promise<Company | null> {
  const { rows } = await readPage({ filter: { ids: [id] }, page_size: 1 })
  return rows[0] ?? null
}

type Facets = { industries: string[]; locations: string[] }

/** The industries and locations there are. */
export function useCompanyFacets() {
  return useQuery({
    queryKey: [...companyList.key, 'facets'],
    queryFn: async ({ signal }) => {
      const { data, error } = await supabase().rpc('company_facets').abortSignal(signal)
      if (error) throw error
      // What the function builds: see its migration.
      return data as unknown as Facets
    },
  })
}

/** Someone, or the user in another window, saved the same company meanwhile. */
export class CompanyConflict extends Error {
  readonly current: Company
  constructor(current: Company) {
    super('It was changed in another window. Compare both versions and choose one.')
    this.current = current
  }
}

async function createCompany(id: string, values: CompanyValues): Promise<StoredCompany> {
  const { data, error } = await supabase()
    .from('companies')
    .insert({ id, ...values })
    .select(columns)
    .single()
  // Saved by an earlier try whose answer got lost; what is in the form now is what counts.
  if (error?.code === '23505') return overwriteCompany(id, values)
  if (error) throw error
  return data
}

async function overwriteCompany(id: string, values: CompanyValues): Promise<StoredCompany> {
  const { data, error } = await supabase()
    .from('companies')
    .update(values)
    .eq('id', id)
    .select(columns)
    .maybeSingle()
  if (error) throw error
  if (!data) throw notFound()
  return data
}

/** Saves over the version that the user saw, and over no other. */
async function updateCompany(
  { id, updated_at }: Company,
  values: CompanyValues,
): Promise<StoredCompany> {
  const { data, error } = await supabase()
    .from('companies')
    .update(values)
    .eq('id', id)
    .eq('updated_at', updated_at)
    .select(columns)
    .maybeSingle()
  if (error) throw error
  if (data) return data
  const current = await readCompany(id)
  if (!current) throw notFound()
  throw new CompanyConflict(current)
}

async function deleteCompany(id: string): Promise<void> {
  const { data, error } = await supabase().from('companies').delete().eq('id', id).select('id')
  if (error) throw error
  if (data.length === 0) throw notFound()
}

export function useCreateCompany() {
  return useListWrite(companyList, {
    write: ({ id, values }: { id: string; values: CompanyValues }) => createCompany(id, values),
    shows({ id, values }) {
      const now = new Date().toISOString()
      const stored = { id, ...values, created_at: now, updated_at: now }
      return { kind: 'add', row: { ...stored, contacts: 0, open_deals: 0, deals: 0 } }
    },
    becomes: (stored) => ({
      kind: 'add',
      row: { ...stored, contacts: 0, open_deals: 0, deals: 0 },
    }),
    saved: 'Company created successfully',
    failed: 'Failed to create company',
  })
}

export function useUpdateCompany() {
  return useListWrite(companyList, {
    write: ({ seen, values }: { seen: Company; values: CompanyValues }) =>
      updateCompany(seen, values),
    shows: ({ seen, values }) => ({
      kind: 'change',
      isMeant: ({ id }) => id === seen.id,
      to: values,
    }),
    becomes: (stored) => ({ kind: 'change', isMeant: ({ id }) => id === stored.id, to: stored }),
    saved: 'Company updated successfully',
    failed: 'Failed to update company',
  })
}

export function useDeleteCompany() {
  const queryClient = useQueryClient()
  const remove = useListWrite(companyList, {
    write: ({ id }: Company) => deleteCompany(id),
    shows: (gone) => ({ kind: 'remove', isMeant: ({ id }) => id === gone.id, count: 1 }),
    failed: 'Failed to delete company',
  })
  return async (company: Company) => {
    await remove(company)
    showUndoToast({
      message: 'Company deleted successfully',
      batch: () => deletionOf(company.id),
      onUndone() {
        keepInLists(queryClient, companyList, { kind: 'add', row: company })
        readListsAgain(queryClient, companyList.key)
      },
    })
  }
}

/** Reads the screen again, when something on it turned out to be gone. */
export function useReadCompaniesAgain() {
  const queryClient = useQueryClient()
  return () => readListsAgain(queryClient, companyList.key)
}
