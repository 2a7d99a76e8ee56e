import type { Shortcut } from '#ui/shortcut.ts'

/** Keys on a task of the agenda or the week. */
export const taskDayShortcuts = {
  later: { keys: ['Shift+ArrowRight'], does: 'Move the task to the next day' },
  earlier: { keys: ['Shift+ArrowLeft'], does: 'Move the task to the day before' },
} satisfies Record<string, Shortcut>
