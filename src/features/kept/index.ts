export { keepShortcuts } from './keep-shortcuts.ts'
export { PinButton } from './pin-button.tsx'
export { useKept, useNoteOpened } from './queries.ts'
/** Loaded after the first screen. */
export const loadKeptSection = () => import('./kept-section.tsx')
