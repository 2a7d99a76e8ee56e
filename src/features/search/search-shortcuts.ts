import type { Shortcut } from '#ui/shortcut.ts'

export const searchShortcuts = {
  next: { keys: ['ArrowDown'], does: 'Next result' },
  previous: { keys: ['ArrowUp'], does: 'Previous result' },
  choose: { keys: ['Enter'], does: 'Open, run or create it' },
  inTab: { keys: ['Mod+Enter'], does: 'Open it in a tab of its own' },
} satisfies Record<string, Shortcut>
