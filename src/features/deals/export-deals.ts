import { dayOf } from '#domain/dates.ts'
import {
  allDealFields,
  dealCsvHeader,
  dealCsvRow,
  dealPeopleCell,
  dealPeopleHeader,
} from '#domain/deal-csv.ts'
import { type DealColumn, type DealKey, dealFields } from '#domain/fields/deals.ts'
import { type Fields, isField } from '#domain/fields/field.ts'
import { type OwnKey, ownKeys } from '#domain/fields/own.ts'
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
  const all = { ...dealFields, ...own }
  // An own field may have been deleted since its column was chosen.
  const shown = exported === 'all' ? ownKeys(own) : exported.filter((key) => isField(all, key))
  const fields: (DealKey | OwnKey)[] =
    exported === 'all' ? [...allDealFields, ...shown] : ['name', ...shown]
  return saveCsv({
    name: `deals-export-${dayOf(Date.now(), timeZone)}.csv`,
    header: [...dealCsvHeader(fields, own), ...(exported === 'all' ? [dealPeopleHeader] : [])],
    parts: rowsOf(view, fields, own, exported === 'all'),
  })
}

async function* rowsOf(
  view: DealView,
  fields: (DealKey | OwnKey)[],
  own: Fields,
  hasPeople: boolean,
): AsyncGenerator<string[][]> {
  const pipelines = fields.includes('pipeline') ? await readPipelines() : []
  const names = new Map(pipelines.map(({ id, name }) => [id, name]))
  for await (const deals of readAllDeals(view)) {
    const people = hasPeople ? await readDealPeople(deals.map(({ id }) => id)) : null
    yield deals.map((deal) => {
      const pipeline_name = names.get(deal.pipeline_id ?? '') ?? null
      const row = dealCsvRow({ ...deal, pipeline_name }, fields, own)
      if (!people) return row
      return [...row, dealPeopleCell(deal.contact, deal.contact_id, people[deal.id] ?? [])]
    })
  }
}
