import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { setQuickActions, useQuickActionsOpen } from './open-state.ts'

export const loadQuickActionsDrawer = () => import('./quick-actions-drawer.tsx')
const QuickActionsDrawer = lazy(async () => ({
  default: (await loadQuickActionsDrawer()).QuickActionsDrawer,
}))

/** Stands once in the workspace: the drawer, and the keys that open it. */
export function QuickActionsHost() {
  const isOpen = useQuickActionsOpen()
  // Once it has been opened it stays, to slide out again.
  const [isWanted, setIsWanted] = useState(false)
  if (isOpen && !isWanted) setIsWanted(true)
  useHotkeys([['mod+K', () => hasDialog() || setQuickActions(true)]])
  if (!isWanted) return null
  return (
    <Suspense>
      <QuickActionsDrawer isOpen={isOpen} onClose={() => setQuickActions(false)} />
    </Suspense>
  )
}

/** What stands over the page has the keyboard for itself. */
function hasDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null
}
