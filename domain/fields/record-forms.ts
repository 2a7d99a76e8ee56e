import type { z } from 'zod'
import { companyBulkFields, companyFields } from './companies.ts'
import { contactFields } from './contacts.ts'
import { dealFields } from './deals.ts'
import { blankOf, schemaOf } from './form.ts'

/** What the contact form may hold. Nothing is required: a contact may lack every name. */
export function contactSchema() {
  return schemaOf(contactFields)
}

export type ContactInput = z.input<ReturnType<typeof contactSchema>>

/** A form for a contact that is not there yet. */
export const newContact: ContactInput = blankOf(contactFields)

/** What the company form may hold. */
export function companySchema() {
  return schemaOf(companyFields)
}

/** A change of many companies at once. */
export function companyBulkSchema() {
  return schemaOf(companyBulkFields).partial()
}

export type CompanyBulkValues = z.output<ReturnType<typeof companyBulkSchema>>

export type CompanyInput = z.input<ReturnType<typeof companySchema>>

/** A form for a company that is not there yet. */
export const newCompany: CompanyInput = blankOf(companyFields)

/** What the deal form may hold. */
export function dealSchema() {
  return schemaOf(dealFields)
}

export type DealInput = z.input<ReturnType<typeof dealSchema>>

/** A form for a deal that is not there yet. */
export const newDeal: DealInput = blankOf(dealFields)
