import { allFieldsCsv } from '#domain/all-fields-csv.ts'
import { dayOf } from '#domain/dates.ts'
import type { Fields } from '#domain/fields/field.ts'
import { saveCsv } from '#lib/save-csv.ts'
import type { CompanyView } from './company-view.ts'
import { companyPages } from './queries.ts'

/** Saves all fields of the companies of a view, in its order, as a CSV file, and returns their number. */
export function writeAllFields(view: CompanyView, own: Fields, timeZone: string) {
  const { header, row } = allFieldsCsv('companies', own)
  async function* parts(): AsyncGenerator<string[][]> {
    for await (const companies of companyPages.all(view)) yield companies.map(row)
  }
  return saveCsv({
    name: `companies-export-${dayOf(Date.now(), timeZone)}.csv`,
    header,
    parts: parts(),
  })
}
