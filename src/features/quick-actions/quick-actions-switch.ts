import { createSwitch } from '#lib/store.ts'
import type { Shortcut } from '#ui/shortcut.ts'

export const quickActionsSwitch = createSwitch()

export const quickActionsShortcut: Shortcut = { keys: ['Mod+K'], does: 'Quick actions' }
