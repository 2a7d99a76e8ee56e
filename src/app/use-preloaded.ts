import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { whenIdle } from '#ui/when-idle.ts'

type Preloaded = {
  /** Answers whether it is there. */
  preload: () => Promise<boolean>
}

/**
 * Fetches what will be opened sooner or later, so that it opens at once, and without a connection too.
 * The first screen comes before: nothing of this begins until it has read what it shows.
 */
export function usePreloaded(parts: Preloaded[]): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isDataScarce()) return
    const leaving = new AbortController()
    whenReadsSettle(queryClient, leaving.signal, () => preload(parts, leaving.signal))
    return () => leaving.abort()
  }, [queryClient, parts])
}

/** One after the other, each in an idle moment of its own; what fails would fail for the rest too. */
async function preload(parts: Preloaded[], signal: AbortSignal): Promise<void> {
  for (const part of parts) {
    await new Promise<void>(whenIdle)
    if (signal.aborted || !(await part.preload())) return
  }
}

/** Runs it once something has been read and nothing is being read. */
function whenReadsSettle(queryClient: QueryClient, signal: AbortSignal, run: () => void): void {
  const cache = queryClient.getQueryCache()
  function look(): void {
    const hasRead = cache.getAll().some(({ state }) => state.data !== undefined)
    if (!hasRead || queryClient.isFetching() > 0) return
    stop()
    run()
  }
  const stop = cache.subscribe(look)
  signal.addEventListener('abort', stop)
  look()
}

/** The user asked the browser to save data. Not every browser can be asked, and no type knows it. */
function isDataScarce(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
