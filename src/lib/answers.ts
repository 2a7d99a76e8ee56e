import { z } from 'zod/mini'
import type { Json } from './database.types.ts'

/** A text that may be missing. */
export const maybe = z.nullable(z.string())

const cursor: z.ZodMiniType<Json> = z.json()

/** What the page functions of the database answer; `next` is where the page after it begins. */
export function pageOf<Row extends z.ZodMiniType>(row: Row) {
  return z.object({ rows: z.array(row), next: z.nullable(cursor) })
}

/** What the backend answered, if it is what this page was written for. */
export function checked<Answer>(expected: z.ZodMiniType<Answer>, answer: unknown): Answer {
  const { success, data, error } = expected.safeParse(answer)
  if (success) return data
  const words = 'This page can’t read the server’s answer. Reload the page.'
  throw new Error(words, { cause: error })
}
