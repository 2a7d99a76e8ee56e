export { quickActions } from './quick-actions.ts'
export { QuickActionsButton } from './quick-actions-button.tsx'
export { QuickActionsHost } from './quick-actions-host.tsx'
export { quickActionsShortcut } from './quick-actions-switch.ts'
