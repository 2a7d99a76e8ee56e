import { z } from 'zod/mini'
import type { Json } from './database.types.ts'

/** A text that may be missing. */
export const maybe = z.nullable(z.string())

const cursor: z.ZodMiniType<Json> = z.json()

/** What the page functions of the database answer; `next` is where the page after it begins. */
export function pageOf<Row extends z.ZodMiniType>(row: Row) {
  return z.object({ rows: z.array(row), next: z.nullable(cursor) })
}

/** What an answer must be: a schema of the page, or one of the domain, which the server knows too. */
export type Schema<Answer> = z.core.$ZodType<Answer>

/** What the backend answered, if it is what this page was written for. */
export function checked<Answer>(expected: Schema<Answer>, answer: unknown): Answer {
  const { success, data, error } = z.safeParse(expected, answer)
  if (success) return data
  const words = 'This page can’t read the server’s answer. Reload the page.'
  throw new Error(words, { cause: error })
}
