import { useSyncExternalStore } from 'react'

const resets = new Set<() => void>()

/** A value of the whole workspace, such as the form that is open: any part may set it, any component may read it. */
export function createStore<Value>(initial: Value) {
  let value = initial
  const listeners = new Set<() => void>()
  function set(next: Value): void {
    value = next
    for (const listener of listeners) listener()
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  resets.add(() => set(initial))
  return { set, get: () => value, useValue: () => useSyncExternalStore(subscribe, () => value) }
}

/** A store for something that is open or closed. */
export function createSwitch() {
  const { set, useValue } = createStore(false)
  return { set, useIsOpen: useValue }
}

/** When the workspace is left: what one account had open must not open for the next. */
export function resetStores(): void {
  for (const reset of resets) reset()
}
