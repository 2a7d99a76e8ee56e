import { useSyncExternalStore } from 'react'

/**
 * Whether there is a network. The last request decides, because a browser that reports to be online may still reach
 * no server. Any answer counts, also an error.
 */
let isAway = typeof navigator !== 'undefined' && navigator.onLine === false
let awaySince = Date.now()
const listeners = new Set<() => void>()

// Without a network the app sends no request that could find out.
if (typeof window !== 'undefined') window.addEventListener('offline', () => noteAnswer(false))

/** Every request of the client notes here whether it was answered. */
export function noteAnswer(isAnswered: boolean): void {
  if (isAway === !isAnswered) return
  isAway = !isAnswered
  awaySince = Date.now()
  for (const listener of [...listeners]) listener()
}

/** How long a request may take that is sent while the app counts as offline, in milliseconds. */
const patience = 3000

/** Without a network a request may hang for minutes; then it counts as not answered. */
export async function inTime<Answer>(
  request: PromiseLike<Answer>,
): Promise<Answer | { data: null; error: Error }> {
  if (!isAway) return request
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<{ data: null; error: Error }>((resolve) => {
    timer = setTimeout(resolve, patience, { data: null, error: new TypeError('Failed to fetch') })
  })
  return Promise.race([request, late]).finally(() => clearTimeout(timer))
}

export function isOffline(): boolean {
  return isAway
}

/** A single request may be lost; after this many milliseconds without any answer the app counts as offline. */
export const doubtful = 2000

/** Whether it is certain that no server answers; then the line at the top of the screen reports it. */
export function isSurelyOffline(): boolean {
  return isAway && (!navigator.onLine || Date.now() - awaySince >= doubtful)
}

/** Calls back whenever the network goes or comes. */
export function watchNetwork(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Resolves when the network is gone for this many milliseconds; `stop` ends the waiting. */
export function whenAway(wait = 0): { away: Promise<void>; stop: () => void } {
  let stop = () => {}
  const away = new Promise<void>((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function look(): void {
      clearTimeout(timer)
      if (isAway) timer = setTimeout(resolve, wait)
    }
    const forget = watchNetwork(look)
    stop = () => {
      clearTimeout(timer)
      forget()
    }
    look()
  })
  return { away, stop }
}

export function useIsOffline(): boolean {
  return useSyncExternalStore(watchNetwork, isOffline)
}
