import { dayOf } from '#domain/dates.ts'
import { allDealsCsv, dealCsvHeader, dealCsvRow } from '#domain/deal-csv.ts'
import { type DealColumn, type DealKey, dealFields } from '#domain/fields/deals.ts'
import { type Fields, isField } from '#domain/fields/field.ts'
import type { OwnKey } from '#domain/fields/own.ts'
import { readPipelines } from '#features/pipelines/index.ts'
import { saveCsv } from '#lib/save-csv.ts'
import type { DealView } from './deal-view.ts'
import { readAllDeals, readDealPeople } from './queries.ts'

/** All fields of each deal, or the columns that the list shows. */
export type ExportedFields = 'all' | (DealColumn | OwnKey)[]

/** Saves the deals of a view in its order, and returns their number. */
export function exportDeals(
  view: DealView,
  exported: ExportedFields,
  timeZone: string,
  own: Fields,
): Promise<number> {
  const name = `deals-export-${dayOf(Date.now(), timeZone)}.csv`
  if (exported === 'all') {
    const { header, row } = allDealsCsv(own)
    return saveCsv({ name, header, parts: wholeRows(view, row) })
  }
  const all = { ...dealFields, ...own }
  // An own field may have been deleted since its column was chosen.
  const fields = ['name' as const, ...exported.filter((key) => isField(all, key))]
  return saveCsv({ name, header: dealCsvHeader(fields, own), parts: shownRows(view, fields, own) })
}

async function* wholeRows(
  view: DealView,
  row: ReturnType<typeof allDealsCsv>['row'],
): AsyncGenerator<string[][]> {
  const names = new Map((await readPipelines()).map(({ id, name }) => [id, name]))
  for await (const deals of readAllDeals(view)) {
    const people = await readDealPeople(deals.map(({ id }) => id))
    yield deals.map((deal) => {
      const pipeline_name = names.get(deal.pipeline_id ?? '') ?? null
      return row({ ...deal, pipeline_name }, people[deal.id] ?? [])
    })
  }
}

async function* shownRows(
  view: DealView,
  fields: (DealKey | OwnKey)[],
  own: Fields,
): AsyncGenerator<string[][]> {
  for await (const deals of readAllDeals(view)) {
    yield deals.map((deal) => dealCsvRow({ ...deal, pipeline_name: null }, fields, own))
  }
}
