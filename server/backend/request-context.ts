import type { Connection, ConnectionContextOptions, VarsContext } from '@supabase/lite'
import { CompiledQuery } from 'kysely'
import { publicError } from './public-error.ts'

const roles = new Set(['anon', 'authenticated', 'service_role'])

type RequestAuth = { uid?: string | null; role?: string; jwt?: { session_id?: unknown } | null }

type Found = { is_live: boolean; unfinished: string | null }

/** A database or transaction as the library types it: with the tables left open. */
export type AnyDatabase = Connection['kysely']

/**
 * Runs work as whoever asks: one transaction, and one statement that tells the database the role,
 * the claims and the request.
 *
 * The library's own version is not used because it grants everything on every table to every role
 * at the first request, which would undo the column rights of our migrations, and because it takes
 * one round trip a setting.
 *
 * @param statementTimeout in milliseconds; 0 for none
 */
export async function runAsRequest<T>(
  kysely: AnyDatabase,
  vars: VarsContext | undefined,
  work: (db: AnyDatabase) => Promise<T>,
  options: ConnectionContextOptions | undefined,
  statementTimeout: number,
): Promise<T> {
  const inTransaction = async (transaction: AnyDatabase) => {
    const isGuarded = guarded.has(kysely)
    if (vars) await applyRequest(transaction, vars, options?.rpc, { statementTimeout, isGuarded })
    return work(transaction)
  }
  return options?.transaction
    ? inTransaction(options.transaction)
    : kysely.transaction().execute(inTransaction)
}

const guarded = new WeakSet<AnyDatabase>()

/** From now on refuses requests of an account whose long work is done half, see `WorkInParts`. */
export function guardUnfinishedWork(kysely: AnyDatabase): void {
  guarded.add(kysely)
}

const unfinishedWords: Record<string, string> = {
  commit_import: 'Your import is just being written. Try again in a moment.',
  undo_batch: 'An undo is just being done. Try again in a moment.',
  finish_restore: 'Your backup is just being restored. Try again in a moment.',
}

/**
 * The library trusts a token until it expires; a session that was ended must count at once. It is looked
 * up with the rights of the connection, which this same statement gives away at its end.
 */
const settings = (unfinished: string) => `select
  ${unfinished} as unfinished,
  exists (
    select from auth.sessions s
    where s.id = nullif($1, '')::uuid and s.user_id = nullif($2, '')::uuid
  ) as is_live,
  set_config('request.jwt.claim.sub', $2, true),
  set_config('request.jwt.claim.role', $3, true),
  set_config('request.jwt.claims', $4, true),
  set_config('request.method', $5, true),
  set_config('request.path', $6, true),
  set_config('request.headers', $7, true),
  set_config('response.status', '', true),
  set_config('response.headers', '', true),
  set_config('transaction_read_only', $8, true),
  set_config('statement_timeout', $9, true),
  set_config('role', $3, true)`

const plainSettings = settings('null')
const guardedSettings = settings(
  `(select w.name from private.unfinished_work w where w.user_id = nullif($2, '')::uuid)`,
)

async function applyRequest(
  transaction: AnyDatabase,
  vars: VarsContext,
  rpc: ConnectionContextOptions['rpc'],
  { statementTimeout, isGuarded }: { statementTimeout: number; isGuarded: boolean },
): Promise<void> {
  const auth: RequestAuth = vars.auth ?? {}
  const role = auth.role ?? 'anon'
  if (!roles.has(role)) throw publicError(403, '42501', 'This role does not exist.')
  const sessionId = String(auth.jwt?.session_id ?? '')
  const text = isGuarded ? guardedSettings : plainSettings
  const query: CompiledQuery<Found> = CompiledQuery.raw(text, [
    sessionId,
    auth.uid ?? '',
    role,
    JSON.stringify(auth.jwt ?? {}),
    rpc?.method ?? '',
    rpc?.path ?? '',
    JSON.stringify(rpc?.requestHeaders ?? {}),
    rpc?.readOnly ? 'on' : 'off',
    String(statementTimeout),
  ])
  const { rows } = await transaction.executeQuery(query)
  const [found] = rows
  if (role !== 'authenticated') return
  if (!found?.is_live) {
    throw publicError(401, 'PGRST301', 'Your session has ended. Please sign in again.')
  }
  if (found.unfinished !== null) {
    const words = unfinishedWords[found.unfinished] ?? 'Try again in a moment.'
    throw publicError(503, '55P03', words, { 'Retry-After': '1' })
  }
}
