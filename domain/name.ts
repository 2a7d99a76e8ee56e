import { z } from 'zod'
import { requiredText } from './text-fields.ts'

/** What collections, saved views and templates are called. */
export const nameField = requiredText('Name', 200)

/** A unique name; `kind` as in 'A view with this name already exists.' */
export function nameSchema(kind: string, taken: string[]) {
  return z.object({
    name: nameField.refine(
      (name) => !taken.includes(name),
      `A ${kind} with this name already exists.`,
    ),
  })
}
