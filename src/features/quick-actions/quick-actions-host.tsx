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
  // Stays mounted after the first opening, for the closing animation.
  const [isWanted, setIsWanted] = useState(false)
  if (isOpen && !isWanted) setIsWanted(true)
  // A form that was opened from it takes the keys, and may hold typed text.
  const { request } = useOpenForm()
  useShortcut(quickActionsShortcut, isOpen ? closeQuickActions : openQuickActions, {
    isOpen: isOpen && request === null,
  })
  useShortcut(searchShortcut, openSearch)
  if (!isWanted) return null
  const text = openedFor?.is === 'search' ? openedFor.text : ''
  return (
    <Drawer
      isOpen={isOpen}
      isForSearch={openedFor?.is === 'search'}
      text={text}
      onClose={closeQuickActions}
    />
  )
}
