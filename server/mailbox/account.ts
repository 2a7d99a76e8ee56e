import { z } from 'zod'
import { readingName } from '#domain/mail-providers.ts'

const port = z.int().min(1).max(65_535)
const security = z.enum(['tls', 'starttls'])

/** The columns of `mail_accounts` that describe its servers. */
export const mailAccount = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  address: z.string(),
  login: z.string().nullable(),
  imap_host: z.string(),
  imap_port: port,
  imap_security: security,
  smtp_host: z.string().nullable(),
  smtp_port: port,
  smtp_security: security,
})

export type MailAccount = z.infer<typeof mailAccount>

/** The name that the account signs in with, to send. */
export function loginOf({ login, address }: Pick<MailAccount, 'login' | 'address'>): string {
  return login ?? address
}

/** The name that the account signs in with, to read. */
export function readingLoginOf({
  login,
  address,
  imap_host,
}: Pick<MailAccount, 'login' | 'address' | 'imap_host'>): string {
  return login ?? readingName(address, imap_host)
}
