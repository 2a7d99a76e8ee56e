import { fold } from '#domain/fold.ts'
import type { Recalled } from '#lib/device-answers.ts'
import { type Asked, type Card, holds, isNot, isSame, knownFilter } from './asked.ts'
import { loadList } from './kept-data.ts'

/** Answers with the open deals that a filter lets through. */
export async function ofDeals(
  account: string,
  { filter = {} }: Asked,
  answer: (rows: Card[]) => unknown,
): Promise<Recalled | null> {
  const keys = ['search', 'ids', 'except', 'pipeline', 'stage', 'company', 'contact', 'time_zone']
  const wanted = knownFilter(filter, keys)
  const kept = await loadList(account, 'deals')
  if (!wanted || !kept) return null
  const words = fold(`${wanted.search ?? ''}`)
  const rows = (kept.rows as Card[]).filter(
    (deal) =>
      fold(`${deal.name}`).includes(words) &&
      holds(wanted.ids, deal.id) &&
      isNot(wanted.except, deal.id) &&
      isSame(wanted.pipeline, deal.pipeline_id) &&
      (Array.isArray(wanted.stage)
        ? wanted.stage.includes(deal.stage_id)
        : isSame(wanted.stage, deal.stage_id)) &&
      isSame(wanted.company, deal.company_id) &&
      isSame(wanted.contact, deal.contact_id),
  )
  return { answer: answer(rows), at: kept.at }
}

/** Count and sum; what has no rate is left out of the sum and told. */
export function figuresOf(rows: Card[], probability = 100) {
  const uncounted: Record<string, number> = {}
  let cents = 0
  for (const { value, currency, rate } of rows) {
    if (typeof currency === 'string' && typeof rate !== 'number')
      uncounted[currency] = (uncounted[currency] ?? 0) + 1
    else cents += Math.round(Number(value) * (typeof rate === 'number' ? rate : 1) * 100)
  }
  const sum = (cents / 100).toFixed(2)
  const weighted = ((cents * probability) / 10_000).toFixed(2)
  return { count: rows.length, sum, weighted, uncounted }
}

type Stage = { id: string; name: string; outcome: string; win_probability: number }

/** The columns of a pipeline with the open deals; those that are closed are not on this device. */
export async function board(account: string, asked: Asked): Promise<Recalled | null> {
  const pipelines = await loadList(account, 'pipelines')
  const known = pipelines?.rows as { id: string; stages: Stage[] }[] | undefined
  const pipeline = known?.find(({ id }) => id === asked.pipeline)
  if (!pipeline) return null
  const none = { id: null, name: null, outcome: 'open', win_probability: 0 }
  return ofDeals(account, { filter: { ...asked.filter, pipeline: pipeline.id } }, (deals) => {
    const byPlace = deals.toSorted((one, other) => Number(one.order) - Number(other.order))
    const columns = [none, ...pipeline.stages].map((stage) => {
      const rows = byPlace.filter(({ stage_id }) => stage_id === stage.id)
      const { id: stage_id, name: stage_name, outcome, win_probability } = stage
      const figures = figuresOf(rows, win_probability)
      return { stage_id, stage_name, outcome, win_probability, ...figures, rows, next: null }
    })
    return columns.filter(({ stage_id, count }) => stage_id !== null || count > 0)
  })
}
