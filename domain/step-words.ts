import { localTimeOf } from './local-time.ts'
import { type Clock, findTime, withDaysWritten } from './quick-add-time.ts'
import { withDaysCorrected } from './quick-add-typos.ts'

/** What the words of a next step say: the day, the hour as `HH:mm` or nothing, and the words without them. */
export type StepWords = { day: string; time: string; title: string }

/**
 * The day and hour that these words name, read as quick add reads a line: 'Send offer Thursday' is 'Send offer' on Thursday.
 * Null where they name neither.
 */
export function readStep(words: string, clock: Clock): StepWords | null {
  const typed = words.trim()
  // The reader looks for spaces around a day.
  const line = withDaysWritten(withDaysCorrected(` ${typed} `), clock)
  const time = findTime(line, clock)
  if (!time) return null
  const [day = '', hour = ''] = localTimeOf(time.moment, clock.timeZone).split('T')
  const rest = `${line.slice(0, time.index)} ${line.slice(time.index + time.text.length)}`
  const title = rest.replaceAll(/\s+/g, ' ').trim()
  return { day, time: time.isWholeDay ? '' : hour, title: title || typed }
}
