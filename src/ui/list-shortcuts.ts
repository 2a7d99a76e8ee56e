import { ariaKeys, type Shortcut } from './shortcut.ts'

export const listShortcuts = {
  next: { keys: ['ArrowDown', 'J'], does: 'Next row' },
  previous: { keys: ['ArrowUp', 'K'], does: 'Previous row' },
  right: { keys: ['ArrowRight'], does: 'Next card' },
  left: { keys: ['ArrowLeft'], does: 'Previous card' },
  first: { keys: ['Home'], does: 'First row' },
  last: { keys: ['End'], does: 'Last loaded row' },
  open: { keys: ['Enter'], does: 'Open' },
  select: { keys: ['X', 'Space'], does: 'Select or unselect' },
  extend: { keys: ['Shift+ArrowDown', 'Shift+ArrowUp'], does: 'Select while moving' },
  selectAll: { keys: ['Mod+A'], does: 'Select all loaded rows' },
  edit: { keys: ['E'], does: 'Edit' },
  editCell: { keys: ['F2'], does: 'Edit a cell of the table' },
  tick: { keys: ['C'], does: 'Complete or reopen' },
  remove: {
    keys: ['Delete', 'Backspace'],
    does: 'Delete it or the selection',
  },
} satisfies Record<string, Shortcut>

/** The actions of the keys on a row; a key without an action does nothing. */
export type RowKeys<Row> = {
  onEdit?: (row: Row) => void
  onRemove?: (row: Row) => void
  onTick?: (row: Row) => void
  onSelect?: (row: Row) => void
  isSelected?: (row: Row) => boolean
  onSelectLoaded?: () => void
}

/** The selection keys of a list with checkboxes. */
export function selectionKeys(selection: {
  isSelected: (id: string) => boolean
  loaded: 'none' | 'some' | 'all'
  onToggle: (id: string, isRange: boolean) => void
  onToggleLoaded: () => void
}): RowKeys<{ id: string }> {
  return {
    onSelectLoaded: () => selection.loaded !== 'all' && selection.onToggleLoaded(),
    onSelect: ({ id }) => selection.onToggle(id, false),
    isSelected: ({ id }) => selection.isSelected(id),
  }
}

/** For the button that deletes the selection: Delete on a selected row presses it. */
export const removesSelection = {
  'data-removes-selection': true,
  'aria-keyshortcuts': ariaKeys(listShortcuts.remove),
}

/** A hint for screen readers on the list element. */
export const listHint = {
  'aria-description':
    'Use the arrow keys to move between rows. Press question mark for all shortcuts.',
}
