import { useSyncExternalStore } from 'react'

/** How often what depends on the time is looked at again. */
const step = 15_000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** For whoever knows that something changes at this very moment. */
export function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(tick, step)
    // Timers sleep in a tab that is not looked at.
    document.addEventListener('visibilitychange', tick)
    now = Date.now()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

/** The time, for what changes by itself as it passes. One clock for all who look at it. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
