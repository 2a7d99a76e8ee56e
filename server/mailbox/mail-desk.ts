import { Readable } from 'node:stream'
import type { ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import type { RequestConnection } from '../backend/connections.ts'
import type { JobHandler } from '../jobs/jobs.ts'
import type { MailAccount } from './account.ts'
import type { MailRule } from './connect.ts'
import type { FoundServers } from './find-servers.ts'
import type { MailKey } from './mail-key.ts'
import { keepSecret, storedAccount } from './mail-store.ts'
import { mailboxJob } from './mailbox-job.ts'
import { outboxJob } from './outbox-job.ts'
import { fileContent, type Place } from './outbox-store.ts'
import type { TestedServers } from './test-servers.ts'

/** What an attachment holds, as it comes out of the mailbox. It fails where the connection does: a part is not the whole. */
type AttachedFile = { content: ReadableStream<Uint8Array> }

/** What the app asks about accounts for mail. Whoever asks has shown that the account is theirs. */
export type MailDesk = {
  /** Whether there is a key to encrypt passwords with. */
  isReady: boolean
  rule: MailRule
  find(address: string): Promise<FoundServers>
  /** Without a password, uses the one that is stored for exactly these servers; null when none is stored. */
  test(account: MailAccount, password: string | null): Promise<TestedServers | null>
  keep(account: MailAccount, password: string): Promise<void>
  /** Whether saving the account like this would lose its password, which is kept for its present servers alone. */
  wouldLock(account: MailAccount): Promise<boolean>
  /** Reads an attachment of any size out of the mailbox; null where it is not there any more. */
  attachment(owner: string, mail: string, part: string): Promise<AttachedFile | null>
  /** Reads the mailboxes. */
  job: JobHandler
  /** Sends the planned mails. */
  outbox: JobHandler
  close(): Promise<void>
}

/** How much of an attachment is asked for at once, in bytes as they lie in the mailbox. */
const pieceOfAttachment = 1_000_000

export function openMailDesk(parts: {
  connection: RequestConnection
  key: MailKey | null
  rule: MailRule
}): MailDesk {
  const { connection, key, rule } = parts
  const db = connection.kysely
  const listeners = new Map<string, Set<() => void>>()
  const stopHearing = connection.hear({
    onNotice: ({ channel, payload }) => {
      if (channel === 'solo_mail') for (const listener of listeners.get(payload) ?? []) listener()
    },
    onGap: () => {},
  })

  function onNews(account: string, listener: () => void): () => void {
    const known = listeners.get(account) ?? new Set()
    listeners.set(account, known.add(listener))
    return () => {
      known.delete(listener)
      if (known.size === 0) listeners.delete(account)
    }
  }

  /** The password that is kept for these very servers. */
  async function keptPassword(account: MailAccount): Promise<string | null> {
    const stored = await storedAccount(db, account.id)
    if (!stored?.secret || stored.account.user_id !== account.user_id) return null
    return key?.open(stored.secret, account) ?? null
  }

  /** Reads a part of a mail out of this mailbox, wherever it lies there by now; ends the connection with it. */
  async function contentOf(
    client: ImapFlow,
    account: string,
    mail: string,
    part: string,
    { message_id, account_id, folder, validity, uid }: Attached,
  ): Promise<ReadableStream<Uint8Array> | null> {
    const { closeMailbox } = await import('./connect.ts')
    const { findMail, isAt } = await import('./find-mail.ts')
    let content: Readable | undefined
    try {
      const known = account === account_id && folder !== null ? { folder, validity, uid } : null
      const isThere = known !== null && (await isAt(client, known, message_id))
      const place = isThere ? known : await findMail(client, message_id)
      if (place) {
        if (!isThere) await keepPlace(mail, account, place)
        const asked = { uid: true, chunkSize: pieceOfAttachment }
        content = (await client.download(String(place.uid), part, asked)).content
      }
    } finally {
      if (!content) await closeMailbox(client)
    }
    if (!content) return null
    // Read to its end, or given up by the caller.
    content.once('close', () => void closeMailbox(client))
    return Readable.toWeb(content) as ReadableStream<Uint8Array>
  }

  /** Stores where the mail was found, so that the next request need not search for it. */
  async function keepPlace(mail: string, account: string, { folder, validity, uid }: Place) {
    await sql`
      update public.mails set account_id = ${account}::uuid, folder = ${folder}, folder_validity = ${validity}::bigint,
        uid = ${uid}::bigint
      where id = ${mail}::uuid and not is_private`.execute(db)
  }

  return {
    isReady: key !== null,
    rule,
    async find(address) {
      const { findServers } = await import('./find-servers.ts')
      return findServers(address, rule)
    },
    async test(account, given) {
      const password = given ?? (await keptPassword(account))
      if (password === null) return null
      const { testServers } = await import('./test-servers.ts')
      return testServers(account, password, rule)
    },
    async keep(account, password) {
      if (!key) throw new Error('There is no key for passwords')
      await keepSecret(db, account, key.seal(password, account))
    },
    async wouldLock(account) {
      const stored = await storedAccount(db, account.id)
      if (!stored || (await keptPassword(stored.account)) === null) return false
      return (await keptPassword({ ...account, user_id: stored.account.user_id })) === null
    },
    async attachment(owner, mail, part) {
      const { rows } = await sql<Attached>`
        select m.message_id, m.account_id, m.folder, m.folder_validity as validity, m.uid,
          a.reported ->> 'sha256' as sha256, (a.reported ->> 'size')::float8 as size
        from public.mails m cross join lateral jsonb_array_elements(m.attachments) a (reported)
        where m.user_id = ${owner}::uuid and m.id = ${mail}::uuid and a.reported ->> 'part' = ${part}`.execute(
        db,
      )
      const [wanted] = rows
      if (!wanted) return null
      // Of a mail that we have sent ourselves the file may still be here.
      if (wanted.sha256) {
        const { sha256, size } = wanted
        const bytes = await fileContent(db, owner, { sha256, size })
        if (bytes) return { content: new Blob([new Uint8Array(bytes)]).stream() }
      }
      const accounts = await sql<{ id: string }>`
        select a.id from public.mail_accounts a where a.user_id = ${owner}::uuid
        order by a.id is distinct from ${wanted.account_id}::uuid, a.created_at`.execute(db)
      let problem: unknown = null
      for (const { id } of accounts.rows) {
        const stored = await storedAccount(db, id)
        const password = stored && (await keptPassword(stored.account))
        if (!stored || password === null) continue
        try {
          const { openMailbox } = await import('./connect.ts')
          const client = await openMailbox(stored.account, password, rule)
          const content = await contentOf(client, id, mail, part, wanted)
          if (content) return { content }
        } catch (error) {
          // It may lie in another mailbox that answers.
          problem ??= error
        }
      }
      if (problem) throw problem
      return null
    },
    job: mailboxJob({ connection, key, rule, onNews }),
    outbox: outboxJob({ connection, key, rule }),
    close: stopHearing,
  }
}

type Attached = {
  message_id: string
  account_id: string | null
  folder: string | null
  validity: number
  uid: number
  sha256: string | null
  size: number
}
