import type { ImapFlow } from 'imapflow'
import { foldersToRead } from './folders.ts'
import type { Place } from './outbox-store.ts'

/** Whether a mail still lies where it was seen: it may have been moved, or the folder has given its mails new numbers. */
export async function isAt(client: ImapFlow, place: Place, messageId: string): Promise<boolean> {
  const list = await client.list()
  if (!list.some(({ path }) => path === place.folder)) return false
  const opened = await client.mailboxOpen(place.folder, { readOnly: true })
  if (Number(opened.uidValidity) !== place.validity) return false
  const found = await client.fetchOne(String(place.uid), { envelope: true }, { uid: true })
  if (!found) return false
  return isMadeUp(messageId) || found.envelope?.messageId?.trim() === messageId
}

/** Where a mail lies in a mailbox, by its Message-ID: first in the folders that are read, then in the others, such as the trash. */
export async function findMail(client: ImapFlow, messageId: string): Promise<Place | null> {
  if (isMadeUp(messageId)) return null
  const list = await client.list()
  const likely = foldersToRead(list).map(({ path }) => path)
  const others = list
    .filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'))
    .map(({ path }) => path)
  for (const folder of new Set([...likely, ...others])) {
    const place = await placeIn(client, folder, messageId)
    if (place) return place
  }
  return null
}

async function placeIn(client: ImapFlow, folder: string, messageId: string): Promise<Place | null> {
  try {
    const opened = await client.mailboxOpen(folder, { readOnly: true })
    const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
    const [uid] = found || []
    return uid ? { folder, validity: Number(opened.uidValidity), uid } : null
  } catch (error) {
    // One that is closed to this user must not hold up the others.
    if (!client.usable) throw error
    return null
  }
}

/** A mail without an id is known by a hash of its envelope, which no server can search for. */
function isMadeUp(messageId: string): boolean {
  return messageId.endsWith('@without-id>')
}
