/** A mail to one person. */
export type MailMessage = {
  to: string
  subject: string
  text?: string
  html?: string
  /** Where such mails are turned off, without signing in. */
  unsubscribeUrl?: string
  /** The id of the account that it is about: it goes with the account. */
  account?: string
}

/**
 * Sends a mail, or writes it to a file. The end of the mail, without which nobody takes it, follows only after `mayEnd`
 * has resolved; if that throws, the mail is not sent.
 */
export type SendMail = (message: MailMessage, mayEnd?: () => Promise<void>) => Promise<void>

/** What a mail about an account asks for. */
export type LetterKind =
  | 'signup'
  | 'recovery'
  | 'magiclink'
  | 'email_change'
  | 'reauthentication'
  | 'agenda'

/** A mail about an account. A newer one of its kind makes the link of the older one void. */
export type Letter = MailMessage & {
  account: string
  kind: LetterKind
  /** How long its link or code works, counted from now. */
  validSeconds: number
}

/** How the rest of the server sends letters. */
export type SendLetter = (letter: Letter) => Promise<void>

/** What a carrier gets: checked, and the recipient as one address that nothing parses again. */
export type Envelope = Omit<MailMessage, 'to' | 'unsubscribeUrl'> & {
  from: string
  headers?: Record<string, string>
  to: { name: string; address: string }
}

/** Refuses what would smuggle in headers (line breaks) or recipients (separators, brackets). */
export function checkMessage({ to, subject }: Pick<MailMessage, 'to' | 'subject'>): void {
  if (/\p{Cc}/u.test(subject)) throw new Error('A mail subject must be one line')
  if (!/^[^\s\p{Cc},;:<>()[\]"\\@]+@[^\s\p{Cc},;:<>()[\]"\\@]+$/u.test(to)) {
    throw new Error('A mail must go to exactly one address')
  }
}

export function addressEnvelope(
  { unsubscribeUrl, ...message }: MailMessage,
  from: string,
): Envelope {
  checkMessage(message)
  return {
    ...message,
    from,
    to: { name: '', address: message.to },
    ...(unsubscribeUrl ? { headers: unsubscribeHeaders(unsubscribeUrl) } : {}),
  }
}

/** For the button of mail programs (RFC 2369), which press it themselves over https (RFC 8058). */
function unsubscribeHeaders(url: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${url}>`,
    ...(url.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
    // Nobody's absence notes must answer it.
    'Auto-Submitted': 'auto-generated',
  }
}
