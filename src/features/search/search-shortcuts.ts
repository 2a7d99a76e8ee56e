import type { Shortcut } from '#ui/shortcut.ts'

export const searchShortcuts = {
  next: { keys: ['ArrowDown'], does: 'Next result' },
  previous: { keys: ['ArrowUp'], does: 'Previous result' },
  choose: { keys: ['Enter'], does: 'Open, run or create it' },
  inTab: { keys: ['Mod+Enter'], does: 'Open in a new tab' },
} satisfies Record<string, Shortcut>
