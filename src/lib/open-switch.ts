import { useSyncExternalStore } from 'react'

/** Whether something that stands once in the workspace is open; anyone may open it, from wherever. */
export function openSwitch() {
  let isOpen = false
  const listeners = new Set<() => void>()
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    set(next: boolean): void {
      isOpen = next
      for (const listener of listeners) listener()
    },
    useIsOpen: () => useSyncExternalStore(subscribe, () => isOpen),
  }
}
