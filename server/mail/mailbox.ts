import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Settings } from '../settings.ts'
import { addressEnvelope, type Envelope, type SendMail } from './message.ts'
import { createOutbox } from './outbox.ts'

/** Where mail goes: to an SMTP server, or into files when there is none. */
export type Mailbox = {
  /** Whether mails go to a server that may be unreachable: then they are queued. */
  mayBeAway: boolean
  send: SendMail
  /** Removes the stored mails about an account. */
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
    async send(message, mayEnd = async () => {}) {
      await carrier.send(addressEnvelope(message, settings.mailFrom), mayEnd)
    },
    forget: carrier.forget,
    close: carrier.close,
  }
}

function createSmtp(url: string) {
  // Mails are sent one after another, so nodemailer's default timeouts of minutes are too long. File and URL access
  // are off, so that nothing in a message can make us fetch something.
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
    async send({ account: _account, ...letter }: Envelope, mayEnd: () => Promise<void>) {
      const mail = new MailComposer({
        ...letter,
        disableFileAccess: true,
        disableUrlAccess: true,
      }).compile()
      const [raw, envelope] = [await mail.build(), mail.getEnvelope()]
      async function* afterAsking() {
        await mayEnd()
        yield raw
      }
      await transport.sendMail({
        envelope,
        raw: Readable.from(afterAsking(), { objectMode: false }),
      })
    },
    // Sent mails are not stored here.
    forget: async () => {},
    close: () => transport.close(),
  }
}
