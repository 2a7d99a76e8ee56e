import type { CompanyInput } from '#domain/company.ts'
import type { Company } from './queries.ts'

/** A company as its form holds it. */
export function companyTexts({ name, website, industry, location }: Company): CompanyInput {
  return {
    name,
    website: website ?? '',
    industry: industry ?? '',
    location: location ?? '',
  }
}
