import { mailProblemOf, mailProblemWords } from '#domain/mail-problems.ts'
import type { MailAccount } from './account.ts'
import { closeMailbox, type MailRule, openMailbox } from './connect.ts'
import { openSmtp } from './smtp.ts'

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
    const smtp = await openSmtp(account, password, rule)
    smtp.close()
    return null
  } catch (error) {
    return mailProblemWords(mailProblemOf(error), host, port)
  }
}
