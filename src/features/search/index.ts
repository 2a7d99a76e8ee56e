export type { Command } from './command.ts'
export { SearchPanel } from './search-panel.tsx'
export { searchShortcuts } from './search-shortcuts.ts'
