import { allFieldsCsv } from '#domain/all-fields-csv.ts'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { dayOf } from '#domain/dates.ts'
import type { Fields } from '#domain/fields/field.ts'
import { saveCsv } from '#lib/save-csv.ts'
import { readAllContacts } from './queries.ts'

type AllFieldsOptions = {
  filter: ContactFilter
  own: Fields
  timeZone: string
  onProgress: (count: number) => void
}

/** Saves all fields of the contacts that a filter matches as a CSV file, and returns their number. */
export function writeAllFields({ filter, own, timeZone, onProgress }: AllFieldsOptions) {
  const { header, row } = allFieldsCsv('contacts', own)
  async function* parts(): AsyncGenerator<string[][]> {
    for await (const contacts of readAllContacts(filter)) yield contacts.map(row)
  }
  return saveCsv({
    name: `contacts-all-fields-${dayOf(Date.now(), timeZone)}.csv`,
    header,
    parts: parts(),
    onProgress,
  })
}
