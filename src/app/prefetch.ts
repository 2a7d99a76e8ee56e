import { fetchCode } from '#ui/fetch-code.ts'

/**
 * Fetches the code of a screen ahead when the user points at what leads there. A failure here is nobody's
 * business: it is told when the code is really wanted.
 */
export function prefetch(load: () => Promise<unknown>): () => void {
  return () => {
    fetchCode(load).catch(() => {})
  }
}
