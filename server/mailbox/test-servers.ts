import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { mailProblemOf, mailProblemWords } from '#domain/mail-problems.ts'
import { checkedAddresses } from '../outgoing/addresses.ts'
import { loginOf, type MailAccount } from './account.ts'
import { closeMailbox, type MailRule, openMailbox } from './connect.ts'

/** What is wrong with each of the servers, in words; null where nothing is. */
export type TestedServers = { imap: string | null; smtp: string | null }

/** Signs in to both servers of an account, and out again. Nothing is sent and nothing is read. */
export async function testServers(
  account: MailAccount,
  password: string,
  rule: MailRule,
): Promise<TestedServers> {
  const [imap, smtp] = await Promise.all([
    openMailbox(account, password, rule)
      .then(closeMailbox)
      .then(
        () => null,
        (error: unknown) =>
          mailProblemWords(mailProblemOf(error), account.imap_host, account.imap_port),
      ),
    testSending(account, password, rule),
  ])
  return { imap, smtp }
}

async function testSending(
  account: MailAccount,
  password: string,
  rule: MailRule,
): Promise<string | null> {
  const { smtp_host: host, smtp_port: port } = account
  if (!host) return null
  try {
    const [target] = await checkedAddresses(host, rule)
    const transport = createTransport({
      host: target?.address ?? host,
      port,
      secure: account.smtp_security === 'tls',
      requireTLS: account.smtp_security === 'starttls',
      auth: { user: loginOf(account), pass: password },
      tls: {
        ...(isIP(host) ? {} : { servername: host }),
        ...(rule.trusted ? { ca: rule.trusted } : {}),
      },
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 15_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      await transport.verify()
    } finally {
      transport.close()
    }
    return null
  } catch (error) {
    return mailProblemWords(mailProblemOf(error), host, port)
  }
}
