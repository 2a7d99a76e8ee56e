import { counted } from './counted.ts'
import { shownDate, shownDay } from './dates.ts'
import type { dealFields, dealFilters } from './fields/deals.ts'
import type { Chosen, FilterOf } from './fields/filters.ts'

/** The outcome of a deal is that of its stage in the database. A deal without a stage is open. */
export const outcomes = ['open', 'won', 'lost'] as const

export type Outcome = (typeof outcomes)[number]

export type ClosedOutcome = Exclude<Outcome, 'open'>

/** The names of the stages of closed deals, which never change. */
export const closedStages: Record<ClosedOutcome, string> = {
  won: 'Closed Won',
  lost: 'Closed Lost',
}

/** The outcome of a stage of which only the name is known: a new stage in a form, or an entry of the log. */
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

/** Shown for a deal without a stage. */
export const noStage = 'No Stage'

/** The name of a deal's stage, also for none. */
export function stageLabel(stageName: string | null): string {
  return stageName ?? noStage
}

/** The fields of a deal that follow from its stage. */
export function shownStage(stage: { name: string; outcome: Outcome } | null | undefined): {
  stage_name: string | null
  outcome: Outcome
} {
  return { stage_name: stage?.name ?? null, outcome: stage?.outcome ?? 'open' }
}

/** Whether an open deal is past its expected close; `today` is the day on the user's calendar. */
export function isPastClose(
  deal: { expected_close_date: string | null; outcome: Outcome },
  today: string,
): boolean {
  const { expected_close_date, outcome } = deal
  return expected_close_date !== null && expected_close_date < today && outcome === 'open'
}

type ClosingDeal = {
  expected_close_date: string | null
  outcome: Outcome
  closed_at: string | null
}

/** 'Won on Nov 18, 2026', 'Lost on …'; of an open deal when it is expected to close. */
export function closeWords(deal: ClosingDeal, timeZone: string): string {
  const { expected_close_date, outcome, closed_at } = deal
  if (outcome !== 'open') {
    const day = closed_at ? ` on ${shownDay(closed_at, timeZone)}` : ''
    return `${outcome === 'won' ? 'Won' : 'Lost'}${day}`
  }
  return expected_close_date ? `Closes ${shownDate(expected_close_date)}` : 'No close date'
}

type WatchedDeal = {
  outcome: Outcome
  next_task: object | null
  /** Somebody waits for an answer about it. */
  reply_waits?: boolean | undefined
  stage_since: string | null
  /** When it will have been in its stage for longer than deals usually are; null when it is closed or has no stage. */
  stalls_at: string | null
}

export type DealMark = { kind: 'no_next_step' | 'reply_waits' | 'stalled'; words: string }

/** What an open deal lacks: a next step, which may be to answer, or movement. */
export function dealMarks(deal: WatchedDeal, now: number): DealMark[] {
  const { outcome, next_task, reply_waits, stage_since, stalls_at } = deal
  if (outcome !== 'open') return []
  const since = Date.parse(stage_since ?? '')
  const until = Date.parse(stalls_at ?? '')
  // Right after a move, what is known of the stage before is over already.
  const isStalled = since < until && until < now
  return [
    ...(reply_waits ? [{ kind: 'reply_waits', words: 'Reply waiting' } as const] : []),
    ...(next_task || reply_waits ? [] : [{ kind: 'no_next_step', words: 'No next step' } as const]),
    ...(isStalled ? [{ kind: 'stalled', words: `Stalled: ${inStage(since, now)}` } as const] : []),
  ]
}

function inStage(since: number, now: number): string {
  return `${counted(Math.floor((now - since) / 86_400_000), 'day')} in this stage`
}

type NeedsAttention = { has_next: boolean; is_stale: boolean; stage_since: string | null }

/** Why an open deal needs attention: 'No next step', '21 days in this stage', or both. */
export function attentionReason(
  { has_next, is_stale, stage_since }: NeedsAttention,
  now: number,
): string {
  return [
    ...(has_next ? [] : ['No next step']),
    ...(is_stale ? [inStage(Date.parse(stage_since ?? ''), now)] : []),
  ].join(', ')
}

/** A filter of deals, as the database's functions for pages, totals, board and bulk writes take it. */
export type DealFilter = Chosen & FilterOf<typeof dealFields, (typeof dealFilters)[number]>
