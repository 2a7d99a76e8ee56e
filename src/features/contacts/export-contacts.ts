import {
  contactCsvHeader,
  contactCsvName,
  contactCsvRow,
  quotedCsvColumn,
} from '#domain/contact-csv.ts'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { dayOf } from '#domain/dates.ts'
import { saveCsv } from '#lib/save-csv.ts'
import { readAllContacts } from './queries.ts'

type WriteContacts = {
  filter: ContactFilter
  timeZone: string
  onProgress: (count: number) => void
}

/** Saves the contacts that a filter matches as a CSV file, and returns their number. */
export function writeContacts({ filter, timeZone, onProgress }: WriteContacts): Promise<number> {
  return saveCsv({
    name: contactCsvName(dayOf(Date.now(), timeZone)),
    header: contactCsvHeader,
    parts: rowsOf(filter),
    quotes: contactCsvHeader.map((_, index) => index === quotedCsvColumn),
    onProgress,
  })
}

async function* rowsOf(filter: ContactFilter): AsyncGenerator<string[][]> {
  for await (const contacts of readAllContacts(filter)) yield contacts.map(contactCsvRow)
}
