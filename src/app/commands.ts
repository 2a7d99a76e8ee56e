import {
  type Icon,
  IconArchive,
  IconCopyCheck,
  IconHistory,
  IconKeyboard,
  IconLogout,
  IconPlus,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { useSignOut } from '#features/auth/index.ts'
import { type FormName, openForm } from '#features/forms/index.ts'
import { themes, useTheme } from '#features/preferences/index.ts'
import type { Command } from '#features/search/index.ts'
import { openShortcuts } from '#features/shortcuts/index.ts'
import { screens } from './screens.ts'

const forms: [string, FormName][] = [
  ['Add contact', 'contact'],
  ['Add company', 'company'],
  ['Create task', 'task'],
  ['Create deal', 'deal'],
]

/** Pages that only the settings lead to. */
const innerPages: { name: string; path: string; icon: Icon }[] = [
  { name: 'import', path: 'settings/import', icon: IconUpload },
  { name: 'backup', path: 'settings/backup', icon: IconArchive },
  { name: 'trash', path: 'settings/trash', icon: IconTrash },
  { name: 'history', path: 'settings/history', icon: IconHistory },
  { name: 'duplicates', path: 'settings/duplicates', icon: IconCopyCheck },
]

/** What the search can do besides finding: create, go to a screen, switch the theme, sign out. */
export function useCommands(): Command[] {
  const navigate = useNavigate()
  const { setTheme } = useTheme()
  const { signOut } = useSignOut()
  return [
    ...forms.map(([name, form]) => ({ name, icon: IconPlus, run: () => openForm({ form }) })),
    ...[...screens, ...innerPages].map(({ name, path, icon }) => ({
      name: `Go to ${name.toLowerCase()}`,
      icon,
      run: () => navigate(`/app/${path}`),
    })),
    ...themes.map(({ value, label, icon }) => ({
      name: `Switch to ${label.toLowerCase()} theme`,
      icon,
      run: () => setTheme(value),
    })),
    { name: 'Keyboard shortcuts', icon: IconKeyboard, run: openShortcuts },
    { name: 'Sign out', icon: IconLogout, run: signOut },
  ]
}
