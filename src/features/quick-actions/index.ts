export { QuickActionsButton } from './quick-actions-button.tsx'
export { QuickActionsHost } from './quick-actions-host.tsx'
