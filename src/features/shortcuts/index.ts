export { ShortcutsHost } from './shortcuts-host.tsx'
export { openShortcuts } from './shortcuts-switch.ts'
