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

/**
 * Hands the mails that were kept over to the mail server.
 * @param onSent told of each that the mail server has taken, with its kind
 */
export function letterJob(
  handOver: SendMail,
  onSent: (kind: string, account: string) => Promise<void> = async () => {},
  now: () => number = Date.now,
): JobHandler {
  return {
    async work({ key, account, payload }) {
      const { message, expires_at } = kept.parse(payload)
      if (expires_at <= now()) {
        logProblem('A mail could not be sent before it was of no use, and is given up.')
        return
      }
      try {
        await handOver({ ...message, ...(account ? { account } : {}) })
      } catch (error) {
        if (!isRefusedForGood(error)) {
          logProblem(`A mail could not be sent and is kept: ${describeError(error)}`)
          throw error
        }
        logProblem(`The mail server refused a mail for good: ${describeError(error)}`)
        return
      }
      // What fails now must not send the mail again.
      if (account) await onSent(key.split(' ')[1] ?? '', account).catch(noteFailure)
      return
    },
    pause: (tries) => pauseSeconds(tries),
  }
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
