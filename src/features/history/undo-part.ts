import { lazyPart } from '#ui/lazy-part.tsx'

/** Undo beside what an assistant did; most accounts have none, so it is loaded when it is shown. */
export const UndoEntry = lazyPart(async () => (await import('./undo-entry.tsx')).UndoEntry)
