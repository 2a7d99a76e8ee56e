import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { z } from 'zod'
import { doubled, type JobHandler, type Jobs } from '../jobs/jobs.ts'
import { describeError, logProblem } from '../log.ts'
import { checkMessage, type MailMessage, type SendLetter, type SendMail } from './message.ts'

const kept = z.object({
  message: z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string().optional(),
    html: z.string().optional(),
    unsubscribeUrl: z.string().optional(),
  }),
  /** In milliseconds, as `Date.now()`. */
  expires_at: z.number(),
  /** A process was about to send the end of this mail, so the mail server may have taken it. */
  is_handed: z.boolean().optional(),
})

/** The payload of a job that hands a mail over, if it can before it is of no use any more. */
export function letterPayload(message: MailMessage, expiresAt: number): z.input<typeof kept> {
  checkMessage(message)
  return { message, expires_at: expiresAt }
}

const pauseSeconds = doubled(60, 900)

/**
 * Stores account mails as jobs and returns. A request does not wait for the mail server, because the time would reveal
 * whether there is an account, and an unreachable server must not lose the mail. A newer mail of a kind takes the
 * place of an older one that still waits, whose link it has made void.
 */
export function keepLetters(jobs: Pick<Jobs, 'plan'>): SendLetter {
  return async ({ account, kind, validSeconds, ...message }) => {
    const payload = letterPayload(message, Date.now() + validSeconds * 1000)
    await jobs.plan('letter', { key: `${account} ${kind}`, account, payload })
  }
}

/** Letters that may rather be lost than be sent twice: nobody waits for a link in them. */
const atMostOnce = new Set(['agenda'])

/** Notes in the database that the end of a letter is about to be sent, in case this process dies then. */
export type LetterAttempts = {
  /** False where the letter is somebody else's by now. */
  begin(letter: LetterTry): Promise<boolean>
  /** It was not taken after all. */
  undo(letter: LetterTry): Promise<void>
}

type LetterTry = { key: string; tries: number }

export function letterAttempts(db: Connection['kysely']): LetterAttempts {
  async function note({ key, tries }: LetterTry, isHanded: boolean): Promise<boolean> {
    const { rows } = await sql<{ holds: boolean }>`
      select private.note_letter(${key}, ${tries}::integer, ${isHanded}::boolean) as holds`.execute(
      db,
    )
    return rows[0]?.holds ?? false
  }
  return {
    begin: (letter) => note(letter, true),
    async undo(letter) {
      await note(letter, false)
    },
  }
}

type LetterParts = {
  handOver: SendMail
  attempts: LetterAttempts
  /** Told of each that the mail server has taken, with its kind. */
  onSent?: (kind: string, account: string) => Promise<void>
  now?: () => number
}

/**
 * Hands the mails that were kept over to the mail server. Where a process dies, or loses the answer, after the end of a
 * mail was handed over, nobody knows whether it was taken: links of an account are sent again, an agenda is not.
 */
export function letterJob({
  handOver,
  attempts,
  onSent = async () => {},
  now = Date.now,
}: LetterParts): JobHandler {
  return {
    async work({ key, account, payload, tries }, signal) {
      const { message, expires_at, is_handed } = kept.parse(payload)
      const kind = key.split(' ')[1] ?? ''
      const isOnce = atMostOnce.has(kind)
      if (expires_at <= now()) {
        logProblem('A mail could not be sent before it was of no use, and is given up.')
        return
      }
      if (isOnce && is_handed) {
        logProblem(unknownEnd)
        return
      }
      let isHanded = false
      async function mayEnd(): Promise<void> {
        signal.throwIfAborted()
        if (isOnce && !(await attempts.begin({ key, tries })))
          throw new Error('Somebody else has it')
        isHanded = true
      }
      try {
        await handOver({ ...message, ...(account ? { account } : {}) }, mayEnd)
      } catch (error) {
        if (isRefusedForGood(error)) {
          logProblem(`The mail server refused a mail for good: ${describeError(error)}`)
          return
        }
        if (isOnce && isHanded && !hasAnswered(error)) {
          logProblem(unknownEnd)
          return
        }
        if (isOnce && isHanded) await attempts.undo({ key, tries })
        logProblem(`A mail could not be sent and is kept: ${describeError(error)}`)
        throw error
      }
      // What fails now must not send the mail again.
      if (account) await onSent(kind, account).catch(noteFailure)
      return
    },
    pause: (tries) => pauseSeconds(tries),
  }
}

const unknownEnd = 'Nobody knows whether an agenda was sent; it is not sent again.'

function hasAnswered(error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
}

function noteFailure(error: unknown): void {
  logProblem(`That a mail was sent could not be noted: ${describeError(error)}`)
}

/**
 * Whether the mail server will never accept this mail, because it refuses the recipient or the text. A refusal of
 * our login is not final: the operator can fix the password.
 */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error && 'command' in error && 'responseCode' in error)) return false
  return Number(error.responseCode) >= 500 && /^(RCPT TO|DATA)$/.test(String(error.command))
}
