import { createStore } from '#lib/store.ts'

/** A record that a new one is linked to from the start. */
export type Linked = { id: string; name: string }

export type FormName = 'contact' | 'company' | 'task' | 'deal'

type FormRequest = {
  form: FormName
  /** A task that is there already, by its id: it has no page of its own. */
  task?: string
  contact?: Linked
  company?: Linked
  deal?: Linked
  /** Told when the record is there. */
  onSaved?: () => void
}

const place = createStore<FormRequest | null>(null)

/**
 * Asks for the form of a new record, or of a task, from wherever one is. The app shows it, so that features need not
 * know each other.
 */
export function openForm(request: FormRequest): void {
  place.set(request)
}

/** The form that was asked for: for the one place that shows it, and for what it covers. */
export function useOpenForm() {
  return { request: place.useValue(), close: () => place.set(null) }
}
