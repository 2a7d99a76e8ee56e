import { boardShortcuts } from '#features/deals/index.ts'
import { newShortcut } from '#features/forms/index.ts'
import { undoShortcut } from '#features/history/index.ts'
import { keepShortcuts } from '#features/kept/index.ts'
import {
  quickActions,
  quickActionsShortcut,
  searchShortcut,
} from '#features/quick-actions/index.ts'
import { searchShortcuts } from '#features/search/index.ts'
import { nextStepShortcut, taskDayShortcuts } from '#features/tasks/index.ts'
import { formShortcuts } from '#ui/form-keys.ts'
import { listShortcuts } from '#ui/list-shortcuts.ts'
import { recordShortcuts } from '#ui/record-shortcuts.ts'
import type { Shortcut } from '#ui/shortcut.ts'
import { helpShortcut } from './shortcuts-switch.ts'

type ShortcutGroup = { name: string; shortcuts: Shortcut[] }

/** All shortcuts by place, taken from the definitions that bind them. */
export const shortcutGroups: ShortcutGroup[] = [
  {
    name: 'Anywhere',
    shortcuts: [searchShortcut, quickActionsShortcut, newShortcut, undoShortcut, helpShortcut],
  },
  { name: 'In the quick actions', shortcuts: quickActions.map(({ shortcut }) => shortcut) },
  { name: 'In the search', shortcuts: Object.values(searchShortcuts) },
  { name: 'In forms', shortcuts: Object.values(formShortcuts) },
  { name: 'In lists', shortcuts: [...Object.values(listShortcuts), nextStepShortcut] },
  { name: 'In the agenda and the week', shortcuts: Object.values(taskDayShortcuts) },
  { name: 'On the board', shortcuts: Object.values(boardShortcuts) },
  {
    name: 'On the page of a record',
    shortcuts: [...Object.values(recordShortcuts), ...Object.values(keepShortcuts)],
  },
]
