import { loadQuickActionsDrawer, QuickActionsHost } from '#features/quick-actions/index.ts'
import { openedPart } from '#ui/lazy-part.tsx'

/** Loads drawer and commands in parallel, when first opened. */
export const QuickActionsDrawer = openedPart(async () => {
  const [{ drawerWithCommands }, { QuickActionsDrawer: Bare }] = await Promise.all([
    import('./drawer-with-commands.tsx'),
    loadQuickActionsDrawer(),
  ])
  return drawerWithCommands(Bare)
})

/** Mounted once in the workspace. */
export function QuickActions() {
  return <QuickActionsHost drawer={QuickActionsDrawer} />
}
