import { createHash } from 'node:crypto'
import type { Connection } from '@supabase/lite'
import { CompiledQuery, sql } from 'kysely'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
} from 'rate-limiter-flexible'
import { withShare } from './request-share.ts'

/** Counts attempts of one kind, for each key: an account, an address. */
export type AttemptCounter = Pick<RateLimiterAbstract, 'consume'>

/** Makes counters that all server processes on a database share. */
export type SharedAttempts = (kind: string, points: number, seconds: number) => AttemptCounter

const schema = 'solo_server'
const table = 'attempts'
/** In milliseconds; then this process counts for itself. */
const limit = 3000

/**
 * Attempts to sign in, and the like, counted in the database, so that several server processes allow no more than one
 * would. While the database is away each counts for itself. Where a limit is reached, this process refuses without asking.
 */
export async function shareAttempts({ kysely }: Connection): Promise<SharedAttempts> {
  await sql`create schema if not exists ${sql.id(schema)}`.execute(kysely)
  await sql`revoke all on schema ${sql.id(schema)} from public`.execute(kysely)
  // Unlogged, so that no count waits for the disk. A crash of the database server resets the counts, which does no harm.
  await sql`create unlogged table if not exists ${sql.table(`${schema}.${table}`)} (
    key varchar(255) primary key, points integer not null default 0, expire bigint)`.execute(kysely)

  /** Without names for the statements, which the library gives: behind a pooler they would be unknown. */
  async function query({ text, values }: { text: string; values: unknown[] }) {
    const { rows } = await withShare({ who: 'attempts', limit }, () =>
      kysely.executeQuery(CompiledQuery.raw(text, values)),
    )
    return { rows, rowCount: rows.length }
  }

  return (kind, points, seconds) => {
    const counter = new RateLimiterPostgres({
      storeClient: { query },
      storeType: 'client',
      schemaName: schema,
      tableName: table,
      tableCreated: true,
      keyPrefix: kind,
      points,
      duration: seconds,
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: new RateLimiterMemory({ points, duration: seconds }),
    })
    return {
      // Hashed, so that the table is no list of addresses.
      consume: (key, spent, options) =>
        counter.consume(
          createHash('sha256').update(String(key)).digest('base64url'),
          spent,
          options,
        ),
    }
  }
}
