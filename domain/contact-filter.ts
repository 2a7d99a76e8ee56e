import type { LeadStatus } from './fields/contacts.ts'

/** A filter of contacts, as the database's functions for pages, counts and bulk writes take it. */
export type ContactFilter = {
  search?: string
  /** Only these. */
  ids?: string[]
  /** All but these. */
  except?: string[]
  lead_status?: LeadStatus[]
  /** An id, or 'none' for those without a company. */
  company?: string
  collection?: string
  has_email?: boolean
  has_phone?: boolean
  /** First and last day, `YYYY-MM-DD`, on the calendar of `time_zone`. */
  created_from?: string
  created_to?: string
  time_zone?: string
}
