import type { Shortcut } from '#ui/shortcut.ts'

export const keepShortcuts = {
  pin: { keys: ['P'], does: 'Pin or unpin the record' },
} satisfies Record<string, Shortcut>
