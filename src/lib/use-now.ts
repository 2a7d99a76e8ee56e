import { useSyncExternalStore } from 'react'

/** How often components that show the time render again, in milliseconds. */
const step = 15_000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** Updates the clock at once, such as when a task becomes overdue. */
export function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(tick, step)
    // Timers are suspended in a hidden tab.
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

/** The current time. Components that use it follow one shared clock. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
