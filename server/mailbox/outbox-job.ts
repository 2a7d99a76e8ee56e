import { Readable } from 'node:stream'
import type { Connection } from '@supabase/lite'
import { mailProblemOf, mailProblemWords } from '#domain/mail-problems.ts'
import { dayIsFullWords, paceOf, storesSentMails } from '#domain/mail-providers.ts'
import {
  isFinalAnswer,
  maybeSentUnseenWords,
  maybeSentWords,
  refusalWords,
  type SendProblem,
  sendProblemOf,
} from '#domain/send-problems.ts'
import { doubled, type JobHandler } from '../jobs/jobs.ts'
import { describeError, logProblem } from '../log.ts'
import type { MailAccount } from './account.ts'
import type { MailRule } from './connect.ts'
import type { MailKey } from './mail-key.ts'
import type { Attached, OutgoingRow } from './mail-message.ts'
import { storedAccount, tellState } from './mail-store.ts'
import { fileContent, type OutboxStore, outboxStore } from './outbox-store.ts'
import type { Refused, Smtp } from './smtp.ts'

/** Accounts for which one process sends at the same time; each holds a mail of up to 35 MB. */
const accountsAtOnce = 4
/** The end of a mail that is kept back until it is noted; in bytes. */
const chunk = 65_536

/** In seconds. */
const pauseBeforeRetry = doubled(30, 3600)
const pauseBeforeCopy = doubled(60, 3600)
/** In milliseconds: a mail that leaves so much later than planned may have left before. */
const late = 600_000
/** In seconds: a provider that stores what it sends may need a moment; then the user is asked. */
const lookingFor = 30
const pauseBeforeLook = 10
/** After so many attempts the user sees that there is no copy. */
const mostTriesOfCopy = 4

type Parts = { connection: Connection; key: MailKey | null; rule: MailRule }

/** Somebody else has this mail now, or the server stops: its end must not be sent. */
class NotOurs extends Error {}

/**
 * Sends the due mails of one account, one at a time. Nothing is sent twice: a mail is noted as "sending" before
 * the server is asked, and as "handed" before its end is sent. If no answer comes after that, nobody knows whether it has
 * left: then the job looks in the sent folder, for half a minute. If the mail is not there, it counts as failed, and the
 * user decides; before it is sent again, the job looks once more.
 */
