import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogEvent } from 'kysely'

const requests = new AsyncLocalStorage<{ failure: unknown }>()

/**
 * Runs a request and keeps the last database error during it. The library answers many of these errors with a
 * bare 500, or treats them as an empty database, without the reason.
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

/** The last database error during this request. */
export function lastFailure(): unknown {
  return requests.getStore()?.failure
}

/** For Kysely's log, which reports every failed statement. */
export function noteFailedQuery(event: LogEvent): void {
  if (event.level === 'error') noteFailure(event.error)
}
