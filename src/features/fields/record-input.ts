import type { ReactNode } from 'react'

type Form = { errors: Record<string, ReactNode> }

/** What a form says about a field, as the inputs that choose a record take it. */
export function errorOf(form: Form, name: string): string | undefined {
  return String(form.errors[name] ?? '') || undefined
}

/** What an input of a form is given that chooses a record or creates one, in a form that covers this one. */
export function recordInput(form: Form, name: string, onCovered: (isCovered: boolean) => void) {
  return { onCovered, canCreate: true, error: errorOf(form, name) }
}
