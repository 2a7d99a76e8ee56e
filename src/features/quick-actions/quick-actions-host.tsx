import { type ComponentType, useState } from 'react'
import { useOpenForm } from '#features/forms/index.ts'
import { useShortcut } from '#ui/shortcut.ts'
import type { QuickActionsDrawerProps } from './quick-actions-drawer.tsx'
import {
  closeQuickActions,
  openQuickActions,
  openSearch,
  quickActionsShortcut,
  searchShortcut,
  useOpenedFor,
} from './quick-actions-switch.ts'

type QuickActionsHostProps = {
  /** A lazy part. */
  drawer: ComponentType<Omit<QuickActionsDrawerProps, 'commands'>>
}

/** Mounted once in the workspace: the drawer, and the keys that open it and close it again. */
export function QuickActionsHost({ drawer: Drawer }: QuickActionsHostProps) {
  const openedFor = useOpenedFor()
  const isOpen = openedFor !== null
  // Stays as it was opened, for the closing animation.
  const [shown, setShown] = useState(openedFor)
  if (openedFor !== null && openedFor !== shown) setShown(openedFor)
  // A form that was opened from it takes the keys, and may hold typed text.
  const { request } = useOpenForm()
  useShortcut(quickActionsShortcut, isOpen ? closeQuickActions : openQuickActions, {
    isOpen: isOpen && request === null,
  })
  useShortcut(searchShortcut, openSearch)
  if (!shown) return null
  return (
    <Drawer
      isOpen={isOpen}
      isForSearch={shown.is === 'search'}
      text={shown.is === 'search' ? shown.text : ''}
      onClose={closeQuickActions}
    />
  )
}
