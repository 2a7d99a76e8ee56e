import type { Connection, ConnectionContextOptions, VarsContext } from '@supabase/lite'
import { CompiledQuery } from 'kysely'
import { publicError } from './public-error.ts'
import { currentShare } from './request-share.ts'

const roles = new Set(['anon', 'authenticated', 'service_role'])

type RequestAuth = { uid?: string | null; role?: string; jwt?: { session_id?: unknown } | null }

/** A database or transaction as the library types it: with the tables left open. */
export type AnyDatabase = Connection['kysely']

/**
 * Runs work as the caller: in one transaction, after one statement that sets the role, the claims and the
 * request.
 *
 * The library's own version is not used: it grants everything on every table to every role at the first request,
 * which would undo the column rights of our migrations, and it takes one round trip per setting.
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
    if (vars) await transaction.executeQuery(settingsOf(vars, options?.rpc, statementTimeout))
    return work(transaction)
  }
  return options?.transaction
    ? inTransaction(options.transaction)
    : kysely.transaction().execute(inTransaction)
}

/**
 * The library trusts a token until it expires, but an ended session must be refused at once. So this statement
 * looks it up, with the rights of the connection, before it changes the role.
 */
const settings = (admission: string) => `select
  ${admission},
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

const admitted = settings('private.admit($1, $2)')
const withoutSession = settings('$1::text')

/**
 * The first statement of a request's transaction.
 *
 * @param statementTimeout in milliseconds; 0 for none
 */
export function settingsOf(
  vars: VarsContext,
  rpc: ConnectionContextOptions['rpc'],
  statementTimeout: number,
): CompiledQuery {
  const auth: RequestAuth = vars.auth ?? {}
  const role = auth.role ?? 'anon'
  if (!roles.has(role)) throw publicError(403, '42501', 'This role does not exist.')
  return CompiledQuery.raw(role === 'authenticated' ? admitted : withoutSession, [
    String(auth.jwt?.session_id ?? ''),
    auth.uid ?? '',
    role,
    JSON.stringify(auth.jwt ?? {}),
    rpc?.method ?? '',
    rpc?.path ?? '',
    JSON.stringify(rpc?.requestHeaders ?? headersOfWindow()),
    rpc?.readOnly ? 'on' : 'off',
    String(statementTimeout),
  ])
}

const windowHeader = 'x-solo-window'

/** The window in the headers of a request, if its name has the shape that the database accepts. */
export function windowOf(headers: Headers): string | undefined {
  return /^[A-Za-z0-9_-]{8,40}$/.exec(headers.get(windowHeader) ?? '')?.[0]
}

/**
 * The library passes headers on for calls of functions only; the database must know the window of every write, to spare
 * it the news of what it has written itself.
 */
function headersOfWindow(): Record<string, string> {
  const { window } = currentShare()
  return window ? { [windowHeader]: window } : {}
}
