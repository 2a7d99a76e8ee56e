import type { Shortcut } from '#ui/shortcut.ts'

export const undoShortcut: Shortcut = { keys: ['Mod+Z'], does: 'Undo the last change' }
