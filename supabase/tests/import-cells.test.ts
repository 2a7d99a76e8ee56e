import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { birthdayIn } from '#domain/birthday.ts'
import { answerIn, csvRow } from '#domain/fields/cells.ts'
import { type Fields, valueAt } from '#domain/fields/field.ts'
import { type OwnField, ownFields } from '#domain/fields/own.ts'
import { amountInCell } from '#domain/import-amount.ts'
import { leftOutWords } from '#domain/import-column-words.ts'
import { addressesIn } from '#domain/import-emails.ts'
import { importKinds } from '#domain/import-headers.ts'
import { labelledNotes } from '#domain/import-keep.ts'
import { isLabelColumn } from '#domain/import-lists.ts'
import { isOwnName } from '#domain/import-own.ts'
import { importRow } from '#domain/import-rows.ts'
import { plainField, sideOf } from '#domain/import-sides.ts'
import type { TextEncoding } from '#domain/import-text.ts'
import { cellValues, dayIn, excelDay, momentIn } from '#domain/import-values.ts'
import { shownWebsite } from '#domain/web-address.ts'
import { dealFiles } from './deal-files.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importBytes, timeZone } from './import-file.ts'
import { encoded, foreignFiles, programFiles } from './program-files.ts'

const folder = join(import.meta.dirname, '../../domain/test-files')

const files: [name: string, content: BlobPart, encoding?: TextEncoding][] = [
  ...readdirSync(folder).map((name): [string, BlobPart] => [
    name,
    readFileSync(join(folder, name)),
  ]),
  ...Object.entries(programFiles),
  ...Object.entries(dealFiles),
  ...Object.entries(foreignFiles).map(
    ([name, { text, encoding }]): [string, BlobPart, TextEncoding] => [
      `${name}, ${encoding}`,
      encoded(text, encoding),
      encoding,
    ],
  ),
]

/** Rows that the sources have to show what is refused. */
const refused: Record<string, number> = { 'linkedin.csv': 1, 'hubspot-companies.csv': 1 }

/** What the page of a record shows: a part of it. */
type Shown = { texts: string[]; numbers: Set<number> }

/** A record with the records that it links, and its own fields. */
type Stored = { row: Record<string, unknown>; own: Fields }

/** Where else than in its own column a record holds what a field of a file says. */
const places: Record<string, string[]> = {
  full_name: ['first_name', 'last_name'],
  email: ['emails'],
  phone_number: ['phones'],
  status: ['stage'],
  contact: ['contact', 'people'],
  contact_first_name: ['contact', 'people'],
  contact_last_name: ['contact', 'people'],
  contact_email: ['contact', 'people'],
  contact_role: ['people'],
}

/** What a record shows where a field belongs; and the notes, into which goes what a field cannot hold. */
function shownIn({ row: record, own }: Stored, name: string): Shown {
  // Of a deal's contact or company; a row that names nobody keeps it in the notes of the deal.
  const [side, field] = [sideOf(name)?.side, plainField(name) ?? '']
  const row = (side && (record[side] as Record<string, unknown> | null)) ?? record
  const values = isOwnName(field)
    ? [valueAt(row, field), ...csvRow(own, [own[field]?.key ?? ''], row)]
    : (places[field] ?? [field]).map((name) => row[name])
  const all = [...leaves(values), ...leaves(row.notes)]
  return {
    texts: all.map((value) => plain(String(value))),
    numbers: new Set(all.filter((value) => typeof value === 'number')),
  }
}

/** All values in something that was read, however deep. */
function* leaves(value: unknown): Generator<string | number | boolean> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    yield value
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* leaves(each)
  }
}

