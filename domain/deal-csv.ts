import { contactName } from './contact.ts'
import { neutralised } from './csv.ts'
import { stageLabel } from './deal.ts'
import { csvHeader, csvRow, fileKeys } from './fields/cells.ts'
import { type DealKey, dealFields } from './fields/deals.ts'
import type { Fields } from './fields/field.ts'
import { type OwnKey, ownKeys } from './fields/own.ts'
import { habits } from './habits.ts'

type ExportedDeal = {
  name: string
  value: number
  currency: string | null
  expected_close_date: string | null
  pipeline_name: string | null
  stage_name: string | null
  company_name: string | null
  contact: { first_name: string | null; last_name: string | null; email: string | null } | null
  lost_reason: string | null
  tags: string[]
  next_task: { title: string } | null
  created_at: string
  closed_at: string | null
}

/** Those with which every full export begins. */
export const firstDealColumns: DealKey[] = [
  'name',
  'pipeline',
  'stage',
  'value',
  'currency',
  'expected_close',
  'company',
  'contact_first_name',
  'contact_last_name',
  'contact_email',
  'lost_reason',
  'tags',
  'next_task',
  'created',
  'closed',
]

/**
 * The columns of a full export: those above, and after them whatever else a deal has. The contact's name is split, so
 * that an import need not guess where the first name ends.
 */
export const allDealFields: DealKey[] = [
  ...firstDealColumns,
  ...fileKeys(dealFields).filter((key) => key !== 'contact' && !firstDealColumns.includes(key)),
]

const special: Record<string, (deal: ExportedDeal) => string | null | undefined> = {
  // In a file, none would say nothing.
  currency: ({ currency }) => currency ?? habits().currency,
  stage: ({ stage_name }) => stageLabel(stage_name),
  contact: ({ contact }) => contact && contactName(contact),
  contact_first_name: ({ contact }) => contact?.first_name,
  contact_last_name: ({ contact }) => contact?.last_name,
  contact_email: ({ contact }) => contact?.email,
  next_task: ({ next_task }) => next_task?.title,
}

/** `own` are the user's own fields, as far as they are among the columns. */
export function dealCsvHeader(fields: (DealKey | OwnKey)[], own: Fields = {}): string[] {
  return csvHeader({ ...dealFields, ...own }, fields)
}

/** The fields of one row, safe to open in a spreadsheet. */
export function dealCsvRow(
  deal: ExportedDeal,
  fields: (DealKey | OwnKey)[],
  own: Fields = {},
): string[] {
  return csvRow({ ...dealFields, ...own }, fields, deal, special)
}

type FiledPerson = {
  id: string
  role: string | null
  first_name: string | null
  last_name: string | null
  email: string | null
}

/** Over the column with all contacts of a deal. */
export const dealPeopleHeader = dealFields.contact_roles.label

/**
 * All contacts of a deal with their roles, the main one first: 'Ada Lovelace <ada@example.com> (decides); Bob Babbage'.
 * `people` has the main one only if that one has a role.
 */
export function dealPeopleCell(
  main: Omit<FiledPerson, 'id' | 'role'> | null,
  mainId: string | null,
  people: FiledPerson[],
): string {
  const role = people.find(({ id }) => id === mainId)?.role ?? null
  const others = people.filter(({ id }) => id !== mainId)
  const all = main ? [{ ...main, role }, ...others] : others
  const words = all.map((person) => {
    const { email } = person
    return [contactName(person), email && `<${email}>`, person.role && `(${person.role})`]
      .filter(Boolean)
      .join(' ')
  })
  return neutralised(words.join('; '))
}

type FiledDeal = ExportedDeal & { contact_id: string | null }

/** A file with all fields of deals, the user's own after ours, and everybody on them at its end. */
export function allDealsCsv(own: Fields) {
  const fields = [...allDealFields, ...ownKeys(own)]
  return {
    header: [...dealCsvHeader(fields, own), dealPeopleHeader],
    row: (deal: FiledDeal, people: FiledPerson[]) => [
      ...dealCsvRow(deal, fields, own),
      dealPeopleCell(deal.contact, deal.contact_id, people),
    ],
  }
}
