import { once } from 'node:events'
import type { Connection } from '@supabase/lite'
import { counted } from '#domain/counted.ts'
import { mailProblemOf, mailProblemWords } from '#domain/mail-problems.ts'
import { doubled, type JobHandler } from '../jobs/jobs.ts'
import type { MailRule } from './connect.ts'
import type { MailKey } from './mail-key.ts'
import { mailStore, type StoredAccount, storedAccount, tellState } from './mail-store.ts'
import type { readMailbox as ReadMailbox } from './read-mailbox.ts'

/** Accounts that one process reads at the same time, each with a connection that waits for news. */
const accountsAtOnce = 100
/** In milliseconds. */
const usualPace = { poll: 300_000, session: 3_600_000 }

type Parts = {
  connection: Connection
  key: MailKey | null
  rule: MailRule
  /** Calls back when something about this account has changed, until the returned function is called. */
  onNews(account: string, listener: () => void): () => void
  pace?: Partial<typeof usualPace>
  /** In tests something happens when a mailbox was read. */
  read?: typeof ReadMailbox
}

const pauseAfterFailure = doubled(60, 1800)
/** A provider that is asked too often with a wrong password locks the account. */
const pauseAfterRefusal = doubled(600, 6 * 3600)

/**
 * Reads the mailbox of an account, and waits there for what arrives. The job is the lease: one process has it. It ends
 * once an hour, so that the processes share the accounts out again.
 */
export function mailboxJob({ connection, key, rule, onNews, pace = {}, read }: Parts): JobHandler {
  const { poll, session } = { ...usualPace, ...pace }
  const db = connection.kysely
  return {
    atOnce: accountsAtOnce,
    async work({ key: id }, stopping) {
      const stored = await storedAccount(db, id)
      // Whoever resumes it plans this job again.
      if (!stored || stored.isPaused) return
      const edited = new AbortController()
      const signal = AbortSignal.any([stopping, edited.signal])
      /** Ends the session when the account leads elsewhere by now, has another password, or is paused. */
      async function follow(): Promise<void> {
        const now = await storedAccount(db, id)
        if (!isSameAccount(stored, now)) edited.abort()
      }
      const { account, secret } = stored
      const password = secret && key ? key.open(secret, account) : null
      if (password === null) {
        const words = secret ? mailProblemWords('key', account.imap_host, account.imap_port) : null
        await tellState(db, id, 'locked', words)
        return
      }
      try {
        // Loaded with the first account: few installations have one.
        const { closeMailbox, openMailbox } = await import('./connect.ts')
        const { readMailbox } = await import('./read-mailbox.ts')
        const client = await openMailbox(account, password, rule)
        const stop = () => client.close()
        signal.addEventListener('abort', stop, { once: true })
        // Also while it is read: what changes then, this pass may have missed.
        const bell = newsOf(id, () => void follow().catch(() => {}))
        try {
          // It may have been edited while this connection was made.
          await follow()
          const store = mailStore(db, stored)
          const end = Date.now() + session
          let seen = 0
          let hasRead = false
          do {
            try {
              bell.hasRung = false
              const { inboxNext } = await (read ?? readMailbox)(client, store, signal)
              hasRead = true
              await follow()
              signal.throwIfAborted()
              await tellState(db, id, 'working', wordsOfUnkept(store.unkept))
              // IDLE reports mails of the open folder only, and only those that arrive from now on.
              const inbox = await client.mailboxOpen('INBOX', { readOnly: true })
              const next = Number(inbox.uidNext) || 0
              const isBehind = next > Math.max(inboxNext, seen)
              // The same number causes one further pass only: a server may keep reporting numbers that disagree.
              seen = Math.max(seen, next)
              if (!isBehind && !bell.hasRung) await untilNews(client, bell, signal, poll)
            } catch (error) {
              // A connection lost after a whole pass is no failure: the job opens a new one, and reports if that fails.
              if (!hasRead || client.usable || signal.aborted) throw error
            }
          } while (Date.now() < end && client.usable)
          signal.throwIfAborted()
          return { againIn: client.usable ? 0 : 5 }
        } finally {
          bell.stop()
          signal.removeEventListener('abort', stop)
          await closeMailbox(client)
        }
      } catch (error) {
        if (stopping.aborted) throw error
        // The account was edited: the error belongs to its former state. The new one is read at once.
        if (edited.signal.aborted) return { againIn: 0 }
        const words = mailProblemWords(mailProblemOf(error), account.imap_host, account.imap_port)
        await tellState(db, id, 'failed', words)
        throw error
      }
    },
    pause(tries, error) {
      const problem = mailProblemOf(error)
      return ['password', 'oauth'].includes(problem)
        ? pauseAfterRefusal(tries)
        : pauseAfterFailure(tries)
    },
  }

  /** Whether something about the account has changed in the app, and whoever waits for that. */
  function newsOf(account: string, onRing: () => void): Bell {
    const bell: Bell = { hasRung: false, wake: () => {}, stop: () => {} }
    bell.stop = onNews(account, () => {
      bell.hasRung = true
      bell.wake()
      onRing()
    })
    return bell
  }
}

/** Waits until a mail arrives, something changes in the app, or it is time to look. */
export async function untilNews(
  client: NodeJS.EventEmitter,
  bell: { wake(): void },
  signal: AbortSignal,
  poll: number,
): Promise<void> {
  const over = new AbortController()
  bell.wake = () => over.abort()
  // Not AbortSignal.timeout: as a part of another signal it is collected as garbage, and never ends the wait.
  const timer = setTimeout(() => over.abort(), poll)
  const late = AbortSignal.any([over.signal, signal])
  try {
    await Promise.race([
      once(client, 'exists', { signal: late }),
      once(client, 'close', { signal: late }),
    ])
  } catch {
    // Whatever ended the wait, the caller looks.
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}

/** Whether a session of the one is still right for the other. */
function isSameAccount(one: StoredAccount | null, other: StoredAccount | null): boolean {
  const told = (stored: StoredAccount | null) =>
    stored && JSON.stringify([stored.account, stored.secret, stored.isPaused])
  return told(one) === told(other)
}

type Bell = { hasRung: boolean; wake(): void; stop(): void }

/** What the user is told of mails that the database did not take whole; null where there are none. */
function wordsOfUnkept(subjects: readonly string[]): string | null {
  const [first] = subjects
  if (first === undefined) return null
  const others = subjects.length > 1 ? ` and ${counted(subjects.length - 1, 'other')}` : ''
  return `The email “${first}”${others} could not be kept whole. Read it in your mail app.`
}
