import { sql } from 'kysely'
import type { RequestConnection } from './connections.ts'
import { answersInTime } from './health.ts'
import { DatabaseAway, isUnreachable } from './public-error.ts'
import { withShare } from './request-share.ts'

/** Asks the database for one value, as the server itself. Throws {@link DatabaseAway}. */
export type ServerCall = <Answer>(
  who: string,
  statement: ReturnType<typeof sql>,
  /** Done in the same transaction, as the server itself. */
  then?: (answer: Answer, db: Parameters<ReturnType<typeof sql>['execute']>[0]) => Promise<void>,
) => Promise<Answer>

/**
 * For requests without a session: forms that strangers fill in, address books, programs that connect.
 * @param limit how long one statement may take, in milliseconds
 */
export function serverCalls(connection: RequestConnection, limit: number): ServerCall {
  return async (who, statement, then) => {
    try {
      return await withShare({ who, limit }, () =>
        connection.withContext({ auth: { role: 'service_role' } }, async (db) => {
          const { rows } = await statement.execute(db)
          // Each statement has one row with one column.
          const { answer } = rows[0] as { answer: Parameters<NonNullable<typeof then>>[0] }
          if (then) {
            // Returns to the rights of the connection, whatever role the statement has set.
            await sql`select set_config('role', 'none', true)`.execute(db)
            await then(answer, db)
          }
          return answer
        }),
      )
    } catch (error) {
      if (chosenAnswer(error)?.status === 503) throw new DatabaseAway()
      const isAway = isUnreachable(error) || !(await answersInTime(connection))
      throw isAway ? new DatabaseAway() : error
    }
  }
}

/** The answer that the database itself chose for a refusal, as PostgREST would send it. */
export function chosenAnswer(error: unknown): Response | null {
  const { code, message, detail } = Object(error) as Record<string, unknown>
  const [, status] = /^PT(\d{3})$/.exec(String(code)) ?? []
  if (status) return Response.json({ message }, { status: Number(status) })
  if (code !== 'PGRST') return null
  const { status: chosen } = JSON.parse(String(detail)) as { status: number }
  return new Response(String(message), { status: chosen })
}
