import { dayOf } from './dates.ts'
import { type Clock, findTime, withDaysWritten } from './quick-add-time.ts'
import { withDaysCorrected } from './quick-add-typos.ts'

/** What the words of a next step say: the day, and the words without it. */
export type StepWords = { day: string; title: string }

/**
 * The day that these words name, read as quick add reads a line: 'Send offer Thursday' is 'Send offer' on Thursday. An
 * hour stays in the words, because a step is due on a whole day. Null where they name no day.
 */
export function readStep(words: string, clock: Clock): StepWords | null {
  const typed = words.trim()
  // The reader looks for spaces around a day.
  const line = withDaysWritten(withDaysCorrected(` ${typed} `), clock)
  const time = findTime(line, clock)
  if (!time) return null
  const day = dayOf(time.moment, clock.timeZone)
  const rest = `${line.slice(0, time.index)} ${line.slice(time.index + time.text.length)}`
  const title = rest.replaceAll(/\s+/g, ' ').trim()
  return { day, title: time.isWholeDay && title !== '' ? title : typed }
}
