import { type LetterParts, writeLetter } from './letter.ts'
import type { LetterKind, SendLetter } from './message.ts'

/** The data that @supabase/lite passes with a mail, as far as we use it. */
type MailMeta = { userId?: string; currentEmail?: string; newEmail?: string }

type SendLink = (email: string, token: string, otp: string, meta?: MailMeta) => Promise<void>

/** The shape @supabase/lite expects of a mailer; it exports no type for it. */
export type AuthMailer = {
  sendConfirmation: SendLink
  sendRecovery: SendLink
  sendMagicLink: SendLink
  sendEmailChange: SendLink
  sendReauthentication(email: string, otp: string, meta?: MailMeta): Promise<void>
}

/** How long a link or a code works. */
export const validSeconds = 3600
// A mail that waited for the mail server arrives late, but the hour has begun before.
const expiry = 'This link works once and expires after 1 hour.'
const ignore = 'If you didn’t ask for this, you can ignore this email.'

/** Writes the account mails in our own words; lite's stock ones carry its name and another look. */
export function createAuthMailer(options: { siteUrl: string; send: SendLetter }): AuthMailer {
  const { siteUrl, send } = options

  async function post(
    kind: LetterKind,
    to: string,
    subject: string,
    letter: LetterParts,
    meta: MailMeta | undefined,
  ): Promise<void> {
    const account = meta?.userId
    if (!account) throw new Error('A letter must be about an account')
    await send({ to, subject, ...writeLetter(letter), account, kind, validSeconds })
  }

  /**
   * A link to a page with a button, because mail scanners open links and must not use them up. The token stands after
   * the #, so that it reaches no server and no log.
   */
  function linkTo(token: string, type: LetterKind): string {
    return `${siteUrl}/auth#${new URLSearchParams({ token_hash: token, type })}`
  }

  return {
    async sendConfirmation(email, token, _otp, meta) {
      await post(
        'signup',
        email,
        'Confirm your email address for Solo CRM',
        {
          title: 'Confirm your email address',
          lines: [`Confirm ${email} to finish creating your Solo CRM account.`],
          action: { label: 'Confirm email address', url: linkTo(token, 'signup') },
          notes: [expiry, ignore],
        },
        meta,
      )
    },
    async sendRecovery(email, token, _otp, meta) {
      await post(
        'recovery',
        email,
        'Set a new password for Solo CRM',
        {
          title: 'Set a new password',
          lines: [`Someone asked to reset the password for ${email}.`],
          action: { label: 'Set a new password', url: linkTo(token, 'recovery') },
          notes: [expiry, ignore],
        },
        meta,
      )
    },
    async sendMagicLink(email, token, _otp, meta) {
      await post(
        'magiclink',
        email,
        'Sign in to Solo CRM',
        {
          title: 'Sign in',
          lines: [`Sign in as ${email} without a password.`],
          action: { label: 'Sign in', url: linkTo(token, 'magiclink') },
          notes: [expiry, ignore],
        },
        meta,
      )
    },
    async sendEmailChange(email, token, _otp, meta) {
      const from = meta?.currentEmail || email
      const to = meta?.newEmail || email
      await post(
        'email_change',
        email,
        'Confirm your new email address for Solo CRM',
        {
          title: 'Confirm your new email address',
          lines: [`Your email address will change from ${from} to ${to}.`],
          action: { label: 'Confirm the change', url: linkTo(token, 'email_change') },
          notes: [expiry, ignore],
        },
        meta,
      )
    },
    async sendReauthentication(email, otp, meta) {
      await post(
        'reauthentication',
        email,
        'Your code for Solo CRM',
        {
          title: 'Confirm it’s you',
          lines: ['Enter this code in Solo CRM:'],
          code: otp,
          notes: ['This code works once and expires after 1 hour.', ignore],
        },
        meta,
      )
    },
  }
}
