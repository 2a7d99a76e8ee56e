import { createTransport } from 'nodemailer'
import type { Settings } from '../settings.ts'
import { addressEnvelope, type Envelope, type SendMail } from './message.ts'
import { createOutbox } from './outbox.ts'

/** Where mail goes: to an SMTP server, or into files when there is none. */
export type Mailbox = {
  /** True when the mails go to a server, which may be away: letters are then kept until it takes them. */
  mayBeAway: boolean
  send: SendMail
  /** Removes what is still here of the mails about an account. */
  forget(account: string): Promise<void>
  close(): void
}

/** The mailbox that the settings ask for. No connection is made before the first mail. */
export function createMailbox(
  settings: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
): Mailbox {
  const carrier = settings.smtpUrl ? createSmtp(settings.smtpUrl) : createOutbox(settings.dataDir)
  return {
    mayBeAway: settings.smtpUrl !== null,
    async send(message) {
      await carrier.send(addressEnvelope(message, settings.mailFrom))
    },
    forget: carrier.forget,
    close: carrier.close,
  }
}

function createSmtp(url: string) {
  // The letters wait for each other, so a mail server that does not answer must not hold them for nodemailer's
  // minutes. File and URL access stay off: nothing in a message may make us fetch something.
  const transport = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(envelope: Envelope): Promise<void> {
      await transport.sendMail({ ...envelope, xMailer: false })
    },
    // What was sent is with whoever it was sent to.
    forget: async () => {},
    close: () => transport.close(),
  }
}
