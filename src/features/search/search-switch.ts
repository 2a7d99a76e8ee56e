import { createSwitch } from '#lib/store.ts'
import type { Shortcut } from '#ui/shortcut.ts'

export const searchSwitch = createSwitch()

export const searchShortcut: Shortcut = { keys: ['/'], does: 'Search, or create in one line' }
