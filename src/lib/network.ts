import { useSyncExternalStore } from 'react'

/**
 * Whether there is a network: told by the last request, because a browser that believes to be online may still reach
 * nobody. A server that answers, with whatever, is reached.
 */
let isAway = typeof navigator !== 'undefined' && navigator.onLine === false
const listeners = new Set<() => void>()

/** Every request of the client notes here whether it was answered. */
export function noteAnswer(isAnswered: boolean): void {
  if (isAway === !isAnswered) return
  isAway = !isAnswered
  for (const listener of [...listeners]) listener()
}

export function isOffline(): boolean {
  return isAway
}

/** Calls back whenever the network goes or comes. */
export function watchNetwork(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useIsOffline(): boolean {
  return useSyncExternalStore(watchNetwork, isOffline)
}