onAnyDatabase((database) => {
  async function shownRecords(account: Account, kind: 'contacts' | 'companies' | 'deals') {
    const { client } = account
    const linked = {
      contacts: '*, company:companies(*)',
      companies: '*, notes(body)',
      deals:
        '*, notes(body), company:companies(*, notes(body)), contact:contacts(*), people:deal_contacts(role, contacts(*)), stage:pipeline_stages(*), pipeline:pipelines(*)',
    }
    const rows = await ok(client.from(kind).select(linked[kind]))
    const fields = await ok(client.from('fields').select())
    // Its columns are those of an own field. A deal shows those of its contact and its company, too.
    const all = fields as unknown as OwnField[]
    const own = Object.assign({}, ...importKinds.map((each) => ownFields(all, each)))
    return (rows as unknown as Record<string, unknown>[]).map((row): Stored => ({ row, own }))
  }

  test.each(files)(
    'every cell of %s is found again, or was left out on purpose',
    async (name, content, encoding) => {
      const account = await database().signUp()
      const { form, interpretation, summary, session } = await importBytes(account, content)
      // Read in another one, the cells below would be wrong letters that are found again.
      if (encoding) expect(form).toMatchObject({ encoding })
      const { plan, columns, statusChanges, rowCount } = interpretation
      expect(summary).toMatchObject({ added: rowCount - (refused[name] ?? 0), skipped: 0 })
      const records = await shownRecords(account, plan.kind)
      const leftOut = leftOutWords(columns, plan.mapping) ?? ''
      const told = new Set(statusChanges.map(({ word }) => plain(word)))
      const places = (await session.part(plan, 0)).map(({ place }) => place)
      const { rows } = await session.original(places)
      const lost: string[] = []
      for (const row of rows) {
        const read = importRow(row, plan)
        if ('problem' in read) continue
        const cells = columns
          .map((column, place) => ({ ...column, text: (row[place] ?? '').trim(), place }))
          .filter(({ text }) => text !== '')
        const missing = records.map((record) =>
          cells.filter(({ name: column, text, place }) => {
            const field = plan.mapping[place] ?? null
            if (field === null) return !leftOut.includes(column)
            // The account's own currency is the one that nothing says.
            if (field === 'currency' && text === 'USD') return false
            const shown = shownIn(record, field.replace(labelledNotes, 'notes'))
            return !(
              isShown(text, shown) ||
              // The day on which a deal is expected to close has no time.
              (field === 'expected_close_date' && isShown(text.split(' ')[0] ?? '', shown)) ||
              (field === 'lead_status' && told.has(plain(text))) ||
              isOutcome(field, text, shown, record.row.closed_at === null) ||
              (field === 'tags' && areTags(text, shown)) ||
              (isLabelColumn(column) && shown.texts.includes(plain(text.replace(/^\* /, ''))))
            )
          }),
        )
        const [fewest = cells] = missing.toSorted((one, other) => one.length - other.length)
        lost.push(...fewest.map(({ name: column, text }) => `${column}: ${text}`))
      }
      expect(lost).toEqual([])
    },
  )
})

function plain(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
}

/** Whether a record shows what a cell says, as such or as the number, day, answer, address or name that it is. */
function isShown(cell: string, { texts, numbers }: Shown): boolean {
  const has = (text: string) => texts.some((shown) => shown.includes(plain(text)))
  if (has(cell)) return true
  const amount = amountInCell(cell)
  if (amount !== null && numbers.has(amount)) return true
  if (momentsIn(cell).some(has)) return true
  const answer = answerIn(cell)
  if (answer !== null && texts.includes(String(answer))) return true
  if (has(shownWebsite(cell))) return true
  const values = cellValues(cell)
  if (values.length > 1 && values.every(has)) return true
  const addresses = addressesIn(cell)
  if (
    addresses.some(({ email }) => email.includes('@')) &&
    addresses.every(({ email, name }) => has(email) && name.split(/\s+/).every(has))
  ) {
    return true
  }
  // A name that was parted.
  return cell
    .split(/[\s,;()]+/)
    .filter(Boolean)
    .every((word) => texts.some((shown) => shown.split(/[\s,;()]+/).includes(plain(word))))
}

/** The days that a cell may mean; where it says a time, the moments. */
function momentsIn(cell: string): string[] {
  const written = excelDay(cell) ?? cell
  const hasTime = /\d:\d\d/.test(written) && !/\b0?0:00(?::00(?:\.0+)?)?(?:$|Z|\+)/.test(written)
  return (['day first', 'month first'] as const).flatMap((order) => {
    if (hasTime) return momentIn(written, order, timeZone)?.slice(0, 19) ?? []
    return [dayIn(written, order), birthdayIn(cell, order)].flatMap((day) => day ?? [])
  })
}

/** Each tag of a list, however it is parted, quoted or marked; the group of all contacts of an address book is none. */
function areTags(cell: string, { texts }: Shown): boolean {
  return cell
    .split(/[;,|:"]+/)
    .map((part) => plain(part).replace(/^\* /, ''))
    .filter((tag) => tag !== '' && tag.replace(' ', '') !== 'mycontacts')
    .every((tag) => texts.includes(tag))
}

/** Won, lost and open are what the stage of a deal says. */
function isOutcome(field: string, cell: string, { texts }: Shown, isOpen: boolean): boolean {
  if (field !== 'status' && field !== 'stage') return false
  const word = plain(cell)
  if (/won|ganho|wygrana|受注/.test(word)) return texts.includes('closed won')
  if (/lost|perdido|przegrana|失注/.test(word)) return texts.includes('closed lost')
  return field === 'status' && ['open', 'aberto', 'otwarta'].includes(word) && isOpen
}
