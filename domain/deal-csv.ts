import { contactName } from './contact.ts'
import { neutralised } from './csv.ts'
import { stageLabel } from './deal.ts'
import { type DealField, dealFieldNames } from './deal-fields.ts'

type ExportedDeal = {
  name: string
  value: number
  expected_close_date: string | null
  pipeline_name: string | null
  stage_name: string | null
  company_name: string | null
  contact: { first_name: string | null; last_name: string | null; email: string | null } | null
  lost_reason: string | null
  next_task: { title: string } | null
  created_at: string
  closed_at: string | null
}

/**
 * The columns of an export of everything. The contact stands there in parts, so that an import need
 * not guess where the first name ends.
 */
export const allDealFields: DealField[] = [
  'name',
  'pipeline',
  'stage',
  'value',
  'expected_close',
  'company',
  'contact_first_name',
  'contact_last_name',
  'contact_email',
  'lost_reason',
  'next_task',
  'created',
  'closed',
]

/** As a spreadsheet takes it: figures and days plain. */
const texts: Record<DealField, (deal: ExportedDeal) => string | null | undefined> = {
  name: ({ name }) => name,
  pipeline: ({ pipeline_name }) => pipeline_name,
  stage: ({ stage_name }) => stageLabel(stage_name),
  value: ({ value }) => value.toFixed(2),
  expected_close: ({ expected_close_date }) => expected_close_date,
  company: ({ company_name }) => company_name,
  contact: ({ contact }) => contact && contactName(contact),
  contact_first_name: ({ contact }) => contact?.first_name,
  contact_last_name: ({ contact }) => contact?.last_name,
  contact_email: ({ contact }) => contact?.email,
  lost_reason: ({ lost_reason }) => lost_reason,
  next_task: ({ next_task }) => next_task?.title,
  created: ({ created_at }) => new Date(created_at).toISOString(),
  closed: ({ closed_at }) => closed_at && new Date(closed_at).toISOString(),
}

export function dealCsvHeader(fields: DealField[]): string[] {
  return fields.map((field) => dealFieldNames[field])
}

/** The fields of one row, safe to open in a spreadsheet. */
export function dealCsvRow(deal: ExportedDeal, fields: DealField[]): string[] {
  return fields.map((field) => neutralised(texts[field](deal) ?? ''))
}
