import type { QueryClient } from '@tanstack/react-query'
import { isOffline } from './network.ts'

/** Without a network reads may take for ever; nobody waits for them. */
export function isReading(queryClient: QueryClient): boolean {
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
