import { z } from 'zod'
import { type CompanySort, companyFields, companySorts } from '#domain/fields/companies.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import { directionOf } from '#lib/list-sort.ts'
import type { ListView } from '#lib/list-source.ts'

const choices = z.array(z.string().min(1).max(200)).max(50).default([])

/** What the address of the companies screen may hold. */
export const companyUrlSchema = z.object({
  q: z.string().trim().max(200).default(''),
  sort: z.enum(companySorts).default('created'),
  /** Undefined means the usual direction of the sort. */
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

/** Sorts that begin with the newest. */
export const newestFirst = mostFirstOf(companyFields, companySorts)

/** The view of the list that the address describes. */
export function companyView(state: CompanyUrlState): CompanyView {
  const { q, industry, location, sort } = state
  return {
    filter: {
      ...(q ? { search: q } : {}),
      ...(industry.length > 0 ? { industry } : {}),
      ...(location.length > 0 ? { location } : {}),
    },
    sort,
    descending: directionOf(state, newestFirst) === 'desc',
  }
}
