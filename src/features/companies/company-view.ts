import { z } from 'zod'
import type { ListView } from '#lib/list-source.ts'

export const companySorts = ['created', 'name', 'industry', 'location'] as const
export type CompanySort = (typeof companySorts)[number]

const choices = z.array(z.string().min(1).max(200)).max(50).default([])

/** What the address of the companies screen may hold. */
export const companyUrlSchema = z.object({
  q: z.string().trim().max(200).default(''),
  sort: z.enum(companySorts).default('created'),
  /** Left out, each sort has the direction that people expect. */
  dir: z.enum(['asc', 'desc']).optional(),
  industry: choices,
  location: choices,
})

export type CompanyUrlState = z.output<typeof companyUrlSchema>

export type CompanyView = ListView<{
  search?: string
  industry?: string[]
  location?: string[]
}> & { sort: CompanySort }

export function isDescending({ sort, dir }: Pick<CompanyUrlState, 'sort' | 'dir'>): boolean {
  return dir ? dir === 'desc' : sort === 'created'
}

/** What the address asks for, as the database takes it. */
export function companyView(state: CompanyUrlState): CompanyView {
  const { q, industry, location, sort } = state
  return {
    filter: {
      ...(q ? { search: q } : {}),
      ...(industry.length > 0 ? { industry } : {}),
      ...(location.length > 0 ? { location } : {}),
    },
    sort,
    descending: isDescending(state),
  }
}

/** What to tell about values of the address that mean nothing; null when all do. */
export function refusedNotice(refused: { name: string; value: string }[]): string | null {
  const [first] = refused
  if (!first) return null
  const value = first.value.slice(0, 40)
  if (first.name === 'sort') {
    return `Companies cannot be sorted by “${value}”. The newest come first instead.`
  }
  if (first.name === 'dir') {
    return `“${value}” is no direction to sort in. The usual one is used instead.`
  }
  return 'A part of this address means nothing here and was left out.'
}
