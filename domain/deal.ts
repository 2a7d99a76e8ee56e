import { z } from 'zod'
import { counted } from './counted.ts'
import { dealFields, type dealFilters } from './fields/deals.ts'
import type { Chosen, FilterOf } from './fields/filters.ts'
import { optionalText } from './text-fields.ts'

/** Figures hang on these two, so they keep their names. */
export const wonStage = 'Closed Won'
export const lostStage = 'Closed Lost'

const stageColors: Record<string, string> = {
  Lead: 'blue',
  Qualified: 'violet',
  Proposal: 'orange',
  Negotiation: 'yellow',
  [wonStage]: 'green',
  [lostStage]: 'red',
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

/** A deal without a stage is active. */
export function isClosed(stageName: string | null): boolean {
  return stageName === wonStage || stageName === lostStage
}

/** A deal that should have been closed by now; `today` is the day on the user's calendar. */
export function isPastClose(
  deal: { expected_close_date: string | null; stage_name: string | null },
  today: string,
): boolean {
  const { expected_close_date, stage_name } = deal
  return expected_close_date !== null && expected_close_date < today && !isClosed(stage_name)
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
export type DealFilter = Chosen & FilterOf<typeof dealFields, (typeof dealFilters)[number]>
