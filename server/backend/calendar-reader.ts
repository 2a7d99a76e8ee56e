import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import type { CalendarEvents } from '../calendar-file.ts'
import { answersInTime } from './health.ts'
import { DatabaseAway, isUnreachable } from './public-error.ts'
import { withShare } from './request-share.ts'
import type { WorkInParts } from './work-in-parts.ts'

type Parts = { connection: Connection; work: WorkInParts | null; limit: number }

/** Reads the events of the calendar with a token; null when there is none. Throws {@link DatabaseAway}. */
export function calendarReader({ connection, work, limit }: Parts) {
  return (token: string): Promise<CalendarEvents | null> =>
    withShare({ who: 'calendars', limit }, () => readWhole(connection, token, work)).catch(
      async (error: unknown) => {
        const isAway = isUnreachable(error) || !(await answersInTime(connection))
        throw isAway ? new DatabaseAway() : error
      },
    )
}

/** Reads with `service_role`, because a calendar program has the token but no session. */
async function readWhole(
  connection: Connection,
  token: string,
  work: WorkInParts | null,
): Promise<CalendarEvents | null> {
  const read = () =>
    connection.withContext({ auth: { role: 'service_role' } }, async (db) => {
      const { rows } = await sql<{ events: CalendarEvents | null }>`
        select public.calendar_events(${token}) as events`.execute(db)
      return { events: rows[0]?.events ?? null, unfinished: await work?.unfinishedOf(token, db) }
    })
  const first = await read()
  if (!work || !first.unfinished) return first.events
  // A half-written import, for instance, must not show in a calendar.
  await work.settled(first.unfinished)
  const second = await read()
  if (second.unfinished) throw new DatabaseAway()
  return second.events
}
