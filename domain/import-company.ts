import { longestLabel } from './fields/entries.ts'
import { fold } from './fold.ts'
import { mailsIn, phonesIn, addressesOf as placesOf, split } from './import-entries.ts'
import type { ImportPlan } from './import-plan.ts'
import {
  type Cells,
  checkedRow,
  filled,
  type ImportRow,
  listsOf,
  notesProblem,
  type RawValues,
} from './import-row-values.ts'

/** Reads a row of a file of companies. */
export function readCompany(
  cells: Cells,
  raw: RawValues,
  plan: ImportPlan,
  row: string[],
): ImportRow {
  const columns = listsOf(plan)
  const mails = mailsIn(columns.emails, row).map(({ label, value, name }) => ({
    label: label || name.slice(0, longestLabel),
    value,
  }))
  const [emails, phones] = [split('emails', mails), split('phones', phonesIn(columns.phones, row))]
  const places = placesOf(columns.addresses, row)
  const kept = cells.get('notes') ?? []
  const tooLong = notesProblem(kept)
  if (tooLong) return { problem: tooLong }
  return checkedRow(
    plan,
    row,
    {
      ...raw,
      location: withoutRepeats(cells.get('location') ?? []).join(', '),
    },
    {
      emails: filled(emails.entries),
      phones: filled(phones.entries),
      addresses: filled(places.entries),
      kept_notes: kept.length > 0 ? kept : null,
    },
    [
      ...emails.rest.map(({ value }) => `Email: ${value}`),
      ...phones.rest.map(({ value }) => `Phone: ${value}`),
      ...places.rest,
    ],
  )
}

/** A place in one text may stand beside its parts. */
function withoutRepeats(texts: string[]): string[] {
  const words = texts.map((text) => ` ${(fold(text).match(/[\p{L}\p{M}\d]+/gu) ?? []).join(' ')} `)
  return texts.filter(
    (_, place) => !words.slice(0, place).some((earlier) => earlier.includes(words[place] ?? '')),
  )
}
