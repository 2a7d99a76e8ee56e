import { lazyPart, openedPart } from '#ui/lazy-part.tsx'
import { SectionPlace } from '#ui/section-place.tsx'

export { conversationParam } from './conversation-param.ts'
export { MailPanel } from './mail-panel.tsx'
export { type MailAccount, useMailAccounts } from './queries.ts'

/** Loaded when the screen is first opened. */
export const loadMailPage = () => import('./mail-page.tsx')

/** A conversation by mail, loaded when it is first opened. */
export const ConversationDrawer = openedPart(
  async () => (await import('./conversation-drawer.tsx')).ConversationDrawer,
)

/** The conversations on a record's page; their code comes after that of the page. */
export const RecordConversations = lazyPart(
  async () => (await import('./on-records/record-conversations.tsx')).RecordConversations,
  { loading: SectionPlace },
)

/** What is wrong with a mailbox; most accounts have none, so it comes after everything else. */
export const MailboxTrouble = lazyPart(
  async () => (await import('./trouble/mailbox-trouble.tsx')).MailboxTrouble,
)
export const MailboxNotice = lazyPart(
  async () => (await import('./trouble/mailbox-trouble.tsx')).MailboxNotice,
)

/** Who was written to twice and is no contact. */
export const PeopleWrittenTo = lazyPart(
  async () => (await import('./on-records/people-written-to.tsx')).PeopleWrittenTo,
)

/** Who waits for an answer. */
export const RepliesWaiting = lazyPart(
  async () => (await import('./on-records/replies-waiting.tsx')).RepliesWaiting,
)
