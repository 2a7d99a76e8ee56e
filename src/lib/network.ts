import { useSyncExternalStore } from 'react'

/**
 * Whether there is a network: told by the last request, because a browser that believes to be online may still reach
 * nobody. A server that answers, with whatever, is reached.
 */
let isAway = typeof navigator !== 'undefined' && navigator.onLine === false
let awaySince = Date.now()
const listeners = new Set<() => void>()

// What has no network sends no request that would tell.
if (typeof window !== 'undefined') window.addEventListener('offline', () => noteAnswer(false))

/** Every request of the client notes here whether it was answered. */
export function noteAnswer(isAnswered: boolean): void {
  if (isAway === !isAnswered) return
  isAway = !isAnswered
  awaySince = Date.now()
  for (const listener of [...listeners]) listener()
}

/** How long a request may take that is sent although nobody was reached before, in milliseconds. */
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

/** A single request may be lost; after this many milliseconds without an answer nobody is reached. */
export const doubtful = 2000

/** Whether it is certain that nobody is reached, and said so at the top of the screen. */
export function isSurelyOffline(): boolean {
  return isAway && (!navigator.onLine || Date.now() - awaySince >= doubtful)
}

/** Calls back whenever the network goes or comes. */
export function watchNetwork(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useIsOffline(): boolean {
  return useSyncExternalStore(watchNetwork, isOffline)
}
