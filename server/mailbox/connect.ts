import { isIP } from 'node:net'
import { ImapFlow } from 'imapflow'
import {
  type Address,
  checkedAddresses,
  firstThatAnswers,
  type OutgoingRule,
} from '../outgoing/addresses.ts'
import { type MailAccount, readingLoginOf } from './account.ts'

/** Where users may send the server, and whose certificates count besides the usual (in tests). */
export type MailRule = OutgoingRule & { trusted?: string }

/** The largest piece that is ever read at once; a server that sends more is cut off. */
const mostBytes = 8_000_000

/**
 * Signs in to the mailbox of an account. Only ever with encryption, and to an address that was checked. Throws what
 * `mailProblemOf` understands.
 */
export async function openMailbox(
  account: MailAccount,
  password: string,
  rule: MailRule,
): Promise<ImapFlow> {
  const targets = await checkedAddresses(account.imap_host, rule)
  return firstThatAnswers(targets, (target) => openAt(target, account, password, rule))
}

async function openAt(
  target: Address,
  account: MailAccount,
  password: string,
  rule: MailRule,
): Promise<ImapFlow> {
  const isTls = account.imap_security === 'tls'
  const client = new ImapFlow({
    host: target.address,
    // The certificate must be that of the name, whatever the address.
    ...(isIP(account.imap_host) ? {} : { servername: account.imap_host }),
    port: account.imap_port,
    secure: isTls,
    ...(isTls ? {} : { doSTARTTLS: true }),
    auth: { user: readingLoginOf(account), pass: password },
    clientInfo: { name: 'Solo CRM' },
    // It would print what mails say.
    logger: false,
    disableCompression: true,
    autoIdleDelay: 2000,
    maxIdleTime: 240_000,
    connectionTimeout: 15_000,
    greetingTimeout: 10_000,
    socketTimeout: 300_000,
    maxLiteralSize: mostBytes,
    maxResponseSize: 4 * mostBytes,
    ...(rule.trusted ? { tls: { ca: rule.trusted } } : {}),
  })
  // A connection that breaks while nobody waits for an answer must not end the process; the next command tells.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Ends a connection, whatever state it is in. */
export async function closeMailbox(client: ImapFlow): Promise<void> {
  const tooLong = new Promise<void>((resolve) => void setTimeout(resolve, 2000).unref())
  await Promise.race([client.logout().catch(() => {}), tooLong])
  client.close()
}
