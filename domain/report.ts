import { z } from 'zod/mini'
import { dayInYear, longDay, monthName } from './dates.ts'
import { outcomes } from './deal.ts'
import { shownNumber } from './figures.ts'

/** The filter of the database's `report`. */
export type ReportFilter = {
  pipeline?: string
  /** Ids, and 'none' for deals without a stage. */
  stage?: string[]
  /** First and last day, `YYYY-MM-DD`. */
  from?: string
  to?: string
}

const text = z.nullable(z.string())

/** A deal in one of the lists. */
const reportDeal = z.object({
  id: z.string(),
  name: z.string(),
  value: z.number(),
  currency: text,
  expected_close_date: text,
  created_at: z.string(),
  stage_name: text,
  outcome: z.enum(outcomes),
  closed_at: text,
  company_name: text,
  contact: z.nullable(z.object({ first_name: text, last_name: text, email: text })),
})

export type ReportDeal = z.output<typeof reportDeal>

const forecastLine = z.object({
  kind: z.enum(['overdue', 'month', 'later', 'none']),
  /** The first day of the month, for kind 'month'. */
  month: text,
  count: z.number(),
  value: z.string(),
  weighted: z.string(),
})

type ForecastLine = z.output<typeof forecastLine>

/** Everything the reports show; money is text, days are `YYYY-MM-DD`. */
export const reportAnswer = z.object({
  day: z.string(),
  today: z.string(),
  contacts_added: z.number(),
  companies_added: z.number(),
  deals_created: z.number(),
  revenue_closed: z.string(),
  total_value: z.string(),
  total_deals: z.number(),
  active_deals: z.number(),
  upcoming_closes: z.number(),
  /** How many deals are in none of the sums, by their currencies. */
  uncounted: z.record(z.string(), z.number()),
  won: z.number(),
  lost: z.number(),
  /** From creation to closing of the won deals; null without any. */
  average_days: z.nullable(z.number()),
  median_days: z.nullable(z.number()),
  stages: z.array(
    z.object({ name: text, count: z.number(), value: z.string(), weighted: z.string() }),
  ),
  months: z.array(
    z.object({
      month: z.string(),
      won: z.number(),
      won_value: z.string(),
      lost: z.number(),
      lost_value: z.string(),
    }),
  ),
  forecast: z.array(forecastLine),
  conversion: z.object({
    pipeline: text,
    stages: z.array(z.object({ name: z.string(), reached: z.number() })),
  }),
  lost_reasons: z.array(z.object({ reason: text, count: z.number(), value: z.string() })),
  upcoming: z.array(reportDeal),
  deals: z.array(reportDeal),
  /** The activities of a week, by kind. */
  weeks: z.array(
    z.object({
      week: z.string(),
      note: z.number(),
      call: z.number(),
      meeting: z.number(),
      mail: z.number(),
      email: z.number(),
      task: z.number(),
    }),
  ),
})

export type Report = z.output<typeof reportAnswer>

/** The kinds of activities, in the order in which they show. */
export const activityKinds = [
  { kind: 'call', name: 'Calls' },
  { kind: 'meeting', name: 'Meetings' },
  { kind: 'mail', name: 'Emails sent' },
  { kind: 'email', name: 'Email drafts' },
  { kind: 'note', name: 'Notes' },
  { kind: 'task', name: 'Completed tasks' },
] as const

/** The share of won among closed deals, in whole percent; null without any. */
export function winRate({ won, lost }: { won: number; lost: number }): number | null {
  return won + lost === 0 ? null : Math.round((won / (won + lost)) * 100)
}

/** '34 days', '1 day', '0.5 days'; a dash where nothing is known. */
export function shownDays(days: number | null): string {
  if (days === null) return '–'
  return `${shownNumber(days, 1)} ${days === 1 ? 'day' : 'days'}`
}

type Step = { name: string; reached: number; rate: number | null }

/** For each stage how many deals reached it, and the percentage of the stage before. */
export function conversionSteps(stages: { name: string; reached: number }[]): Step[] {
  return stages.map(({ name, reached }, index) => {
    const before = stages[index - 1]?.reached
    return { name, reached, rate: before ? Math.round((reached / before) * 100) : null }
  })
}

/** 'Nov 2026'. */
export function monthLabel(day: string): string {
  return monthName(day)
}

/** 'Nov 9': the first day of a week. */
export function weekLabel(day: string): string {
  return dayInYear(`${day}T12:00:00Z`, 'UTC')
}

const otherForecasts = { overdue: 'Overdue', later: 'Later', none: 'No date' }

/** 'Nov 2026', 'Overdue', 'Later', 'No date'. */
export function forecastLabel({ kind, month }: Pick<ForecastLine, 'kind' | 'month'>): string {
  return kind === 'month' ? monthLabel(month ?? '') : otherForecasts[kind]
}

/** The label of a reason for losses, also for none. */
export function reasonLabel(reason: string | null): string {
  return reason ?? 'No reason given'
}

/** 'November 15, 2026' of a day of the calendar. */
export function longDate(day: string): string {
  return longDay(`${day}T12:00:00Z`, 'UTC')
}
