import { contactName } from '#domain/contact.ts'
import { neutralised } from '#domain/csv.ts'
import { dayOf } from '#domain/dates.ts'
import { stageLabel } from '#domain/deal.ts'
import { saveCsv } from '#lib/save-csv.ts'
import { columnNames } from './deal-columns.tsx'
import type { DealColumn, DealView } from './deal-view.ts'
import { type Deal, readAllDeals } from './queries.ts'

/** As a spreadsheet takes it: figures and days plain. */
const fields: Record<DealColumn, (deal: Deal) => string> = {
  stage: ({ stage_name }) => stageLabel(stage_name),
  value: ({ value }) => value.toFixed(2),
  expected_close: ({ expected_close_date }) => expected_close_date ?? '',
  company: ({ company_name }) => company_name ?? '',
  contact: ({ contact }) => (contact ? contactName(contact) : ''),
  next_task: ({ next_task }) => next_task?.title ?? '',
  created: ({ created_at }) => new Date(created_at).toISOString(),
}

/** Saves the list as it shows, its columns and its order, and answers how many deals there were. */
export function exportDeals(
  view: DealView,
  columns: DealColumn[],
  timeZone: string,
): Promise<number> {
  return saveCsv({
    name: `deals-export-${dayOf(Date.now(), timeZone)}.csv`,
    header: ['Deal', ...columns.map((column) => columnNames[column])],
    parts: rowsOf(view, columns),
  })
}

async function* rowsOf(view: DealView, columns: DealColumn[]): AsyncGenerator<string[][]> {
  for await (const deals of readAllDeals(view)) {
    yield deals.map((deal) =>
      [deal.name, ...columns.map((column) => fields[column](deal))].map(neutralised),
    )
  }
}
