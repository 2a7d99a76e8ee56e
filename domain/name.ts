import { z } from 'zod'
import { requiredText } from './text-fields.ts'

/** What collections, saved views and templates are called. */
export const nameField = requiredText('Name', 200)

/** A unique name; `kind` as in 'There is a view with this name already.' */
export function nameSchema(kind: string, taken: string[]) {
  return z.object({
    name: nameField.refine(
      (name) => !taken.includes(name),
      `There is a ${kind} with this name already.`,
    ),
  })
}
