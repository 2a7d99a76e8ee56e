import { checkEntries } from './fields/entry-checks.ts'
import { fold } from './fold.ts'
import { mailsIn, phonesIn, addressesOf as placesOf } from './import-entries.ts'
import type { ImportPlan } from './import-plan.ts'
import {
  type Cells,
  checkedRow,
  filled,
  type ImportRow,
  listsOf,
  notesProblem,
  problemOf,
  type RawValues,
} from './import-row-values.ts'

const listChecks = (['emails', 'phones', 'addresses'] as const).map(
  (kind) => [kind, checkEntries(kind)] as const,
)

/** Reads a row of a file of companies. */
export function readCompany(
  cells: Cells,
  raw: RawValues,
  plan: ImportPlan,
  row: string[],
): ImportRow {
  const columns = listsOf(plan)
  const lists = {
    emails: mailsIn(columns.emails, row).map(({ label, value, name }) => ({
      label: label || name,
      value,
    })),
    phones: phonesIn(columns.phones, row),
    addresses: placesOf(columns.addresses, row).entries,
  }
  // A company has no notes that could hold what a list cannot.
  for (const [kind, check] of listChecks) {
    const checked = check.safeParse(lists[kind])
    if (!checked.success) return { problem: problemOf(checked.error) }
  }
  const kept = cells.get('notes') ?? []
  const tooLong = notesProblem(kept)
  if (tooLong) return { problem: tooLong }
  return checkedRow(
    'companies',
    {
      ...raw,
      location: withoutRepeats(cells.get('location') ?? []).join(', '),
    },
    {
      emails: filled(lists.emails),
      phones: filled(lists.phones),
      addresses: filled(lists.addresses),
      kept_notes: kept.length > 0 ? kept : null,
    },
  )
}

/** A place in one text may stand beside its parts. */
function withoutRepeats(texts: string[]): string[] {
  const words = texts.map((text) => ` ${(fold(text).match(/[\p{L}\p{M}\d]+/gu) ?? []).join(' ')} `)
  return texts.filter(
    (_, place) => !words.slice(0, place).some((earlier) => earlier.includes(words[place] ?? '')),
  )
}
