import type { Shortcut } from './shortcut.ts'

export const recordShortcuts = {
  previous: { keys: ['Alt+ArrowUp'], does: 'Previous record of the list' },
  next: { keys: ['Alt+ArrowDown'], does: 'Next record of the list' },
} satisfies Record<string, Shortcut>
