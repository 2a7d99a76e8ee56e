import { expect, type User } from './fixtures.ts'

/** A mailbox whose password nobody entered: what is sent from it waits, however long the test takes. */
export async function addMailbox({ client }: User): Promise<string> {
  const { data, error } = await client
    .from('mail_accounts')
    .insert({
      ...{ address: 'me@example.com', imap_host: 'imap.example.com', imap_port: 993 },
      ...{ smtp_host: 'smtp.example.com', smtp_port: 465 },
    })
    .select('id')
    .single()
  expect(error).toBeNull()
  return data?.id ?? ''
}
