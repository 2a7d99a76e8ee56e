import { neutralised } from './csv.ts'

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

/** The columns of an export of contacts, in their order. */
export const contactCsvHeader = [
  'First Name',
  'Last Name',
  'Email',
  'Phone',
  'Role',
  'Lead Status',
  'Notes',
  'Created At',
] as const

/** Which of them is always quoted. */
export const quotedCsvColumn = contactCsvHeader.indexOf('Notes')

/** The fields of one row, safe to open in a spreadsheet. */
export function contactCsvRow(contact: ExportedContact): string[] {
  const fields = [
    contact.first_name,
    contact.last_name,
    contact.email,
    contact.phone_number,
    contact.role_title,
    contact.lead_status,
    contact.notes,
    new Date(contact.created_at).toISOString(),
  ]
  return fields.map((field) => neutralised(field ?? ''))
}

/** 'contacts-export-2026-11-15.csv'. */
export function contactCsvName(day: string): string {
  return `contacts-export-${day}.csv`
}
