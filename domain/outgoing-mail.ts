import { z } from 'zod'

/** How long a mail that is sent "now" waits, so that it can be taken back. */
export const undoSeconds = 10

/** What mailboxes take of attached files together. */
export const mostAttachedBytes = 25 * 1_048_576

/** So many mails can be planned at once, each to somebody else. */
export const mostMailsAtOnce = 500

/** So many people one mail goes to. */
export const mostRecipients = 100

const person = z.object({ address: z.string(), name: z.string().optional() })

/** Somebody a mail goes to. */
type MailPerson = z.infer<typeof person>

/** A mail as `plan_mails` takes it. */
export type PlannedMail = {
  /** The same for all tries, so that a lost answer never sends a mail twice. */
  id?: string
  account: string
  to: MailPerson[]
  cc: MailPerson[]
  bcc: MailPerson[]
  subject: string
  text: string
  html: string | null
  /** Ids of files of the account. */
  files: string[]
  /** The mail that it answers. */
  answers: string | null
  deal: string | null
  follow_up_days: number | null
  /** Null for now. */
  send_at: string | null
}

/** The answer of `plan_mails`. */
export const mailsPlanned = z.object({
  run: z.uuid().nullable(),
  ids: z.array(z.uuid()),
  leaves_at: z.string(),
  /** Why they do not leave by themselves, in words; null where nothing is in the way. */
  waits: z.string().nullable(),
})

/** The answer of `stop_mails` and `stop_run`. `gone`: too late. */
export const mailsStopped = z.object({ stopped: z.array(z.uuid()), gone: z.array(z.uuid()) })

/** The answer of `hold_mails`. `gone`: too late. */
export const mailsHeld = z.object({ gone: z.array(z.uuid()) })

/** The answer of `retry_mails` and `retry_run`. */
export const mailsRetried = z.object({ planned: z.array(z.uuid()) })

const outgoingState = z.enum(['planned', 'sending', 'sent', 'failed', 'stopped'])

/** The answer of `outgoing_mail`. */
export const outgoingMail = z.object({
  id: z.uuid(),
  run: z.uuid().nullable(),
  state: outgoingState,
  account: z.uuid().nullable(),
  to: z.array(person),
  cc: z.array(person),
  bcc: z.array(person),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  files: z.array(z.object({ id: z.uuid(), name: z.string(), type: z.string(), size: z.number() })),
  answers: z.uuid().nullable(),
  deal: z.uuid().nullable(),
  follow_up_days: z.number().nullable(),
  send_at: z.string(),
  tries: z.number(),
  problem: z.string().nullable(),
})

export type OutgoingMail = z.infer<typeof outgoingMail>

const outboxRun = z.object({
  run: z.uuid(),
  subject: z.string().nullable(),
  total: z.number(),
  sent: z.number(),
  failed: z.number(),
  /** So many of the failed may have left: each is decided about by itself. */
  may_have_left: z.number(),
  stopped: z.number(),
  waiting: z.number(),
  next_at: z.string().nullable(),
})

export type OutboxRun = z.infer<typeof outboxRun>

const outboxMail = z.object({
  id: z.uuid(),
  run: z.uuid().nullable(),
  /** `sent` only with a problem: it has left, and there is something to tell. */
  state: outgoingState,
  send_at: z.string(),
  /** Everybody it goes to, cc and bcc too. */
  to: z.array(person),
  subject: z.string(),
  tries: z.number(),
  /** A try ended without an answer: sent again, it could arrive twice. */
  may_have_left: z.boolean(),
  problem: z.string().nullable(),
  account: z.uuid().nullable(),
})

export type OutboxMail = z.infer<typeof outboxMail>

/** The answer of `outbox`. `next`, where there are more, is `before` of the next page, letter by letter. */
export const outbox = z.object({
  runs: z.array(outboxRun),
  mails: z.array(outboxMail),
  next: z.string().nullable(),
})
