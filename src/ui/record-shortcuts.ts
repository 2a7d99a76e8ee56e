import type { Shortcut } from './shortcut.ts'

export const recordShortcuts = {
  previous: { keys: ['Alt+ArrowUp'], does: 'Previous record' },
  next: { keys: ['Alt+ArrowDown'], does: 'Next record' },
  call: { keys: ['C'], does: 'Call' },
  email: { keys: ['E'], does: 'Write an email' },
  log: { keys: ['L'], does: 'Log a call' },
  task: { keys: ['T'], does: 'Add a task' },
  deal: { keys: ['D'], does: 'Add a deal' },
} satisfies Record<string, Shortcut>
