import { createSwitch } from '#lib/store.ts'
import type { Shortcut } from '#ui/shortcut.ts'

export const shortcutsSwitch = createSwitch()

export const helpShortcut: Shortcut = { keys: ['?'], does: 'Show the keyboard shortcuts' }

/** Opens the sheet with all keys. */
export function openShortcuts(): void {
  shortcutsSwitch.set(true)
}
