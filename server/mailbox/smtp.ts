import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { type Address, checkedAddresses, firstThatAnswers } from '../outgoing/addresses.ts'
import { loginOf, type MailAccount } from './account.ts'
import type { MailRule } from './connect.ts'

/** Whom the server refused, though it took the mail for others. */
export type Refused = { recipient?: string; response?: string; responseCode?: number }

/** A connection to the server that sends an account's mail, signed in. */
export type Smtp = {
  /** Resolves when the server has taken the mail, for all but the refused. Its text is read only when the server asks for it. */
  send(envelope: { from: string; to: string[]; size: number }, text: Readable): Promise<Refused[]>
  close(): void
}

/**
 * Signs in to the server for sending of an account. Only ever with encryption, and to an address that was checked. Throws
 * what `mailProblemOf` understands.
 */
export async function openSmtp(
  account: MailAccount,
  password: string,
  rule: MailRule,
): Promise<Smtp> {
  const { smtp_host: host } = account
  if (!host) throw new Error('There is no server for sending')
  const targets = await checkedAddresses(host, rule)
  return firstThatAnswers(targets, (target) => openAt(target, host, account, password, rule))
}

async function openAt(
  target: Address,
  host: string,
  account: MailAccount,
  password: string,
  rule: MailRule,
): Promise<Smtp> {
  const { smtp_port: port, smtp_security: security } = account
  const connection = new SMTPConnection({
    host: target.address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    // Otherwise every mail would contain the name of this machine.
    name: '[127.0.0.1]',
    tls: {
      // The certificate must be that of the name, whatever the address.
      ...(isIP(host) ? {} : { servername: host }),
      ...(rule.trusted ? { ca: rule.trusted } : {}),
    },
    connectionTimeout: 15_000,
    greetingTimeout: 10_000,
    // A server may look through a large mail for long before it takes it.
    socketTimeout: 300_000,
  })
  /** Errors come by the callback or as an event, whichever is first. */
  function done<Result>(
    begin: (callback: (error?: Error | null, result?: Result) => void) => void,
  ): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      connection.once('error', reject)
      begin((error, result) => {
        connection.off('error', reject)
        if (error) reject(error)
        else resolve(result)
      })
    })
  }
  // A connection that breaks while nobody waits must not end the process.
  connection.on('error', () => {})
  try {
    await done((callback) => connection.connect(callback))
    if (connection.allowsAuth) {
      await done((callback) =>
        connection.login({ user: loginOf(account), pass: password }, callback),
      )
    }
  } catch (error) {
    connection.close()
    throw error
  }
  return {
    async send(envelope, text) {
      const info = await done<{ rejectedErrors?: Refused[] }>((callback) =>
        connection.send(envelope, text, callback),
      )
      return info?.rejectedErrors ?? []
    },
    close() {
      connection.quit()
      // Whoever does not answer to that is not waited for.
      setTimeout(() => connection.close(), 2000).unref()
    },
  }
}
