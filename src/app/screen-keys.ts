import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { type FormName, newShortcut, openForm } from '#features/forms/index.ts'
import { loadUndoLast, undoShortcut } from '#features/history/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { openQuickActions } from '#features/quick-actions/index.ts'
import { takeBack } from '#features/waiting/index.ts'
import { useShortcut } from '#ui/shortcut.ts'
import { showError } from '#ui/toast.tsx'

const forms: Record<string, FormName> = {
  contacts: 'contact',
  companies: 'company',
  deals: 'deal',
  tasks: 'task',
}

/** Undoes the last change, from a key or as a command. */
export function useUndoLast(): () => Promise<void> {
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  return async () => {
    try {
      const { undoLast } = await loadUndoLast()
      await undoLast(queryClient, timeZone, takeBack)
    } catch {
      showError('Failed to undo: no connection to the server.')
    }
  }
}

/** Mounted once in the workspace: keys whose action depends on the screen, or concerns no screen. */
export function ScreenKeys() {
  const { pathname } = useLocation()
  const undoLast = useUndoLast()
  useShortcut(newShortcut, () => {
    const form = forms[pathname.split('/')[2] ?? '']
    if (form) openForm({ form })
    else openQuickActions()
  })
  useShortcut(undoShortcut, undoLast, { isLeftToFields: true })
  return null
}
