import { openSwitch } from '#lib/open-switch.ts'
import type { Shortcut } from '#ui/shortcut.ts'

export const quickActionsSwitch = openSwitch()

export const quickActionsShortcut: Shortcut = { keys: ['Mod+K'], does: 'Quick actions' }