export function outboxJob({ connection, key, rule }: Parts): JobHandler {
  const db = connection.kysely
  /** Late mails of each account that need no second look: not in the sent folder, or the folder could not be read. */
  const lookedFor = new Map<string, Set<string>>()
  return {
    atOnce: accountsAtOnce,
    async work({ key: id }, signal) {
      const stored = await storedAccount(db, id)
      // The account is paused or deleted. Resuming it plans this job again.
      if (!stored?.account.smtp_host || stored.isPaused) return
      const { account, secret, name, pace } = stored
      const password = secret && key ? key.open(secret, account) : null
      if (password === null) {
        const words = secret ? mailProblemWords('key', account.imap_host, account.imap_port) : null
        await tellState(db, id, 'locked', words)
        return
      }
      const limits = paceOf({ ...account, pace })
      const store = outboxStore(db, account, limits)
      const sender = { account, password, rule, store, from: { address: account.address, name } }
      for (const mail of await store.leftSending()) await settle(sender, mail)
      signal.throwIfAborted()
      const uncopied = await store.withoutCopy()
      if (uncopied) await copy(sender, uncopied)
      signal.throwIfAborted()
      const mail = await store.take()
      if (mail) await send(sender, mail, signal)
      if (limits.perDay !== null) {
        await store.tellDayIsFull(dayIsFullWords(account.smtp_host, limits.perDay))
      }
      const wait = await store.wait()
      if (wait === null) lookedFor.delete(id)
      return wait === null ? undefined : { againIn: Math.max(wait, 0) }
    },
    pause: doubled(10, 600),
  }

  type Sender = {
    account: MailAccount
    password: string
    rule: MailRule
    store: OutboxStore
    from: { address: string; name: string | null }
  }

  async function send(sender: Sender, mail: OutgoingRow, signal: AbortSignal): Promise<void> {
    const { account, password, store, from } = sender
    const host = account.smtp_host ?? ''
    // A restored copy of the installation may hold a mail as planned that has left since the copy was made.
    const isLate = mail.send_at.getTime() < Date.now() - late
    if (mail.may_have_left || (isLate && !lookedFor.get(account.id)?.has(mail.id))) {
      const found = await lookForLate(sender, mail)
      if (found === 'there') return
      // The user has asked for another try, not for a second copy.
      if (found === 'unseen' && mail.may_have_left) {
        return await store.mayHaveLeft(mail, maybeSentUnseenWords)
      }
    }
    const progress = { isHanded: false }
    /** The text in pieces; the last only when it is noted that it is sent. */
    async function* pieces(raw: Buffer) {
      const last = Math.max(raw.length - chunk, 0)
      for (let at = 0; at < last; at += chunk) yield raw.subarray(at, Math.min(at + chunk, last))
      if (signal.aborted || !(await store.handed(mail))) throw new NotOurs()
      progress.isHanded = true
      yield raw.subarray(last)
    }
    let smtp: Smtp | null = null
    let refused: Refused[] = []
    try {
      // Loaded with the first mail: few installations send any.
      const { openSmtp } = await import('./smtp.ts')
      const { envelopeOf } = await import('./mail-message.ts')
      const raw = await written(mail, from)
      smtp = await openSmtp(account, password, rule)
      const envelope = { ...envelopeOf(mail, from.address), size: raw.length }
      refused = await smtp.send(envelope, Readable.from(pieces(raw), { objectMode: false }))
    } catch (error) {
      if (error instanceof NotOurs || (signal.aborted && !progress.isHanded)) {
        await store.notBegun(mail)
        signal.throwIfAborted()
        return
      }
      if (progress.isHanded && !hasAnswered(error)) return await settle(sender, mail)
      const problem = problemOf(error, account)
      await store.failed(mail, problem, problem.isFinal ? null : pauseBeforeRetry(mail.tries))
      return
    } finally {
      smtp?.close()
    }
    const { plainAddress } = await import('./mail-message.ts')
    const left = refused.map(({ recipient, response }) => {
      const isFinal = isFinalAnswer(response)
      const matches = ({ address }: { address: string }) => plainAddress(address) === recipient
      return {
        address: mail.recipients.find(matches)?.address ?? '',
        words: refusalWords(host, response, isFinal),
        again_in: isFinal ? null : pauseBeforeRetry(mail.tries),
      }
    })
    await insist(() => store.sent(mail, from, left, !storesSentMails(host)))
  }

  async function written(mail: OutgoingRow, from: Sender['from']): Promise<Buffer> {
    const { UnsendableMail, writeMail } = await import('./mail-message.ts')
    const files: Attached[] = []
    for (const file of mail.attachments) {
      const bytes = await fileContent(db, mail.user_id, file)
      if (!bytes) throw new UnsendableMail(`The file “${file.name}” no longer exists.`)
      files.push({ name: file.name, type: file.type, bytes })
    }
    return writeMail(mail, from, files)
  }

  /** Decides about a mail that may have left: if it is in the sent folder it has; otherwise the user decides. */
  async function settle(sender: Sender, mail: OutgoingRow): Promise<void> {
    const { store, from } = sender
    if ((await inSentFolderOf(sender, [mail]))?.has(mail.id)) {
      return await store.sent(mail, from, [], false)
    }
    const isNew = Date.now() - (mail.handed_at?.getTime() ?? Date.now()) < lookingFor * 1000
    if (isNew) await store.lookAgain(mail, pauseBeforeLook)
    else await store.mayHaveLeft(mail, maybeSentWords)
  }

  /** Looks for this mail, and for all others that are late, by one sign-in: what is there has left. */
  async function lookForLate(
    sender: Sender,
    mail: OutgoingRow,
  ): Promise<'there' | 'missing' | 'unseen'> {
    const { store, from, account } = sender
    const others = await store.late(late / 1000)
    const all = [mail, ...others.filter(({ id }) => id !== mail.id)]
    const there = await inSentFolderOf(sender, all)
    // Where the mailbox cannot be read, it is not tried for each of them.
    lookedFor.set(account.id, new Set(all.map(({ id }) => id)))
    if (!there) return 'unseen'
    for (const each of all) if (there.has(each.id)) await store.sent(each, from, [], false)
    return there.has(mail.id) ? 'there' : 'missing'
  }

  /** Which of these mails lie in the sent folder; null when it cannot be read. */
  async function inSentFolderOf(
    sender: Sender,
    mails: readonly OutgoingRow[],
  ): Promise<Set<string> | null> {
    try {
      return await inSentFolder(sender, async (client, folder) => {
        const { findSent } = await import('./sent-copy.ts')
        const there = new Set<string>()
        for (const { id, message_id } of mails) {
          if (folder !== null && (await findSent(client, folder, message_id))) there.add(id)
        }
        return there
      })
    } catch (error) {
      logProblem(`The folder of sent mails could not be looked at: ${describeError(error)}`)
      return null
    }
  }

  async function copy(sender: Sender, mail: OutgoingRow): Promise<void> {
    const { account, store, from } = sender
    try {
      const raw = await written(mail, from)
      const place = await inSentFolder(sender, async (client, folder) => {
        const { putSentCopy } = await import('./sent-copy.ts')
        if (folder === null) throw new Error('There is no folder for sent mails')
        const date = mail.tried_at ?? new Date()
        return putSentCopy(client, folder, { messageId: mail.message_id, raw, date })
      })
      await store.copied(mail, place)
    } catch (error) {
      const words = `It was sent, but no copy could be put into the sent folder of ${account.address}. ${mailProblemWords(mailProblemOf(error), account.imap_host, account.imap_port)}`
      const isLast = mail.tries + 1 >= mostTriesOfCopy
      await store.notCopied(mail, words, isLast ? null : pauseBeforeCopy(mail.tries + 1))
    }
  }

  async function inSentFolder<Result>(
    { account, password }: Sender,
    look: (client: import('imapflow').ImapFlow, folder: string | null) => Promise<Result>,
  ): Promise<Result> {
    const { closeMailbox, openMailbox } = await import('./connect.ts')
    const { sentFolderOf } = await import('./folders.ts')
    const client = await openMailbox(account, password, rule)
    try {
      return await look(client, sentFolderOf(await client.list()))
    } finally {
      await closeMailbox(client)
    }
  }
}

/** The server has the mail: this must be noted, also when the database is away for a moment. */
async function insist(note: () => Promise<void>): Promise<void> {
  for (let pause = 500; pause <= 8000; pause *= 2) {
    try {
      return await note()
    } catch (error) {
      logProblem(`A sent mail could not be noted yet: ${describeError(error)}`)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  await note()
}

/** Whether the server itself answered that it did not take the mail. */
function hasAnswered(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'responseCode' in error &&
    typeof error.responseCode === 'number'
  )
}

function problemOf(error: unknown, account: MailAccount): SendProblem {
  if (error instanceof Error && error.name === 'UnsendableMail') {
    return { words: `${error.message} It wasn’t sent.`, isFinal: true, isOfAccount: false }
  }
  return sendProblemOf(error, account.smtp_host ?? '', account.smtp_port)
}
