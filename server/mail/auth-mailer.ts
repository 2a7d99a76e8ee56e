import { type LetterParts, writeLetter } from './letter.ts'
import type { SendMail } from './message.ts'

/** What @supabase/lite tells about a mail, as far as we use it. */
type MailMeta = { userId?: string; redirectTo?: string; currentEmail?: string; newEmail?: string }

type SendLink = (email: string, token: string, otp: string, meta?: MailMeta) => Promise<void>

/** The shape @supabase/lite expects of a mailer; it exports no type for it. */
export type AuthMailer = {
  sendConfirmation: SendLink
  sendRecovery: SendLink
  sendMagicLink: SendLink
  sendEmailChange: SendLink
  sendReauthentication(email: string, otp: string, meta?: MailMeta): Promise<void>
}

type VerifyType = 'signup' | 'recovery' | 'magiclink' | 'email_change'

const expiry = 'The link works once, for 1 hour.'
const ignore = 'If you did not ask for this, ignore this mail. Nothing changes.'

/** Writes the account mails in our own words; lite's stock ones carry its name and another look. */
export function createAuthMailer(options: { siteUrl: string; send: SendMail }): AuthMailer {
  const { siteUrl, send } = options

  async function post(
    to: string,
    subject: string,
    letter: LetterParts,
    meta: MailMeta | undefined,
  ): Promise<void> {
    const account = meta?.userId
    await send({ to, subject, ...writeLetter(letter), ...(account ? { account } : {}) })
  }

  function verifyLink(token: string, type: VerifyType, meta: MailMeta | undefined): string {
    const url = new URL('/auth/v1/verify', siteUrl)
    url.searchParams.set('token', token)
    url.searchParams.set('type', type)
    url.searchParams.set('redirect_to', meta?.redirectTo ?? siteUrl)
    return url.toString()
  }

  return {
    async sendConfirmation(email, token, _otp, meta) {
      await post(
        email,
        'Confirm your e-mail address for Solo CRM',
        {
          title: 'Confirm your e-mail address',
          lines: [
            `An account at Solo CRM was created for ${email}. Confirm it and you can sign in.`,
          ],
          action: { label: 'Confirm e-mail address', url: verifyLink(token, 'signup', meta) },
          notes: [expiry, ignore],
        },
        meta,
      )
    },
    async sendRecovery(email, token, _otp, meta) {
      await post(
        email,
        'Set a new password for Solo CRM',
        {
          title: 'Set a new password',
          lines: [`Someone, probably you, asked for a new password for ${email}.`],
          action: { label: 'Set a new password', url: verifyLink(token, 'recovery', meta) },
          notes: [expiry, ignore],
        },
        meta,
      )
    },
    async sendMagicLink(email, token, _otp, meta) {
      await post(
        email,
        'Sign in to Solo CRM',
        {
          title: 'Sign in',
          lines: [`Sign in as ${email}, without a password.`],
          action: { label: 'Sign in', url: verifyLink(token, 'magiclink', meta) },
          notes: [expiry, ignore],
        },
        meta,
      )
    },
    async sendEmailChange(email, token, _otp, meta) {
      const from = meta?.currentEmail || email
      const to = meta?.newEmail || email
      await post(
        email,
        'Confirm your new e-mail address for Solo CRM',
        {
          title: 'Confirm your new e-mail address',
          lines: [`The e-mail address of your account is to change from ${from} to ${to}.`],
          action: { label: 'Confirm the change', url: verifyLink(token, 'email_change', meta) },
          notes: [expiry, ignore],
        },
        meta,
      )
    },
    async sendReauthentication(email, otp, meta) {
      await post(
        email,
        'Your code for Solo CRM',
        {
          title: 'Confirm that it is you',
          lines: ['Enter this code in Solo CRM:'],
          code: otp,
          notes: ['The code works once, for 1 hour.', ignore],
        },
        meta,
      )
    },
  }
}
