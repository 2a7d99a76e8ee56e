import { fetchCode } from '#ui/fetch-code.ts'

/** The pages of single records with what stands below their headers; for `usePreloaded`. */
export const recordParts = [
  () =>
    Promise.all([import('./records/contact-page.tsx'), import('./records/contact-columns.tsx')]),
  () =>
    Promise.all([import('./records/company-page.tsx'), import('./records/company-columns.tsx')]),
  () => Promise.all([import('./records/deal-page.tsx'), import('./records/deal-columns.tsx')]),
].map((load) => ({
  preload: () =>
    fetchCode<unknown>(load).then(
      () => true,
      () => false,
    ),
}))

/**
 * Loads the code of a screen when the user points at its link. A failure is ignored here; it is reported when the
 * screen is opened.
 */
export function prefetch(load: () => Promise<unknown>): () => void {
  return () => {
    fetchCode(load).catch(() => {})
  }
}
