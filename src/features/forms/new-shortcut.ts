import type { Shortcut } from '#ui/shortcut.ts'

export const newShortcut: Shortcut = { keys: ['N'], does: 'New contact, company, deal or task' }
