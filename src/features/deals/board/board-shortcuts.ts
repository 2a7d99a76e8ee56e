import type { Shortcut } from '#ui/shortcut.ts'

/** Keys on the handle of a card. */
export const boardShortcuts = {
  lift: { keys: ['Space', 'Enter'], does: 'Lift or drop a card by its handle' },
  move: { keys: ['ArrowUp', 'ArrowDown'], does: 'Move it within its stage' },
  stage: { keys: ['ArrowLeft', 'ArrowRight'], does: 'Move it to another stage' },
  ends: { keys: ['Home', 'End'], does: 'Move it to the top or bottom' },
  cancel: { keys: ['Escape'], does: 'Put it back where it was' },
} satisfies Record<string, Shortcut>
