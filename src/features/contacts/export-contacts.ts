import Papa from 'papaparse'
import {
  contactCsvHeader,
  contactCsvName,
  contactCsvRow,
  quotedCsvColumn,
} from '#domain/contact-csv.ts'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { dayOf } from '#domain/dates.ts'
import { saveFile } from '#lib/save-file.ts'
import { readAllContacts } from './queries.ts'

const quotes = contactCsvHeader.map((_, index) => index === quotedCsvColumn)

/** Saves the contacts that a filter means as a CSV file, and answers how many there were. */
export async function exportContacts(filter: ContactFilter, timeZone: string): Promise<number> {
  const parts = [lines([[...contactCsvHeader]], false)]
  let count = 0
  for await (const contacts of readAllContacts(filter)) {
    count += contacts.length
    if (contacts.length > 0) parts.push(lines(contacts.map(contactCsvRow), quotes))
  }
  // The mark at the beginning tells spreadsheets that this is UTF-8.
  const file = new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' })
  saveFile(file, contactCsvName(dayOf(Date.now(), timeZone)))
  return count
}

function lines(rows: string[][], quoted: boolean | boolean[]): string {
  return `${Papa.unparse(rows, { newline: '\r\n', quotes: quoted })}\r\n`
}
