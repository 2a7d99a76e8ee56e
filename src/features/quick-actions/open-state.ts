import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()

/** The drawer is opened from the sidebar and by key, and stands once in the workspace. */
export function setQuickActions(next: boolean): void {
  isOpen = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useQuickActionsOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen)
}
