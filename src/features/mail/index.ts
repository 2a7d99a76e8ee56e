import { openedPart } from '#ui/lazy-part.tsx'

export { MailPanel } from './mail-panel.tsx'
export { type MailAccount, useMailAccounts } from './queries.ts'

/** Loaded when the screen is first opened. */
export const loadMailPage = () => import('./mail-page.tsx')

/** A conversation by mail, loaded when it is first opened. */
export const ConversationDrawer = openedPart(
  async () => (await import('./conversation-drawer.tsx')).ConversationDrawer,
)
