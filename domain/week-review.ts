import { z } from 'zod/mini'
import { counted } from './counted.ts'
import { dayInYear, shownDate, shownDay } from './dates.ts'
import { daysAfter } from './local-time.ts'
import { longestLink } from './mail-merge.ts'
import { mailtoLink } from './mailto.ts'
import { shownMoney } from './money.ts'

const text = z.nullable(z.string())

/** What was won, lost, added and done in a period; money is text. */
const periodFigures = z.object({
  won: z.number(),
  won_value: z.string(),
  lost: z.number(),
  lost_value: z.string(),
  deals: z.number(),
  deals_value: z.string(),
  contacts: z.number(),
  companies: z.number(),
  calls: z.number(),
  meetings: z.number(),
  /** Drafts that were opened in a mail app. */
  emails: z.number(),
  /** Emails that were sent, as the user's mailboxes show. */
  mails: z.number(),
  tasks: z.number(),
})

export type PeriodFigures = z.output<typeof periodFigures>

/** The figures of a period and of the one before. */
export const comparison = z.object({ now: periodFigures, before: periodFigures })

export type Comparison = z.output<typeof comparison>

const dealLine = z.object({
  id: z.string(),
  name: z.string(),
  value: z.number(),
  currency: text,
  company_name: text,
  expected_close_date: text,
  lost_reason: text,
  /** Of a deal that moved: the stages; null is none. */
  from: z.optional(text),
  to: z.optional(text),
})

export type ReviewDeal = z.output<typeof dealLine>

const taskLine = z.object({ id: z.string(), title: z.string(), due_date: text, about: text })

export type ReviewTask = z.output<typeof taskLine>

const callLine = z.object({
  id: z.string(),
  body: text,
  outcome: text,
  happened_at: z.string(),
  kind: z.nullable(z.enum(['contacts', 'companies', 'deals'])),
  record_id: text,
  name: text,
})

export type ReviewCall = z.output<typeof callLine>

const deals = z.object({ total: z.number(), rows: z.array(dealLine) })
const tasks = z.object({ total: z.number(), rows: z.array(taskLine) })

/** The answer of the database's `week_review`: at most 20 lines each, with the whole number. */
export const weekReview = z.object({
  first_day: z.string(),
  last_day: z.string(),
  today: z.string(),
  figures: periodFigures,
  before: periodFigures,
  won: deals,
  lost: deals,
  moved: deals,
  new: deals,
  late_deals: deals,
  next_deals: deals,
  late_tasks: tasks,
  next_tasks: tasks,
  calls: z.object({ total: z.number(), rows: z.array(callLine) }),
})

export type WeekReview = z.output<typeof weekReview>

/** The rows of the comparison: won first, activities last. */
export const comparedFigures: {
  name: string
  figure: keyof PeriodFigures
  isMoney?: true
  /** Less of it is better. */
  isLoss?: true
}[] = [
  { name: 'Won', figure: 'won_value', isMoney: true },
  { name: 'Deals won', figure: 'won' },
  { name: 'Deals lost', figure: 'lost', isLoss: true },
  { name: 'New deals', figure: 'deals' },
  { name: 'Value of new deals', figure: 'deals_value', isMoney: true },
  { name: 'New contacts', figure: 'contacts' },
  { name: 'New companies', figure: 'companies' },
  { name: 'Calls', figure: 'calls' },
  { name: 'Meetings', figure: 'meetings' },
  { name: 'Emails sent', figure: 'mails' },
  { name: 'Email drafts', figure: 'emails' },
  { name: 'Tasks completed', figure: 'tasks' },
]

/** 'Nov 16 – Nov 22, 2026'. */
export function daysName({ first_day, last_day }: Pick<WeekReview, 'first_day' | 'last_day'>) {
  return `${dayInYear(`${first_day}T12:00:00Z`, 'UTC')} – ${shownDate(last_day)}`
}

/** What a week and the one before it are called, as one says it today: 'This week' and 'Last week', or their days. */
export function weekNames({ first_day: first, today }: Pick<WeekReview, 'first_day' | 'today'>) {
  if (first <= today && today < daysAfter(first, 7))
    return { now: 'This week', before: 'Last week' }
  const isLast = first <= today && today < daysAfter(first, 14)
  return { now: isLast ? 'Last week' : weekFrom(first), before: weekFrom(daysAfter(first, -7)) }
}

/** 'Nov 9 – Nov 15'. */
function weekFrom(first: string): string {
  const [from, to] = [first, daysAfter(first, 6)].map((day) => dayInYear(`${day}T12:00:00Z`, 'UTC'))
  return `${from} – ${to}`
}

/** How many lines of each part a mail has, so that its link stays short enough for mail programs. */
const linesInMail = [8, 4, 2, 0]

/** A mail with the week in plain text, as a link: the parts get shorter until it fits. */
export function reviewMail(review: WeekReview, to: string, timeZone: string): string {
  const links = linesInMail.map((lines) =>
    mailtoLink({
      to,
      subject: `Week in review, ${daysName(review)}`,
      body: reviewText(review, lines, timeZone),
    }),
  )
  return links.find((link) => link.length <= longestLink) ?? (links.at(-1) as string)
}

/** The week in plain text, with at most so many lines of each part. */
export function reviewText(review: WeekReview, lines: number, timeZone: string): string {
  const { figures } = review
  const deal = ({ name, value, currency }: ReviewDeal) =>
    `${short(name)}, ${shownMoney(value, currency)}`
  const task = ({ title, due_date }: ReviewTask) =>
    `${short(title)}${due_date ? `, ${shownDay(due_date, timeZone)}` : ''}`
  const part = <Row>(
    title: string,
    { total, rows }: { total: number; rows: Row[] },
    line: (row: Row) => string,
  ) => {
    const shown = rows.slice(0, lines)
    const rest = total - shown.length
    const more = rest > 0 && shown.length > 0 ? [`- and ${rest} more`] : []
    return [`${title}: ${total}`, ...shown.map((row) => `- ${line(row)}`), ...more].join('\n')
  }
  return [
    `Won: ${shownMoney(figures.won_value)} (${counted(figures.won, 'deal')})`,
    part('Won deals', review.won, deal),
    part('Lost', review.lost, deal),
    part('Moved', review.moved, (row) => `${short(row.name)}: ${row.to ?? 'No Stage'}`),
    part('New deals', review.new, deal),
    `Calls made: ${figures.calls}`,
    part('Slipped deals', review.late_deals, deal),
    part('Slipped tasks', review.late_tasks, task),
    part('Closing next week', review.next_deals, deal),
    part('Due next week', review.next_tasks, task),
  ].join('\n\n')
}

function short(words: string): string {
  return words.length > 60 ? `${words.slice(0, 59)}…` : words
}
