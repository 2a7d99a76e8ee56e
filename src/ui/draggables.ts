import { createContext, use, useCallback, useState, useSyncExternalStore } from 'react'

type Draggables = ReadonlyMap<string, HTMLElement>

/** The elements on a screen that can be dragged, by id: what drags them is loaded after they are shown. */
class DraggableStore {
  #elements: Draggables = new Map()
  readonly #listeners = new Set<() => void>()

  put(id: string, element: HTMLElement): () => void {
    this.#set(new Map(this.#elements).set(id, element))
    return () => {
      // The same id may already stand elsewhere, such as in another column.
      if (this.#elements.get(id) !== element) return
      const others = new Map(this.#elements)
      others.delete(id)
      this.#set(others)
    }
  }

  #set(elements: Draggables): void {
    this.#elements = elements
    for (const listener of this.#listeners) listener()
  }

  readonly all = (): Draggables => this.#elements

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

const StoreContext = createContext<DraggableStore | null>(null)

/** Provides the store for what can be dragged on a screen; `DragArea` inside of it drags. */
export const DraggablesProvider = StoreContext.Provider

export function useDraggableStore(): DraggableStore {
  const [store] = useState(() => new DraggableStore())
  return store
}

/** For the ref of an element that can be dragged. */
export function useDraggableRef(id: string, isDisabled = false) {
  const store = use(StoreContext)
  return useCallback(
    (element: HTMLElement | null) => {
      if (element && !isDisabled) return store?.put(id, element)
    },
    [store, id, isDisabled],
  )
}

export function useDraggables(): Draggables {
  const store = use(StoreContext)
  if (!store) throw new Error('DragArea must be inside of DraggablesProvider')
  return useSyncExternalStore(store.subscribe, store.all)
}
