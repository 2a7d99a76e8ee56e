import { useSyncExternalStore } from 'react'

/** A record that a new one is linked to from the start. */
export type Linked = { id: string; name: string }

type FormRequest =
  | { form: 'task'; contact?: Linked; company?: Linked; deal?: Linked }
  | { form: 'deal'; contact?: Linked; company?: Linked }

let wanted: FormRequest | null = null
const listeners = new Set<() => void>()

function change(next: FormRequest | null): void {
  wanted = next
  for (const listener of listeners) listener()
}

/**
 * Asks for the form of a new record, from wherever one is. The app shows it, so that features need not
 * know each other.
 */
export function openForm(request: FormRequest): void {
  change(request)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For the one place that shows the form that was asked for. */
export function useOpenForm() {
  const request = useSyncExternalStore(subscribe, () => wanted)
  return { request, close: () => change(null) }
}
