import { formatter } from './dates.ts'
import type { Outcome } from './deal.ts'

/** Which part of the deals, and of time, a report is about, as the database's `report` takes it. */
export type ReportFilter = {
  pipeline?: string
  /** Ids, and 'none' for deals without a stage. */
  stage?: string[]
  /** First and last day, `YYYY-MM-DD`. */
  from?: string
  to?: string
}

/** A deal in one of the lists. */
export type ReportDeal = {
  id: string
  name: string
  value: number
  expected_close_date: string | null
  created_at: string
  stage_name: string | null
  outcome: Outcome
  company_name: string | null
  contact: { first_name: string | null; last_name: string | null; email: string | null } | null
}

/** Everything the reports show; money is text, days are `YYYY-MM-DD`. */
export type Report = {
  day: string
  today: string
  contacts_added: number
  companies_added: number
  deals_created: number
  revenue_closed: string
  total_value: string
  total_deals: number
  active_deals: number
  upcoming_closes: number
  won: number
  lost: number
  /** Of the deals that were won, from creation to closing; null when there are none. */
  average_days: number | null
  median_days: number | null
  stages: { name: string | null; count: number; value: string; weighted: string }[]
  months: { month: string; won: number; won_value: string; lost: number; lost_value: string }[]
  forecast: ForecastLine[]
  conversion: { pipeline: string | null; stages: { name: string; reached: number }[] }
  lost_reasons: { reason: string | null; count: number; value: string }[]
  upcoming: ReportDeal[]
  deals: ReportDeal[]
  weeks: ReportWeek[]
}

type ForecastLine = {
  kind: 'overdue' | 'month' | 'later' | 'none'
  /** The first day of the month, where it is one. */
  month: string | null
  count: number
  value: string
  weighted: string
}

/** What was done in a week, by kind. */
type ReportWeek = {
  week: string
  note: number
  call: number
  meeting: number
  email: number
  task: number
}

/** The kinds of activities, in the order in which they show. */
export const activityKinds = [
  { kind: 'call', name: 'Calls' },
  { kind: 'meeting', name: 'Meetings' },
  { kind: 'email', name: 'E-mails' },
  { kind: 'note', name: 'Notes' },
  { kind: 'task', name: 'Completed tasks' },
] as const

/** Won of all that were closed, in whole percent; null when none was. */
export function winRate({ won, lost }: { won: number; lost: number }): number | null {
  return won + lost === 0 ? null : Math.round((won / (won + lost)) * 100)
}

/** '34 days', '1 day', '0.5 days'; a dash where nothing is known. */
export function shownDays(days: number | null): string {
  if (days === null) return '–'
  return `${days.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${days === 1 ? 'day' : 'days'}`
}

type Step = { name: string; reached: number; rate: number | null }

/** Each stage with how many reached it, and how many percent of those at the stage before. */
export function conversionSteps(stages: { name: string; reached: number }[]): Step[] {
  return stages.map(({ name, reached }, index) => {
    const before = stages[index - 1]?.reached
    return { name, reached, rate: before ? Math.round((reached / before) * 100) : null }
  })
}

/** 'Nov 2026'. */
export function monthLabel(day: string): string {
  return asDay(day, { month: 'short', year: 'numeric' })
}

/** 'Nov 9': the first day of a week. */
export function weekLabel(day: string): string {
  return asDay(day, { month: 'short', day: 'numeric' })
}

const otherForecasts = { overdue: 'Overdue', later: 'Later', none: 'No date' }

/** 'Nov 2026', 'Overdue', 'Later', 'No date'. */
export function forecastLabel({ kind, month }: Pick<ForecastLine, 'kind' | 'month'>): string {
  return kind === 'month' ? monthLabel(month ?? '') : otherForecasts[kind]
}

/** Why deals were lost, also where nobody said so. */
export function reasonLabel(reason: string | null): string {
  return reason ?? 'No reason given'
}

/** 'November 15, 2026' of a day of the calendar. */
export function longDate(day: string): string {
  return asDay(day, { year: 'numeric', month: 'long', day: 'numeric' })
}

function asDay(day: string, options: Intl.DateTimeFormatOptions): string {
  // Noon in UTC of the calendar's own day: the time zone has been reckoned with already.
  return formatter('en-US', { timeZone: 'UTC', ...options }).format(new Date(`${day}T12:00:00Z`))
}
