import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'

/** How long one statement of a request may take, in milliseconds. */
export type StatementLimits = { usual: number; ofFunctions: ReadonlyMap<string, number> }

/**
 * Reads the time limits of functions from their `set statement_timeout`, which hosted Supabase applies to calls
 * too.
 */
export async function readStatementLimits(
  connection: Connection,
  usual: number,
): Promise<StatementLimits> {
  const { rows } = await sql<{ name: string; limit: number }>`
    select p.proname as name,
      (extract(epoch from split_part(setting, '=', 2)::interval) * 1000)::int as limit
    from pg_proc p cross join unnest(p.proconfig) setting
    where p.pronamespace = 'public'::regnamespace and setting like 'statement_timeout=%'`.execute(
    connection.kysely,
  )
  return { usual, ofFunctions: new Map(rows.map(({ name, limit }) => [name, limit])) }
}

export function limitOf({ usual, ofFunctions }: StatementLimits, path: string): number {
  const [, name = ''] = /^\/rest\/v1\/rpc\/([a-z0-9_]+)$/.exec(path) ?? []
  return Math.max(usual, ofFunctions.get(name) ?? 0)
}
