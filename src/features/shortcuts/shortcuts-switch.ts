import { openSwitch } from '#lib/open-switch.ts'
import type { Shortcut } from '#ui/shortcut.ts'

export const shortcutsSwitch = openSwitch()

export const helpShortcut: Shortcut = { keys: ['?'], does: 'Show the keyboard shortcuts' }

/** Shows the sheet with all keys, from wherever one is. */
export function openShortcuts(): void {
  shortcutsSwitch.set(true)
}
