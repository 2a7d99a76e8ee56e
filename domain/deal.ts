import { z } from 'zod'
import { counted } from './counted.ts'
import { dealFields } from './fields/deals.ts'
import { optionalText } from './text-fields.ts'

/** What became of a deal: the database tells it by its stage, and one without a stage is open. */
export const outcomes = ['open', 'won', 'lost'] as const

export type Outcome = (typeof outcomes)[number]

/** How a deal ends. */
export type ClosedOutcome = Exclude<Outcome, 'open'>

/** What the stages of closed deals are called: they keep their names. */
export const closedStages: Record<ClosedOutcome, string> = {
  won: 'Closed Won',
  lost: 'Closed Lost',
}

/** The outcome of a stage of which only the name is known: it is being made, or an entry of the log tells it. */
export function outcomeNamed(stageName: string): Outcome {
  if (stageName === closedStages.won) return 'won'
  return stageName === closedStages.lost ? 'lost' : 'open'
}

const stageColors: Record<string, string> = {
  Lead: 'blue',
  Qualified: 'violet',
  Proposal: 'orange',
  Negotiation: 'yellow',
  [closedStages.won]: 'green',
  [closedStages.lost]: 'red',
}

/** The hue of a stage. */
export function stageColor(stageName: string | null): string {
  return stageColors[stageName ?? ''] ?? 'gray'
}

/** What the screen shows where a deal has no stage; no stage of a pipeline. */
export const noStage = 'No Stage'

/** What a deal's stage is called, also where it has none. */
export function stageLabel(stageName: string | null): string {
  return stageName ?? noStage
}

/** What a deal shows of the stage that it is put into, or of none. */
export function shownStage(stage: { name: string; outcome: Outcome } | null | undefined): {
  stage_name: string | null
  outcome: Outcome
} {
  return { stage_name: stage?.name ?? null, outcome: stage?.outcome ?? 'open' }
}

/** A deal that should have been closed by now; `today` is the day on the user's calendar. */
export function isPastClose(
  deal: { expected_close_date: string | null; outcome: Outcome },
  today: string,
): boolean {
  const { expected_close_date, outcome } = deal
  return expected_close_date !== null && expected_close_date < today && outcome === 'open'
}

type Needy = { has_next: boolean; is_stale: boolean; touched_at: string }

/** Why an open deal needs a push: 'No next step', 'Untouched for 21 days', or both. */
export function attentionReason({ has_next, is_stale, touched_at }: Needy, now: number): string {
  const days = Math.floor((now - Date.parse(touched_at)) / 86_400_000)
  const reasons = [
    ...(has_next ? [] : ['no next step']),
    ...(is_stale ? [`untouched for ${counted(days, 'day')}`] : []),
  ].join(', ')
  return reasons.charAt(0).toUpperCase() + reasons.slice(1)
}

/** Why a deal was lost, for those who want to say it. */
export const lostReasonSchema = z.object({
  reason: optionalText('Reason', dealFields.lost_reason.max),
})

/** Which deals are meant, as the database's functions for pages, totals, board and bulk writes take it. */
export type DealFilter = {
  search?: string
  /** Only these. */
  ids?: string[]
  /** All but these. */
  except?: string[]
  pipeline?: string
  /** Ids, and 'none' for those without a stage. */
  stage?: string[]
  company?: string
  contact?: string
  value_from?: number
  value_to?: number
  /** First and last day, `YYYY-MM-DD`. */
  close_from?: string
  close_to?: string
}
