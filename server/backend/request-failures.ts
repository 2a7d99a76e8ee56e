import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogEvent } from 'kysely'

const requests = new AsyncLocalStorage<{ failure: unknown }>()

/**
 * Runs a request and keeps what the database last refused during it. The library answers many of these
 * refusals with a bare 500, or takes them for an empty database, and tells nobody the reason.
 */
export async function withFailure<T>(
  work: () => Promise<T>,
): Promise<{ result: T; failure: unknown }> {
  const request = { failure: null }
  const result = await requests.run(request, work)
  return { result, failure: request.failure }
}

export function noteFailure(error: unknown): void {
  const request = requests.getStore()
  if (request) request.failure = error
}

/** What the database last refused during this request. */
export function lastFailure(): unknown {
  return requests.getStore()?.failure
}

/** For Kysely, which tells of every statement that fails. */
export function noteFailedQuery(event: LogEvent): void {
  if (event.level === 'error') noteFailure(event.error)
}
