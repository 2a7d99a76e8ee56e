export { ConnectionsPanel } from './connections-panel.tsx'
export { Proposals, WaitingMark } from './proposals-part.ts'
export { useRevokeAll } from './queries.ts'
export { SwitchedOffWebhooks } from './webhooks/switched-off-part.ts'

/** Loaded when the screens are first opened. */
export const loadConnectionsPage = () => import('./connections-page.tsx')
export const loadInterfacePage = () => import('./programs/interface-page.tsx')
