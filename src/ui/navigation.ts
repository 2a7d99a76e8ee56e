import { useSyncExternalStore } from 'react'

/** The load of the next screen, while it runs. */
let loading: Promise<void> | null = null
const listeners = new Set<() => void>()

/** Says that the next screen is on its way until the promise settles. */
export function setNavigation(coming: Promise<void> | null): void {
  loading = coming
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useIsNavigating(): boolean {
  return useSyncExternalStore(subscribe, () => loading !== null)
}

/** Resolves when the screen that was asked for last is there. */
export async function whenNavigated(): Promise<void> {
  await loading
}

type LeaveGuard = {
  /** Whether leaving one path for another has to be agreed to. */
  asks: (from: string, to: string) => boolean
  mayLeave: () => Promise<boolean>
}

let guard: LeaveGuard | null = null

/** There is one at a time; returns what removes it. */
export function guardLeaving(next: LeaveGuard): () => void {
  guard = next
  return () => {
    if (guard === next) guard = null
  }
}

export function leaveGuard(from: string, to: string): LeaveGuard | null {
  return guard?.asks(from, to) ? guard : null
}
