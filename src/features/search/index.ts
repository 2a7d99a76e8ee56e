export type { Command } from './command.ts'
export { SearchButton } from './search-button.tsx'
export type { SearchDialogProps } from './search-dialog.tsx'
export { SearchHost } from './search-host.tsx'
export { searchShortcuts } from './search-shortcuts.ts'
export { searchShortcut } from './search-switch.ts'

/** The dialog comes when it is first opened. */
export const loadSearchDialog = () => import('./search-dialog.tsx')
