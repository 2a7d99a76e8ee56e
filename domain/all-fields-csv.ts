import { csvHeader, csvRow, fileKeys } from './fields/cells.ts'
import { companyFields } from './fields/companies.ts'
import { contactFields } from './fields/contacts.ts'
import type { Fields } from './fields/field.ts'

/** The records with files that hold all their fields; those of deals are in `deal-csv.ts`. */
const fieldsOf = { contacts: contactFields, companies: companyFields }

/** A file with all fields of contacts or companies, the user's own at its end. */
export function allFieldsCsv(record: keyof typeof fieldsOf, own: Fields) {
  const fields: Fields = { ...fieldsOf[record], ...own }
  const keys = [...fileKeys(fieldsOf[record]), ...fileKeys(own)]
  return {
    header: csvHeader(fields, keys),
    row: (stored: object) => csvRow(fields, keys, stored),
  }
}
