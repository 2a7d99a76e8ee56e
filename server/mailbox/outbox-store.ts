import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import type { SendingPace } from '#domain/mail-providers.ts'
import type { SendProblem } from '#domain/send-problems.ts'
import type { MailAccount } from './account.ts'
import { type OutgoingRow, outgoingRow } from './mail-message.ts'

type Database = Connection['kysely']

/** Where a mail lies in a mailbox. */
export type Place = { folder: string; validity: number; uid: number }

type Row = { mail: unknown }

/** A recipient that the server refused, and why; `again_in` in seconds where it is tried again. */
export type RefusedWords = { address: string; words: string; again_in: number | null }

/** What the sender of an account asks and notes; the rules are in the database (`…_sender_of_mails.sql`). */
export function outboxStore(db: Database, account: MailAccount, pace: SendingPace) {
  const { id } = account
  const { perHour, perDay } = pace
  return {
    /** Mails that a process was sending when it died, as far as they may have left. The others are planned again. */
    async leftSending(): Promise<OutgoingRow[]> {
      const { rows } = await sql<Row>`
        select to_jsonb(o) as mail from private.left_sending(${id}::uuid) o`.execute(db)
      return rows.map(({ mail }) => outgoingRow.parse(mail))
    },
    async take(): Promise<OutgoingRow | null> {
      const { rows } = await sql<Row>`
        select to_jsonb(o) as mail from private.take_outgoing(${id}::uuid, ${perHour}::integer, ${perDay}::integer) o`.execute(
        db,
      )
      return rows[0] ? outgoingRow.parse(rows[0].mail) : null
    },
    /** One whose copy for the sent folder is due. */
    async withoutCopy(): Promise<OutgoingRow | null> {
      const { rows } = await sql<Row>`
        select to_jsonb(o) as mail from private.outgoing_mails o
        where o.account_id = ${id}::uuid and o.needs_copy and o.held_until <= now() order by o.held_until limit 1`.execute(
        db,
      )
      return rows[0] ? outgoingRow.parse(rows[0].mail) : null
    },
    /** In how many seconds there is something to do; null for never. */
    async wait(): Promise<number | null> {
      const { rows } = await sql<{ seconds: number | null }>`
        select private.outbox_wait(${id}::uuid, ${perHour}::integer, ${perDay}::integer) as seconds`.execute(
        db,
      )
      return rows[0]?.seconds ?? null
    },
    /** What waits says that the provider takes no more today, as long as that is so. */
    async tellDayIsFull(words: string): Promise<void> {
      await sql`select private.tell_day_is_full(${id}::uuid, ${perDay}::integer, ${words})`.execute(
        db,
      )
    },
    /** Those that should have left so many seconds ago, at most 500. */
    async late(seconds: number): Promise<OutgoingRow[]> {
      const { rows } = await sql<Row>`
        select to_jsonb(o) as mail from private.outgoing_mails o
        where o.account_id = ${id}::uuid and o.state = 'planned'
          and o.send_at < now() - make_interval(secs => ${seconds}::float8)
        order by o.send_at limit 500`.execute(db)
      return rows.map(({ mail }) => outgoingRow.parse(mail))
    },
    async handed(mail: OutgoingRow): Promise<boolean> {
      const { rows } = await sql<{ holds: boolean }>`
        select private.note_handed(${mail.id}::uuid, ${mail.tries}::integer) as holds`.execute(db)
      return rows[0]?.holds ?? false
    },
    async sent(
      mail: OutgoingRow,
      from: { address: string; name: string | null },
      refused: RefusedWords[],
      needsCopy: boolean,
    ): Promise<void> {
      await sql`
        select private.note_sent(${mail.id}::uuid, ${JSON.stringify(refused)}::jsonb, ${needsCopy}::boolean,
          ${from.address}, ${from.name}::text)`.execute(db)
    },
    async failed(mail: OutgoingRow, problem: SendProblem, againIn: number | null): Promise<void> {
      await sql`
        select private.note_failed(${mail.id}::uuid, ${mail.tries}::integer, ${problem.words}, ${againIn}::float8,
          ${problem.isOfAccount}::boolean)`.execute(db)
    },
    /** Nobody knows whether it has left: its owner decides. */
    async mayHaveLeft(mail: OutgoingRow, words: string): Promise<void> {
      await sql`
        select private.note_failed(${mail.id}::uuid, ${mail.tries}::integer, ${words}, null, false, true)`.execute(
        db,
      )
    },
    async lookAgain(mail: OutgoingRow, seconds: number): Promise<void> {
      await sql`
        select private.look_again(${mail.id}::uuid, ${mail.tries}::integer, ${seconds}::float8)`.execute(
        db,
      )
    },
    /** Not begun after all: it waits as before. */
    async notBegun(mail: OutgoingRow): Promise<void> {
      await sql`
        update private.outgoing_mails set state = 'planned', tries = greatest(tries - 1, 0)
        where id = ${mail.id}::uuid and state = 'sending' and tries = ${mail.tries}::integer and handed_at is null`.execute(
        db,
      )
    },
    async copied(mail: OutgoingRow, place: Place | null): Promise<void> {
      await sql`
        select private.note_copy(${mail.id}::uuid, ${place && JSON.stringify(place)}::jsonb)`.execute(
        db,
      )
    },
    async notCopied(mail: OutgoingRow, words: string, againIn: number | null): Promise<void> {
      await sql`
        select private.note_copy(${mail.id}::uuid, null, ${words}, ${againIn}::float8)`.execute(db)
    },
  }
}

export type OutboxStore = ReturnType<typeof outboxStore>

/** What a file of an account holds, part after part; null where it is not there whole. */
export async function fileContent(
  db: Database,
  owner: string,
  { sha256, size }: { sha256: string; size: number },
): Promise<Buffer | null> {
  const parts: Buffer[] = []
  for (let part = 0; ; part += 1) {
    const { rows } = await sql<{ bytes: Uint8Array }>`
      select p.bytes from private.file_parts p
      join private.file_contents c on c.user_id = p.user_id and c.sha256 = p.sha256 and c.type is not null
      where p.user_id = ${owner}::uuid and p.sha256 = ${sha256} and p.part = ${part}::integer`.execute(
      db,
    )
    if (!rows[0]) break
    parts.push(Buffer.from(rows[0].bytes))
  }
  const whole = Buffer.concat(parts)
  return whole.length === size && size > 0 ? whole : null
}
