import { z } from 'zod'

const host = z
  .string()
  .trim()
  .min(1, 'Enter the name of the server.')
  .max(253, 'The name of the server is too long.')
  .regex(/^[A-Za-z0-9._:-]+$/, 'This is not the name of a server, such as imap.example.com.')

const port = z
  .number('Enter the port.')
  .int('Enter the port.')
  .min(1, 'A port is a number from 1 to 65535.')
  .max(65_535, 'A port is a number from 1 to 65535.')

const security = z.enum(['tls', 'starttls'])

/** A password is kept for exactly these: where one of them changes, it is asked for again. */
export const passwordIsFor = [
  ...(['address', 'login', 'imap_host', 'imap_port', 'imap_security'] as const),
  ...(['smtp_host', 'smtp_port', 'smtp_security'] as const),
]

const blankToNull = (value: string) => value.trim() || null

/** What the user enters about an account for mail, besides its password. */
export const mailAccountInput = z.object({
  id: z.uuid().optional(),
  address: z
    .string()
    .trim()
    .max(320, 'The address is too long.')
    .regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/, 'Enter an email address.'),
  /** What stands before the address in the From of mails. */
  name: z.string().max(200, 'The name is too long.').transform(blankToNull).nullable().optional(),
  login: z.string().max(320, 'The user name is too long.').transform(blankToNull).nullable(),
  imap_host: host,
  imap_port: port,
  imap_security: security,
  smtp_host: host.nullable(),
  smtp_port: port,
  smtp_security: security,
})
