import type { ImapFlow } from 'imapflow'
import type { Place } from './outbox-store.ts'

/** Where a mail with this Message-ID lies among the sent ones; null where it does not. */
export async function findSent(
  client: ImapFlow,
  folder: string,
  messageId: string,
): Promise<Place | null> {
  const opened = await client.mailboxOpen(folder, { readOnly: true })
  const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
  // A refused search must not count as "not there": the mail would be sent or stored twice.
  if (!found) throw new Error('The sent folder could not be searched')
  const [uid] = found
  return uid ? { folder, validity: Number(opened.uidValidity), uid } : null
}

/**
 * Puts a copy of a sent mail into the sent folder, unless it is there: the provider may have stored it, or an earlier
 * try whose answer was lost. The only thing that is ever written to a mailbox.
 */
export async function putSentCopy(
  client: ImapFlow,
  folder: string,
  mail: { messageId: string; raw: Buffer; date: Date },
): Promise<Place | null> {
  const known = await findSent(client, folder, mail.messageId)
  if (known) return known
  // A folder that is open read-only takes no flags, and the copy would look unread.
  await client.mailboxClose()
  const added = await client.append(folder, mail.raw, ['\\Seen'], mail.date)
  if (!added) throw new Error('The copy was refused')
  const { uid, uidValidity } = added
  return uid && uidValidity ? { folder, validity: Number(uidValidity), uid } : null
}
