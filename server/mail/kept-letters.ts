import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { describeError, logProblem } from '../log.ts'
import { checkMessage, type MailMessage, type SendLetter, type SendMail } from './message.ts'

type Claimed = { id: string; user_id: string; message: Omit<MailMessage, 'account'> }

/** How often to look for mails whose pause is over, or that another process left behind. */
const lookMs = 30_000
/** Longer than one attempt takes; until then no other process tries the same mail. */
const claimSeconds = 120
const firstPauseSeconds = 60
const longestPauseSeconds = 900
/** How long a stop waits for a mail server that does not answer. */
const closeMs = 5000

/** Mails that wait in the database until the mail server accepts them. */
export type KeptLetters = {
  /** Stores the mail and returns; it is sent in the background. */
  send: SendLetter
  /** Tries to send all mails that are due. */
  deliver(): Promise<void>
  close(): Promise<void>
}

/**
 * Queues account mails in the database. A request does not wait for the mail server, because the time would reveal
 * whether there is an account, and an unreachable server must not lose the mail. Several processes may share the
 * database; each claims mails that no other has claimed.
 */
export function keepLetters(connection: Connection, handOver: SendMail): KeptLetters {
  const db = connection.kysely
  // Run outside of the request's async context, which marks its transaction.
  const outside = AsyncLocalStorage.snapshot()
  let isAsked = false
  let isClosed = false
  let round: Promise<void> | null = null

  async function send({ account, kind, validSeconds, ...message }: Parameters<SendLetter>[0]) {
    checkMessage(message)
    await sql`
      insert into private.letters as kept (user_id, kind, message, expires_at)
      values (${account}, ${kind}, ${JSON.stringify(message)}::jsonb, now() + make_interval(secs => ${validSeconds}))
      on conflict (user_id, kind) do update
      set id = excluded.id, message = excluded.message, tries = 0, next_try_at = now(), expires_at = excluded.expires_at`.execute(
      db,
    )
    startRound()
  }

  function startRound(): Promise<void> {
    isAsked = true
    round ??= outside(sendDue)
    return round
  }

  async function sendDue(): Promise<void> {
    try {
      while (isAsked && !isClosed) {
        isAsked = false
        await giveUpExpired()
        for (let letter = await claim(); letter; letter = isClosed ? null : await claim()) {
          await attempt(letter)
        }
      }
    } catch (error) {
      logProblem(`The mails that are kept could not be read: ${describeError(error)}`)
    } finally {
      round = null
    }
  }

  async function attempt({ id, user_id, message }: Claimed): Promise<void> {
    try {
      await handOver({ ...message, account: user_id })
    } catch (error) {
      if (!isRefusedForGood(error)) {
        logProblem(`A mail could not be sent and is kept: ${describeError(error)}`)
        return postpone(id)
      }
      logProblem(`The mail server refused a mail for good: ${describeError(error)}`)
    }
    await sql`delete from private.letters where id = ${id}`.execute(db)
  }

  async function claim(): Promise<Claimed | null> {
    const { rows } = await sql<Claimed>`
      update private.letters
      set tries = tries + 1, next_try_at = now() + make_interval(secs => ${claimSeconds})
      where id = (
        select id from private.letters where next_try_at <= now()
        order by next_try_at limit 1 for update skip locked
      )
      returning id, user_id, message`.execute(db)
    return rows[0] ?? null
  }

  async function postpone(id: string): Promise<void> {
    await sql`
      update private.letters
      set next_try_at = now() + make_interval(
        secs => least(${firstPauseSeconds} * power(2, tries - 1), ${longestPauseSeconds}))
      where id = ${id}`.execute(db)
  }

  async function giveUpExpired(): Promise<void> {
    const { rows } = await sql`
      delete from private.letters where expires_at <= now() returning id`.execute(db)
    if (rows.length > 0) {
      logProblem(`Mails whose links expired before they could be sent: ${rows.length}`)
    }
  }

  const looking = setInterval(startRound, lookMs).unref()
  startRound()

  return {
    send,
    deliver: startRound,
    async close() {
      isClosed = true
      clearInterval(looking)
      const tooLong = new Promise<void>((resolve) => void setTimeout(resolve, closeMs).unref())
      await Promise.race([round, tooLong])
    },
  }
}

/**
 * Whether the mail server will never accept this mail, because it refuses the recipient or the text. A refusal of
 * our login is not final: the operator can fix the password.
 */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error && 'command' in error && 'responseCode' in error)) return false
  return Number(error.responseCode) >= 500 && /^(RCPT TO|DATA)$/.test(String(error.command))
}
