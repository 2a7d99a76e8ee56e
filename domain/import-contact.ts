import { type Entry, longestLabel, mostEntries } from './fields/entries.ts'
import { isNameOf, splitName } from './full-name.ts'
import { linksIn, mailsIn, phonesIn, addressesOf as placesOf, split } from './import-entries.ts'
import type { ListColumn } from './import-lists.ts'
import type { ImportPlan } from './import-plan.ts'
import {
  type Cells,
  checkedRow,
  filled,
  first,
  type ImportRow,
  listsOf,
  type RawValues,
} from './import-row-values.ts'
import { isOurStatus, leadStatusOf } from './import-status.ts'

/** Reads a row of a file of contacts. */
export function readContact(
  cells: Cells,
  raw: RawValues,
  plan: ImportPlan,
  row: string[],
): ImportRow {
  const isNamed = raw.first_name !== '' || raw.last_name !== ''
  const columns = listsOf(plan)
  const mails = mailsIn(columns.emails, row)
  const fullName = first(cells, 'full_name')
  const nameFrom = fullName === '' ? 'address' : 'full name'
  const besideName = fullName || (mails[0]?.name ?? '')
  const guessed = isNamed ? null : splitName(besideName)
  const emails = withFirst('emails', mails.map(named({ ...raw, ...guessed })))
  const phones = withFirst('phones', phonesIn(columns.phones, row))
  const isKnown = isNamed || besideName !== '' || [emails, phones].some(({ first }) => first !== '')
  const unfit = [
    ...emails.unfit.map((value) => `${headerOf(columns.emails, row, value)}: ${value}`),
    ...phones.unfit.map((value) => `${headerOf(columns.phones, row, value)}: ${value}`),
  ]
  if (!isKnown && unfit.length > 0) return { problem: `${unfit[0]} can’t be read.` }
  const [links, places] = [linksIn(columns.links, row), placesOf(columns.addresses, row)]
  const word = first(cells, 'lead_status')
  const leadStatus = leadStatusOf(word)
  const noteParts = [
    ...(cells.get('notes') ?? []),
    // What no list can hold goes to the notes, so that nothing is lost.
    ...(emails.rest.length > 0 ? [`Other emails: ${emails.rest.join(', ')}`] : []),
    ...(phones.rest.length > 0 ? [`Other phones: ${phones.rest.join(', ')}`] : []),
    ...places.rest,
    ...links.rest,
    ...(word !== '' && !leadStatus ? [`Lead status: ${word}`] : []),
    ...(isNamed && !isSameName(besideName, raw) ? [`Full name: ${besideName}`] : []),
  ]
  return checkedRow(
    plan,
    row,
    {
      ...raw,
      ...guessed,
      full_name: '',
      email: emails.first,
      phone_number: phones.first,
      notes: noteParts.join('\n'),
    },
    {
      emails: emails.list,
      phones: phones.list,
      links: filled(links.entries),
      addresses: filled(places.entries),
      // An existing record gets each part that it does not have yet.
      note_parts: noteParts.length > 1 ? noteParts : null,
      // Of a record that is there, a guess changes no name.
      name_from: guessed?.first_name || guessed?.last_name ? nameFrom : null,
      lead_status: leadStatus,
      // For the remark in the dry run.
      file_status: isOurStatus(word) ? null : word,
    },
    unfit,
  )
}

/** What the column is called that says this in a row. */
function headerOf(columns: ListColumn[], row: string[], value: string): string {
  const found = columns.find(({ place }) => row[place]?.includes(value)) ?? columns[0]
  return found?.header ?? ''
}

/** An address with whom it is said to belong to, where that is somebody else: as its label, or before it. */
function named(contact: RawValues) {
  return ({ label, value, name }: Entry & { name: string }, place: number) => {
    const isOther = place > 0 && name !== '' && !isSameName(name, contact)
    const isLabel = isOther && label === '' && name.length <= longestLabel
    return {
      label: isLabel ? name : label,
      value,
      written: isOther && !isLabel ? `${name} <${value}>` : value,
    }
  }
}

type WrittenEntry = Entry & { written?: string }

/**
 * The first entry, the whole list where it says more, how the row says what the list cannot hold, and what stands before the first
 * that can be stored.
 */
function withFirst(kind: 'emails' | 'phones', all: WrittenEntry[]) {
  const place = all.findIndex((entry) => split(kind, [entry]).rest.length === 0)
  const [head, ...others] = place < 0 ? [] : all.slice(place)
  const unfit = place < 0 ? all : all.slice(0, place)
  const { entries, rest } = split(kind, others)
  // The first has its place in the list.
  const fits = entries.slice(0, mostEntries - 1)
  const kept = [...(head ? [head] : []), ...fits].map(({ label, value }) => ({ label, value }))
  return {
    first: head?.value ?? '',
    list: fits.length > 0 || head?.label ? kept : null,
    rest: [
      ...fits.filter(({ written, value }) => (written ?? value) !== value),
      ...entries.slice(mostEntries - 1),
      ...rest,
    ].map(({ written, value }) => written ?? value),
    unfit: unfit.map(({ written, value }) => written ?? value),
  }
}

/** Whether a full name holds no word that its parts lack. */
function isSameName(fullName: string, { first_name, last_name }: RawValues): boolean {
  return isNameOf(`${first_name} ${last_name}`, fullName)
}
