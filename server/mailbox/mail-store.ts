import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { z } from 'zod'
import { describeError, logProblem } from '../log.ts'
import { type MailAccount, mailAccount } from './account.ts'
import type { Envelope, ReadMail } from './read-mail.ts'
import type { FolderState, MailStore } from './read-mailbox.ts'

type Database = Connection['kysely']

const folders = z.record(z.string(), z.object({ validity: z.number(), last: z.number() }))

/** An account with its password as it is stored. */
export type StoredAccount = {
  account: MailAccount
  secret: string | null
  folders: Record<string, FolderState>
  /** The name that stands before the address in mails, and how many may leave in an hour. */
  name: string | null
  pace: number | null
  /** Neither read nor sent for; what its owner opens is still fetched. */
  isPaused: boolean
}

type Stored = Pick<StoredAccount, 'secret' | 'name' | 'pace'> & {
  is_paused: boolean
  account: unknown
  folders: unknown
}

/** Reads as the owner of the schema: no role of a request sees passwords. */
export async function storedAccount(db: Database, id: string): Promise<StoredAccount | null> {
  const { rows } = await sql<Stored>`
    select to_jsonb(a) as account, s.secret, b.folders, a.name, a.pace, a.is_paused
    from public.mail_accounts a
    left join private.mail_secrets s on s.account_id = a.id
    left join private.mailboxes b on b.account_id = a.id
    where a.id = ${id}::uuid`.execute(db)
  const [row] = rows
  if (!row) return null
  return {
    account: mailAccount.parse(row.account),
    secret: row.secret,
    folders: folders.parse(row.folders ?? {}),
    name: row.name,
    pace: row.pace,
    isPaused: row.is_paused,
  }
}

export async function keepSecret(db: Database, account: MailAccount, secret: string) {
  await sql`
    insert into private.mail_secrets (account_id, user_id, secret)
    values (${account.id}::uuid, ${account.user_id}::uuid, ${secret})
    on conflict (account_id) do update set secret = excluded.secret, created_at = now()`.execute(db)
  await tellState(db, account.id, 'new', null)
  await sql`select private.read_mailbox_soon(a) from public.mail_accounts a where a.id = ${account.id}::uuid`.execute(
    db,
  )
}

export async function tellState(
  db: Database,
  account: string,
  state: 'new' | 'working' | 'failed' | 'locked',
  words: string | null,
): Promise<void> {
  await sql`select private.tell_mail_state(${account}::uuid, ${state}, ${words}::text)`.execute(db)
}

/** What the reader of an account asks the database; the rules are there. */
export function mailStore(db: Database, { account, folders }: StoredAccount): MailStore {
  const { id, user_id } = account
  const addressesOf = ({ sender, recipients }: Envelope) => [
    ...(sender ? [sender] : []),
    ...recipients.map(({ address }) => address),
  ]
  const unkept: string[] = []
  const keep = (mail: ReadMail) =>
    sql`select private.store_mail(${id}::uuid, ${JSON.stringify(mail)}::jsonb)`.execute(db)
  return {
    folders,
    unkept,
    async sift(direction, envelopes) {
      const asked = envelopes.map((envelope) => ({
        message_id: envelope.message_id,
        sender: envelope.sender,
        addresses: addressesOf(envelope),
      }))
      const { rows } = await sql<{ place: number }>`
        select place from private.sift_mails(${user_id}::uuid, ${direction}, ${JSON.stringify(asked)}::jsonb)`.execute(
        db,
      )
      return new Set(rows.map(({ place }) => place - 1))
    },
    async store(mail) {
      try {
        await keep(mail)
      } catch (error) {
        // One mail that the database refuses must not hold up all others. Who wrote it, and when, is kept at least.
        if (!isRefusal(error)) throw error
        logProblem(`A mail could not be kept: ${describeError(error)}`)
        unkept.push(mail.subject ?? 'No subject')
        try {
          await keep(bareMail(mail))
        } catch (second) {
          if (!isRefusal(second)) throw second
        }
      }
    },
    async awaitsReply() {
      const { rows } = await sql<{ awaits: boolean }>`
        select private.awaits_reply(${user_id}::uuid) as awaits`.execute(db)
      return rows[0]?.awaits ?? false
    },
    async noteReplies(replies) {
      await sql`select private.note_replies(${user_id}::uuid, ${JSON.stringify(replies)}::jsonb)`.execute(
        db,
      )
    },
    async noteWrittenTo(envelopes) {
      const seen = envelopes.flatMap(({ message_id, sent_at, recipients }) =>
        recipients.map(({ address, name }) => ({ address, name, message_id, sent_at })),
      )
      if (seen.length === 0) return
      await sql`select private.note_strangers(${user_id}::uuid, ${JSON.stringify(seen)}::jsonb)`.execute(
        db,
      )
    },
    async knowSent(path, validity, envelopes) {
      const seen = envelopes.map(({ message_id, uid }) => ({ message_id, uid }))
      await sql`
        select private.know_sent(${id}::uuid, ${path}, ${validity}::bigint, ${JSON.stringify(seen)}::jsonb)`.execute(
        db,
      )
    },
    async saveFolder(path, state) {
      folders[path] = state
      // Not of the mailbox that the account led to before it was edited.
      await sql`
        update private.mailboxes b set folders = b.folders || jsonb_build_object(${path}::text, ${JSON.stringify(state)}::jsonb)
        from public.mail_accounts a
        where b.account_id = ${id}::uuid and a.id = b.account_id and a.address = ${account.address}
          and a.login is not distinct from ${account.login}::text and a.imap_host = ${account.imap_host}`.execute(
        db,
      )
    },
    async wanted() {
      const { rows } = await sql<{ address: string }>`
        select address from private.mail_wanted where account_id = ${id}::uuid order by address limit 5000`.execute(
        db,
      )
      return rows.map(({ address }) => address)
    },
    async dropWanted(addresses) {
      await sql`
        delete from private.mail_wanted where account_id = ${id}::uuid
          and address in (select jsonb_array_elements_text(${JSON.stringify(addresses)}::jsonb))`.execute(
        db,
      )
      await sql`select private.erase_lost_mails(${user_id}::uuid)`.execute(db)
    },
  }
}

/** A mail without all that a database could refuse; it says itself that there is more of it. */
function bareMail(mail: ReadMail): ReadMail {
  return {
    ...mail,
    ...{ subject: null, snippet: null, body_text: null, body_html: null, sender_name: null },
    ...{ attachments: [], refs: [], is_cut: true },
    recipients: mail.recipients.slice(0, 100).map((person) => ({ ...person, name: '' })),
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}
