import { z } from 'zod'
import { doubled, type JobHandler, type Jobs } from '../jobs/jobs.ts'
import { describeError, logProblem } from '../log.ts'
import { checkMessage, type SendLetter, type SendMail } from './message.ts'

const kept = z.object({
  message: z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string().optional(),
    html: z.string().optional(),
  }),
  /** In milliseconds, as `Date.now()`. */
  expires_at: z.number(),
})

const pauseSeconds = doubled(60, 900)

/**
 * Stores account mails as jobs and returns. A request does not wait for the mail server, because the time would reveal
 * whether there is an account, and an unreachable server must not lose the mail. A newer mail of a kind takes the
 * place of an older one that still waits, whose link it has made void.
 */
export function keepLetters(jobs: Pick<Jobs, 'plan'>): SendLetter {
  return async ({ account, kind, validSeconds, ...message }) => {
    checkMessage(message)
    const payload: z.input<typeof kept> = {
      message,
      expires_at: Date.now() + validSeconds * 1000,
    }
    await jobs.plan('letter', { key: `${account} ${kind}`, account, payload })
  }
}

/** Hands the mails that were kept over to the mail server. */
export function letterJob(handOver: SendMail): JobHandler {
  return {
    async work({ account, payload }) {
      const { message, expires_at } = kept.parse(payload)
      if (expires_at <= Date.now()) {
        logProblem('A mail could not be sent before its link expired, and is given up.')
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
      }
    },
    pause: (tries) => pauseSeconds(tries),
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
