import { csvHeader, csvRow } from './fields/cells.ts'
import { type ContactKey, contactFields } from './fields/contacts.ts'

type ExportedContact = {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone_number: string | null
  role_title: string | null
  lead_status: string
  notes: string | null
  created_at: string
}

/** The columns of an export of contacts, in their order: the specification names these eight. */
const exported: ContactKey[] = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'role_title',
  'lead_status',
  'notes',
  'created',
]

export const contactCsvHeader = csvHeader(contactFields, exported)

/** The index of the column that is always quoted. */
export const quotedCsvColumn = exported.indexOf('notes')

/** The fields of one row, safe to open in a spreadsheet. */
export function contactCsvRow(contact: ExportedContact): string[] {
  return csvRow(contactFields, exported, contact)
}

/** 'contacts-export-2026-11-15.csv'. */
export function contactCsvName(day: string): string {
  return `contacts-export-${day}.csv`
}
