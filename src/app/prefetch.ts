import { fetchCode } from '#ui/fetch-code.ts'

/**
 * Loads the code of a screen when the user points at its link. A failure is ignored here; it is reported when the
 * screen is opened.
 */
export function prefetch(load: () => Promise<unknown>): () => void {
  return () => {
    fetchCode(load).catch(() => {})
  }
}
