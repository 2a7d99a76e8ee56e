import type { Connection, ConnectionContextOptions, VarsContext } from '@supabase/lite'
import { sql } from 'kysely'
import { publicError } from './public-error.ts'

const roles = new Set(['anon', 'authenticated', 'service_role'])

type RequestAuth = { uid?: string | null; role?: string; jwt?: { session_id?: unknown } | null }

/** A database or transaction as the library types it: with the tables left open. */
export type AnyDatabase = Connection['kysely']

/**
 * Runs work as whoever asks: one transaction, and one statement that tells the database the role,
 * the claims and the request.
 *
 * The library's own version is not used because it grants everything on every table to every role
 * at the first request, which would undo the column rights of our migrations, and because it takes
 * one round trip a setting.
 */
export async function runAsRequest<T>(
  kysely: AnyDatabase,
  vars: VarsContext | undefined,
  work: (db: AnyDatabase) => Promise<T>,
  options: ConnectionContextOptions | undefined,
): Promise<T> {
  const inTransaction = async (transaction: AnyDatabase) => {
    if (vars) await applyRequest(transaction, vars, options?.rpc)
    return work(transaction)
  }
  return options?.transaction
    ? inTransaction(options.transaction)
    : kysely.transaction().execute(inTransaction)
}

async function applyRequest(
  transaction: AnyDatabase,
  vars: VarsContext,
  rpc: ConnectionContextOptions['rpc'],
): Promise<void> {
  const auth: RequestAuth = vars.auth ?? {}
  const role = auth.role ?? 'anon'
  if (!roles.has(role)) throw publicError(403, '42501', 'This role does not exist.')
  const sessionId = String(auth.jwt?.session_id ?? '')
  // The library trusts a token until it expires; a session that was ended must count at once. It is
  // looked up with the rights of the connection, which this same statement gives away at its end.
  const { rows } = await sql<{ is_live: boolean }>`select
    exists (
      select from auth.sessions s
      where s.id = nullif(${sessionId}, '')::uuid and s.user_id = nullif(${auth.uid ?? ''}, '')::uuid
    ) as is_live,
    set_config('request.jwt.claim.sub', ${auth.uid ?? ''}, true),
    set_config('request.jwt.claim.role', ${role}, true),
    set_config('request.jwt.claims', ${JSON.stringify(auth.jwt ?? {})}, true),
    set_config('request.method', ${rpc?.method ?? ''}, true),
    set_config('request.path', ${rpc?.path ?? ''}, true),
    set_config('request.headers', ${JSON.stringify(rpc?.requestHeaders ?? {})}, true),
    set_config('response.status', '', true),
    set_config('response.headers', '', true),
    set_config('transaction_read_only', ${rpc?.readOnly ? 'on' : 'off'}, true),
    set_config('role', ${role}, true)`.execute(transaction)
  if (role === 'authenticated' && !rows[0]?.is_live) {
    throw publicError(401, 'PGRST301', 'Your session has ended. Please sign in again.')
  }
}
