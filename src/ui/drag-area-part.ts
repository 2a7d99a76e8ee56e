import { lazyPart } from './lazy-part.tsx'

/** Without its code, cards are still moved by keyboard and menu. */
export const DragArea = lazyPart(async () => (await import('./drag-area.tsx')).DragArea)
