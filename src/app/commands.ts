import {
  type Icon,
  IconArchive,
  IconArrowBackUp,
  IconCalendarEvent,
  IconCalendarWeek,
  IconCopyCheck,
  IconForms,
  IconHistory,
  IconInbox,
  IconKeyboard,
  IconLayoutKanban,
  IconLogout,
  IconMail,
  IconPlugConnected,
  IconPlus,
  IconSend,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { useSignOut } from '#features/auth/index.ts'
import { type FormName, openComposer, openForm } from '#features/forms/index.ts'
import { undoShortcut } from '#features/history/index.ts'
import { themes, useTheme } from '#features/preferences/index.ts'
import type { Command } from '#features/search/index.ts'
import { openShortcuts } from '#features/shortcuts/index.ts'
import { useScreenPath } from './remembered-screen.tsx'
import { useUndoLast } from './screen-keys.ts'
import { screens } from './screens.ts'

const forms: [string, FormName][] = [
  ['Add contact', 'contact'],
  ['Add company', 'company'],
  ['Create task', 'task'],
  ['Create deal', 'deal'],
]

/** Pages that only the settings lead to, and views of screens. */
const innerPages: { name: string; path: string; icon: Icon }[] = [
  { name: 'import', path: 'settings/import', icon: IconUpload },
  { name: 'backup', path: 'settings/backup', icon: IconArchive },
  { name: 'outbox', path: 'outbox', icon: IconSend },
  { name: 'trash', path: 'settings/trash', icon: IconTrash },
  { name: 'history', path: 'settings/history', icon: IconHistory },
  { name: 'duplicates', path: 'settings/duplicates', icon: IconCopyCheck },
  { name: 'custom fields', path: 'settings/fields', icon: IconForms },
  { name: 'forms', path: 'settings/forms', icon: IconInbox },
  { name: 'connections', path: 'settings/connections', icon: IconPlugConnected },
  { name: 'email settings', path: 'settings/email', icon: IconMail },
  { name: 'week in review', path: 'reports/week', icon: IconCalendarWeek },
  { name: 'deal board', path: 'deals?view=board', icon: IconLayoutKanban },
  { name: 'task agenda', path: 'tasks?view=agenda', icon: IconCalendarEvent },
  { name: 'task week', path: 'tasks?view=week', icon: IconCalendarWeek },
]

/** What the search can do besides finding: create, go to a screen, switch the theme, sign out. */
export function useCommands(): Command[] {
  const navigate = useNavigate()
  const { setTheme } = useTheme()
  const { signOut } = useSignOut()
  const undoLast = useUndoLast()
  const pathOf = useScreenPath()
  return [
    ...forms.map(([name, form]) => ({ name, icon: IconPlus, run: () => openForm({ form }) })),
    { name: 'New email', icon: IconMail, run: () => openComposer({}) },
    ...[...screens, ...innerPages].map(({ name, path, icon }) => ({
      name: `Go to ${name.toLowerCase()}`,
      icon,
      run: () => navigate(pathOf(path)),
    })),
    ...themes.map(({ value, label, icon }) => ({
      name: `Switch to ${label.toLowerCase()} theme`,
      icon,
      run: () => setTheme(value),
    })),
    { name: undoShortcut.does, icon: IconArrowBackUp, run: undoLast },
    { name: 'Keyboard shortcuts', icon: IconKeyboard, run: openShortcuts },
    { name: 'Sign out', icon: IconLogout, run: signOut },
  ]
}
