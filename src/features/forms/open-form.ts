import { createStore } from '#lib/store.ts'

/** A record that a new one is linked to from the start. */
export type Linked = { id: string; name: string }

export type FormName = 'contact' | 'company' | 'task' | 'deal'

type FormRequest = {
  form: FormName
  /** The id of an existing task, which has no page of its own. */
  task?: string
  contact?: Linked
  company?: Linked
  deal?: Linked
  /** Called after saving. */
  onSaved?: () => void
}

const place = createStore<FormRequest | null>(null)

/**
 * Opens the form of a new record or of a task from anywhere. The app renders it, so that features do not import each
 * other.
 */
export function openForm(request: FormRequest): void {
  place.set(request)
}

/** The open form, for the host that renders it and for dialogs below it. */
export function useOpenForm() {
  return { request: place.useValue(), close: () => place.set(null) }
}
