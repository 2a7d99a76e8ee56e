import { lazyPart, openedPart } from '#ui/lazy-part.tsx'

/** Loaded when first opened, with the editor. */
export const WriteEmail = openedPart(async () => (await import('./write-email.tsx')).WriteEmail)

/** The way to the outbox, while there is something in it. */
export const OutboxEntry = lazyPart(
  async () => (await import('./mark/outbox-entry.tsx')).OutboxEntry,
)

export { allLeftBehind, draftInWords } from './kept-drafts.ts'

/** Loaded when the screen is first opened. */
export const loadOutboxPage = () => import('./outbox-page.tsx')
