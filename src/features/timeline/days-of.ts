import { dayOf } from '#domain/dates.ts'
import { dayHeading } from '#domain/day-heading.ts'
import { grouped } from '#lib/grouped.ts'

/**
 * Entries under the days they belong to. By the calendar: what is 'Today' is called otherwise after midnight, and
 * is the same day, so that a note edited in it stays open.
 */
export function daysOf<Entry extends { at: string }>(all: Entry[], now: number, timeZone: string) {
  return grouped(all, ({ at }) => dayOf(at, timeZone)).map(([day, entries]) => {
    const [first] = entries
    return { day, heading: first ? dayHeading(first.at, now, timeZone) : '', entries }
  })
}
