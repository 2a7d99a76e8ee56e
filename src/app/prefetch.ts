/**
 * Fetches code ahead when the user points at what needs it. A failure here is nobody's business: it is
 * told when the code is really wanted.
 */
export function prefetch(load: () => Promise<unknown>): () => void {
  return () => {
    load().catch(() => {})
  }
}
