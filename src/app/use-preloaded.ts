import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { whenReadsSettle, whenScreenHasRead } from '#lib/reads-settled.ts'
import { whenIdle } from '#ui/when-idle.ts'

type Preloaded = {
  /** Resolves to whether it was loaded. */
  preload: () => Promise<boolean>
}

/**
 * Preloads parts that are opened often, so that they open at once, even without a connection. It starts after the first
 * screen has read its data.
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

/** Whether the first screen has read its data; what stands beside it waits until then. */
export function useReadsSettled(): boolean {
  const queryClient = useQueryClient()
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    whenScreenHasRead(queryClient, leaving.signal, whenIdle, () => setIsSettled(true))
    return () => leaving.abort()
  }, [queryClient])
  return isSettled
}

/** One after the other, each when idle; stops at the first failure, because the others would fail too. */
async function preload(parts: Preloaded[], signal: AbortSignal): Promise<void> {
  for (const part of parts) {
    await new Promise<void>(whenIdle)
    if (signal.aborted || !(await part.preload())) return
  }
}

/** Whether the browser's data saver is on; not all browsers have it, and TypeScript has no type for it. */
function isDataScarce(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
