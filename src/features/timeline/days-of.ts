import { dayOf } from '#domain/dates.ts'
import { dayHeading } from '#domain/day-heading.ts'
import { grouped } from '#lib/grouped.ts'

/**
 * Groups entries by calendar day. The day is the key, not its heading: 'Today' changes at midnight, and a note that is
 * being edited must stay mounted.
 */
export function daysOf<Entry extends { at: string }>(all: Entry[], now: number, timeZone: string) {
  return grouped(all, ({ at }) => dayOf(at, timeZone)).map(([day, entries]) => {
    const [first] = entries
    return { day, heading: first ? dayHeading(first.at, now, timeZone) : '', entries }
  })
}
