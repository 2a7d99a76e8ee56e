import { useSyncExternalStore } from 'react'

/** How to close each of them. */
const closers = new Set<() => void>()

/** What of something that stands once in the workspace is open; anyone may open it, from wherever. */
export function openPlace<Wanted>(nothing: Wanted) {
  let wanted = nothing
  const listeners = new Set<() => void>()
  function set(next: Wanted): void {
    wanted = next
    for (const listener of listeners) listener()
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  closers.add(() => set(nothing))
  return { set, useWanted: () => useSyncExternalStore(subscribe, () => wanted) }
}

/** The same for what is open or not. */
export function openSwitch() {
  const { set, useWanted } = openPlace(false)
  return { set, useIsOpen: useWanted }
}

/** The workspace is gone: what one account had open must not open for the next. */
export function closeEverything(): void {
  for (const close of closers) close()
}
