import { z } from 'zod'

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

/** The name that the account signs in with. */
export function loginOf({ login, address }: Pick<MailAccount, 'login' | 'address'>): string {
  return login ?? address
}
