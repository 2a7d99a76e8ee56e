import type { z } from 'zod/mini'

/** Passed to the schema for a field with an incomplete date or time. */
export const unreadable = 'unreadable'

/** A schema, of either part of zod. */
type Checked = {
  safeParse: (values: unknown) => {
    error?: { issues: Pick<z.core.$ZodIssue, 'path' | 'message'>[] } | undefined
  }
}

/** The first message of each field, under its name, as a form shows them; empty when all is well. */
export function fieldErrors(schema: Checked, values: unknown): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of schema.safeParse(values).error?.issues ?? []) {
    errors[path.join('.')] ??= message
  }
  return errors
}
