import { z } from 'zod'
import { optionalText, requiredText } from './text-fields.ts'

/** `acme.com` means `https://acme.com`. */
export function fullAddress(website: string): string {
  const trimmed = website.trim()
  return trimmed === '' || /^[a-z][a-z\d+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`
}

const website = z
  .string()
  .transform(fullAddress)
  .pipe(optionalText('Website', 2000))
  .refine(
    (value) => value === null || safeLink(value) !== null,
    'Enter a web address, such as https://acme.com.',
  )

export const companySchema = z.object({
  name: requiredText('Company Name', 200),
  website,
  industry: optionalText('Industry', 200),
  location: optionalText('Location', 200),
})

export type CompanyInput = z.input<typeof companySchema>

/** A form for a company that is not there yet. */
export const newCompany: CompanyInput = { name: '', website: '', industry: '', location: '' }

/** Only http and https ever become links, whatever is stored. */
export function safeLink(address: string | null): string | null {
  if (!address || !/^https?:\/\/[^\s/?#]+\S*$/i.test(address)) return null
  return URL.canParse(address) ? address : null
}

/** A web address as people read it. */
export function shownWebsite(address: string): string {
  return address.replace(/^https?:\/\//i, '').replace(/\/$/, '')
}
