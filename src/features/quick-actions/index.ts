export { quickActions } from './quick-actions.ts'
export { QuickActionsButton } from './quick-actions-button.tsx'
export type { QuickActionsDrawerProps } from './quick-actions-drawer.tsx'
export { QuickActionsHost } from './quick-actions-host.tsx'
export {
  openQuickActions,
  openQuickAdd,
  openSearch,
  quickActionsShortcut,
  searchShortcut,
} from './quick-actions-switch.ts'
export { SearchButton } from './search-button.tsx'

/** The drawer comes when it is first opened. */
export const loadQuickActionsDrawer = () => import('./quick-actions-drawer.tsx')
