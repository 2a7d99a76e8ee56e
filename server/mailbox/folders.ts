import type { ListResponse } from 'imapflow'

/** A folder of a mailbox that is read. */
export type MailFolder = {
  path: string
  /** What lies among the sent mails was written by the user; all else was written to the user. */
  direction: 'in' | 'out'
  /** The folder's UIDVALIDITY and UIDNEXT; null where the server does not send them with the list. */
  validity: number | null
  next: number | null
  /** Reading the mailbox fails if this folder is closed to the user; any other closed folder is skipped. */
  isNeeded: boolean
}

const sentName = /^sent([ -]?(items|mail|messages))?$/i
const uses: ReadonlySet<string> = new Set([
  '\\Junk',
  '\\Trash',
  '\\Drafts',
  '\\Flagged',
  '\\Important',
])
/** Names of folders that are not read, for servers that do not tell what a folder is for. */
const unreadName =
  /^(junk([ -]?e?-?mail)?|spam|bulk( mail)?|trash|deleted([ -]?(items|messages))?|drafts?|outbox|papierkorb|entwürfe)$/i

/** The folder where sent mails lie; null where there is none. */
export function sentFolderOf(list: readonly ListResponse[]): string | null {
  return (
    list.find(({ specialUse }) => specialUse === '\\Sent')?.path ??
    list.find(({ name }) => sentName.test(name))?.path ??
    null
  )
}

/**
 * The folders that are read: all that can be opened, but for spam, trash, drafts and what lies below them. Where the
 * server has a folder with all mails, this one and the sent mails: every mail would be read twice otherwise. What was
 * sent comes first, so that a copy of it that lies elsewhere is known by then.
 */
export function foldersToRead(list: readonly ListResponse[]): MailFolder[] {
  const sent = sentFolderOf(list)
  const isSent = ({ path, name, specialUse }: ListResponse) =>
    path === sent || specialUse === '\\Sent' || sentName.test(name)
  const isUnread = ({ name, specialUse, specialUseSource }: ListResponse) =>
    // What the server itself says counts more than what the name could mean.
    specialUse && specialUseSource !== 'name'
      ? uses.has(specialUse)
      : unreadName.test(name) || uses.has(specialUse ?? '')
  const below = (matches: (folder: ListResponse) => boolean) => {
    const tops = list.filter((folder) => !isInbox(folder) && matches(folder))
    return (folder: ListResponse) =>
      tops.some(
        ({ path, delimiter }) =>
          folder.path === path || folder.path.startsWith(`${path}${delimiter}`),
      )
  }
  const [isAmongSent, isAmongUnread] = [below(isSent), below(isUnread)]
  const all = list.find(
    ({ specialUse, specialUseSource }) => specialUse === '\\All' && specialUseSource !== 'name',
  )
  const rank = (folder: ListResponse) => (isAmongSent(folder) ? 0 : isInbox(folder) ? 1 : 2)
  return list
    .filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'))
    .filter((folder) => !isAmongUnread(folder))
    .filter((folder) => !all || folder === all || isAmongSent(folder))
    .sort((one, other) => rank(one) - rank(other))
    .map((folder) => ({
      path: folder.path,
      direction: isAmongSent(folder) ? 'out' : 'in',
      validity: folder.status?.uidValidity === undefined ? null : Number(folder.status.uidValidity),
      next: folder.status?.uidNext ?? null,
      isNeeded: isInbox(folder) || folder === all,
    }))
}

function isInbox({ path }: ListResponse): boolean {
  return path.toUpperCase() === 'INBOX'
}
