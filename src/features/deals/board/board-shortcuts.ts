import type { Shortcut } from '#ui/shortcut.ts'

/** Keys on a card: on its name and on its handle. */
export const boardShortcuts = {
  go: {
    keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'],
    does: 'Move between cards',
  },
  pick: { keys: ['Space'], does: 'Lift the card' },
  lift: { keys: ['Space', 'Enter'], does: 'Drop it, or lift it by its handle' },
  move: { keys: ['ArrowUp', 'ArrowDown'], does: 'Move it within its stage' },
  stage: { keys: ['ArrowLeft', 'ArrowRight'], does: 'Move it to another stage' },
  number: { keys: ['0–9'], does: 'Move it to the stage with this number' },
  ends: { keys: ['Home', 'End'], does: 'Move it to the top or bottom' },
  cancel: { keys: ['Escape'], does: 'Put it back where it was' },
} satisfies Record<string, Shortcut>
