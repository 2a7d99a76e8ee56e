import { ariaKeys, type Shortcut } from './shortcut.ts'

export const listShortcuts = {
  next: { keys: ['ArrowDown', 'J'], does: 'Next row' },
  previous: { keys: ['ArrowUp', 'K'], does: 'Previous row' },
  right: { keys: ['ArrowRight'], does: 'Next card' },
  left: { keys: ['ArrowLeft'], does: 'Previous card' },
  first: { keys: ['Home'], does: 'First row' },
  last: { keys: ['End'], does: 'Last row that is loaded' },
  open: { keys: ['Enter'], does: 'Open' },
  select: { keys: ['X', 'Space'], does: 'Select or unselect' },
  extend: { keys: ['Shift+ArrowDown', 'Shift+ArrowUp'], does: 'Select while moving' },
  edit: { keys: ['E'], does: 'Edit' },
  tick: { keys: ['C'], does: 'Complete or reopen' },
  remove: {
    keys: ['Delete', 'Backspace'],
    does: 'Delete it, or the selection',
  },
} satisfies Record<string, Shortcut>

/** What the keys do with a row; where something is missing, its key does nothing. */
export type RowKeys<Row> = {
  onEdit?: (row: Row) => void
  onRemove?: (row: Row) => void
  onTick?: (row: Row) => void
  onSelect?: (row: Row) => void
  isSelected?: (row: Row) => boolean
}

/** The keys that select, of a list with boxes to tick. */
export function selectionKeys(selection: {
  isSelected: (id: string) => boolean
  onToggle: (id: string, isRange: boolean) => void
}): RowKeys<{ id: string }> {
  return {
    onSelect: ({ id }) => selection.onToggle(id, false),
    isSelected: ({ id }) => selection.isSelected(id),
  }
}

/** For the button that deletes what is selected: the key that deletes a selected row presses it. */
export const removesSelection = {
  'data-removes-selection': true,
  'aria-keyshortcuts': ariaKeys(listShortcuts.remove),
}

/** For the element that is read out as the list. */
export const listHint = {
  'aria-description': 'Arrow keys move between rows, question mark lists all keys.',
}
