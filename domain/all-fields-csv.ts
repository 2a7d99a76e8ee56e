import { csvHeader, csvRow } from './fields/cells.ts'
import { companyFields } from './fields/companies.ts'
import { contactFields } from './fields/contacts.ts'
import type { Fields } from './fields/field.ts'
import { ownKeys } from './fields/own.ts'

/** The fields of a record in files that hold all of them; those of deals are in `deal-csv.ts`. */
const columns: Record<'contacts' | 'companies', { fields: Fields; keys: string[] }> = {
  contacts: {
    fields: contactFields,
    keys: [
      'first_name',
      'last_name',
      'middle_name',
      'nickname',
      'email',
      'phone',
      'role_title',
      'company',
      'lead_status',
      'lead_score',
      'birthday',
      'birthday_reminder',
      'tags',
      'notes',
      'created',
      'last_contacted',
      'emails',
      'phones',
      'addresses',
      'links',
    ],
  },
  companies: {
    fields: companyFields,
    keys: [
      'name',
      'website',
      'industry',
      'location',
      'tags',
      'created',
      'emails',
      'phones',
      'addresses',
    ],
  },
}

/** A file with all fields of contacts or companies, the user's own at its end. */
export function allFieldsCsv(record: keyof typeof columns, own: Fields) {
  const fields = { ...columns[record].fields, ...own }
  const keys = [...columns[record].keys, ...ownKeys(own)]
  return {
    header: csvHeader(fields, keys),
    row: (stored: object) => csvRow(fields, keys, stored),
  }
}
