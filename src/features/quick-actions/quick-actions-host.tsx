import { useState } from 'react'
import { useOpenForm } from '#features/forms/index.ts'
import { openedPart } from '#ui/lazy-part.tsx'
import { useShortcut } from '#ui/shortcut.ts'
import { quickActionsShortcut, quickActionsSwitch } from './quick-actions-switch.ts'

export const QuickActionsDrawer = openedPart(
  async () => (await import('./quick-actions-drawer.tsx')).QuickActionsDrawer,
)

/** Mounted once in the workspace: the drawer, and the keys that open it and close it again. */
export function QuickActionsHost() {
  const isOpen = quickActionsSwitch.useIsOpen()
  // Stays mounted after the first opening, for the closing animation.
  const [isWanted, setIsWanted] = useState(false)
  if (isOpen && !isWanted) setIsWanted(true)
  // A form that was opened from it takes the keys, and may hold typed text.
  const { request } = useOpenForm()
  useShortcut(quickActionsShortcut, () => quickActionsSwitch.set(!isOpen), {
    isOpen: isOpen && request === null,
  })
  if (!isWanted) return null
  return <QuickActionsDrawer isOpen={isOpen} onClose={() => quickActionsSwitch.set(false)} />
}
