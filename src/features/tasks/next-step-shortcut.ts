import type { Shortcut } from '#ui/shortcut.ts'

export const nextStepShortcut: Shortcut = {
  keys: ['S'],
  does: 'Plan the next step, after completing by key',
}
