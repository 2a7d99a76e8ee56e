import { openSwitch } from '#lib/open-switch.ts'
import type { Shortcut } from '#ui/shortcut.ts'

export const searchSwitch = openSwitch()

export const searchShortcut: Shortcut = { keys: ['/'], does: 'Search, or create in one line' }
