import type { QueryClient } from '@tanstack/react-query'
import { isOffline } from './network.ts'

/** Without a network reads may take for ever; nobody waits for them. */
function isReading(queryClient: QueryClient): boolean {
  return queryClient.isFetching() > 0 && !isOffline()
}

/** Runs after the first read has finished and no other is under way. */
export function whenReadsSettle(
  queryClient: QueryClient,
  signal: AbortSignal,
  run: () => void,
): void {
  const cache = queryClient.getQueryCache()
  function look(): void {
    const hasRead = cache.getAll().some(({ state }) => state.data !== undefined)
    if (!hasRead || isReading(queryClient)) return
    stop()
    run()
  }
  const stop = cache.subscribe(look)
  signal.addEventListener('abort', stop)
  look()
}

/**
 * Runs when the first screen has read its data and the browser is idle, as `idle` tells. The screen may begin to read
 * only after the frame around it has read.
 */
export function whenScreenHasRead(
  queryClient: QueryClient,
  signal: AbortSignal,
  idle: (run: () => void) => void,
  run: () => void,
): void {
  function look(): void {
    if (signal.aborted) return
    if (isReading(queryClient)) wait()
    else run()
  }
  const wait = () => whenReadsSettle(queryClient, signal, () => idle(look))
  wait()
}
