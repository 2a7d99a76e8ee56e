import { type ClosedOutcome, closedStages } from './deal.ts'
import { readCell } from './fields/cells.ts'
import { dealFields } from './fields/deals.ts'
import { closeDateNames, closedTimes } from './fields/headers.ts'
import { isNamed } from './import-headers.ts'
import type { ImportPlan } from './import-plan.ts'
import { isOpenWord, outcomeOfStage, stageOf } from './import-stage.ts'
import { dayIn, excelDay, momentIn } from './import-values.ts'

/** When deals were closed of which the file does not say it, as the user answers. */
export type ClosingAnswer = {
  by: 'expected close' | 'created' | 'day' | 'left out'
  /** The day for all, or for those that have no such date; null leaves these out. */
  day: string | null
}

/** How many rows close a deal and do not say when, and how many of them say something near it. */
export type Undated = { rows: number; expected: number; created: number }

/** What a row says of the end of its deal. */
export type Closing = {
  stage: string
  outcome: ClosedOutcome | null
  /** Another stage that the file says. */
  overruled: string | null
  /** The column whose time closed the deal, where neither stage nor status did. */
  by: string | null
  /** When the deal was closed; null where the row does not say it. */
  moment: string | null
  /** Used where the row gives no time; a deal that is closed already keeps its own. */
  otherwise: string | null
  /** Times that are not when it was closed, with their headers. */
  others: string[]
}

/** Why a deal is refused. */
export const undatedProblem = 'The deal is won or lost, but the row doesn’t say when.'

type Time = { header: string; text: string; moment: string; outcome: ClosedOutcome | null }

/** A cell that is no time is told with its field. */
type Problem = { problem: string }

/** Reads how a deal ended, and when. */
export function closingOf(row: string[], plan: ImportPlan): Closing | Problem {
  const [fileStage, status] = [textOf(row, plan, 'stage'), textOf(row, plan, 'status')]
  const told = stageOf(fileStage, status, plan.isOwn)
  const times = timesIn(row, plan)
  if ('problem' in times) return times
  const reported = outcomeOfStage(told.stage)
  const ended = reported === null && !isOpenWord(status) ? newest(times) : null
  const outcome = reported ?? ended?.outcome ?? null
  const time =
    outcome &&
    (times.find((each) => each.outcome === outcome) ??
      times.find((each) => each.outcome === null) ??
      times[0])
  // Of a deal that is there a row need not name the stage.
  const unsaid = fileStage === '' && status === '' && !time ? times[0] : null
  const isOverruled = told.isOverruled || (ended !== null && told.stage !== '')
  return {
    stage: ended?.outcome ? closedStages[ended.outcome] : told.stage,
    outcome,
    overruled: isOverruled ? fileStage : null,
    by: ended?.header ?? null,
    moment: (time || unsaid)?.moment ?? null,
    otherwise: outcome && !time ? closeDay(row, plan) : null,
    others: times.filter((each) => each !== time).map(({ header, text }) => `${header}: ${text}`),
  }
}

/** The rows that close a deal without saying when. */
export function undatedIn(
  rows: { cells: string[]; problem?: string }[],
  plan: ImportPlan,
): Undated | null {
  if (plan.kind !== 'deals') return null
  const undated = { rows: 0, expected: 0, created: 0 }
  for (const { cells, problem } of rows) {
    if (problem || (plan.mapping.includes('name') && textOf(cells, plan, 'name') === '')) continue
    const closing = closingOf(cells, plan)
    if ('problem' in closing || !closing.outcome || closing.moment || closing.otherwise) continue
    undated.rows += 1
    if (answered(cells, plan, 'expected close')) undated.expected += 1
    if (answered(cells, plan, 'created')) undated.created += 1
  }
  return undated.rows > 0 ? undated : null
}

/** When a deal was closed as the user answered; null where the answer leaves it out. */
export function answeredMoment(row: string[], plan: ImportPlan): string | null {
  const { closing } = plan
  if (!closing || closing.by === 'left out') return null
  const own = closing.by === 'day' ? null : answered(row, plan, closing.by)
  return own ?? (closing.day && momentIn(closing.day, 'day first', plan.timeZone))
}

/** Why the rows cannot be checked yet; null when they can. */
export function closingProblem(
  undated: Undated | null,
  closing: ClosingAnswer | null,
): string | null {
  if (!undated) return null
  // The column by which it was answered may fill something else by now.
  const isGone =
    (closing?.by === 'expected close' && undated.expected === 0) ||
    (closing?.by === 'created' && undated.created === 0)
  if (!closing || isGone) return 'Choose when these deals were closed.'
  return closing.by === 'day' && !closing.day ? 'Choose the day on which they were closed.' : null
}

function answered(
  row: string[],
  plan: ImportPlan,
  by: 'expected close' | 'created',
): string | null {
  if (by === 'expected close') return past(dayOf(row, plan, 'expected_close_date'), plan)
  const created = textOf(row, plan, 'created_at')
  return created === '' ? null : momentIn(created, plan.dayOrder, plan.timeZone)
}

/** `Close Date` says of a closed deal when it was closed; `Expected Close Date` does not. */
function closeDay(row: string[], plan: ImportPlan): string | null {
  const header = plan.columns[plan.mapping.indexOf('expected_close_date')] ?? ''
  const day = isNamed(header, closeDateNames) ? dayOf(row, plan, 'expected_close_date') : null
  if (past(day, plan) === null) return null
  // The day of an open deal has no time, but that of a closed one may say it.
  return momentIn(textOf(row, plan, 'expected_close_date'), plan.dayOrder, plan.timeZone)
}

function dayOf(row: string[], plan: ImportPlan, field: string): string | null {
  const text = textOf(row, plan, field)
  return text === '' ? null : dayIn(text, plan.dayOrder)
}

/** Noon of a day; null of one that has not come. */
function past(day: string | null, { today, timeZone }: ImportPlan): string | null {
  if (day === null || (today !== '' && day > today)) return null
  return momentIn(day, 'day first', timeZone)
}

/** The first cell of a field that says something. */
function textOf(row: string[], plan: ImportPlan, field: string): string {
  for (const [place, name] of plan.mapping.entries()) {
    const text = name === field ? cellAt(row, place, plan) : ''
    if (text !== '') return text
  }
  return ''
}

function cellAt(row: string[], place: number, { excelDays }: ImportPlan): string {
  const text = (row[place] ?? '').trim()
  return excelDays.includes(place) ? (excelDay(text) ?? text) : text
}

function timesIn(row: string[], plan: ImportPlan): Time[] | Problem {
  const times: Time[] = []
  for (const [place, name] of plan.mapping.entries()) {
    const text = name === 'closed_at' ? cellAt(row, place, plan) : ''
    if (text === '') continue
    const read = readCell(dealFields.closed_at, text, plan)
    if ('problem' in read) return read
    const header = plan.columns[place] ?? ''
    // What the cell of a moment reads is one.
    times.push({ header, text, moment: String(read.value), outcome: outcomeOfColumn(header) })
  }
  return times
}

function outcomeOfColumn(header: string): ClosedOutcome | null {
  if (isNamed(header, closedTimes.won)) return 'won'
  return isNamed(header, closedTimes.lost) ? 'lost' : null
}

/** The last time that says how the deal ended. */
function newest(times: Time[]): Time | null {
  const telling = times.filter(({ outcome }) => outcome !== null)
  return telling.toSorted((one, other) => (one.moment < other.moment ? 1 : -1))[0] ?? null
}
