import { dayOf } from '#domain/dates.ts'
import { allDealFields, dealCsvHeader, dealCsvRow } from '#domain/deal-csv.ts'
import type { DealColumn, DealKey } from '#domain/fields/deals.ts'
import { readPipelines } from '#features/pipelines/index.ts'
import { saveCsv } from '#lib/save-csv.ts'
import type { DealView } from './deal-view.ts'
import { readAllDeals } from './queries.ts'

/** All fields of each deal, or the columns that the list shows. */
export type ExportedFields = 'all' | DealColumn[]

/** Saves the deals of a view in its order, and returns their number. */
export function exportDeals(
  view: DealView,
  exported: ExportedFields,
  timeZone: string,
): Promise<number> {
  const fields: DealKey[] = exported === 'all' ? allDealFields : ['name', ...exported]
  return saveCsv({
    name: `deals-export-${dayOf(Date.now(), timeZone)}.csv`,
    header: dealCsvHeader(fields),
    parts: rowsOf(view, fields),
  })
}

async function* rowsOf(view: DealView, fields: DealKey[]): AsyncGenerator<string[][]> {
  const pipelines = fields.includes('pipeline') ? await readPipelines() : []
  const names = new Map(pipelines.map(({ id, name }) => [id, name]))
  for await (const deals of readAllDeals(view)) {
    yield deals.map((deal) => {
      const pipeline_name = names.get(deal.pipeline_id ?? '') ?? null
      return dealCsvRow({ ...deal, pipeline_name }, fields)
    })
  }
}
