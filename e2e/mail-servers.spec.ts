import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Locator, type Page, test } from '@playwright/test'
import PostalMime from 'postal-mime'
import { startSmtp, type TestSmtp } from '#server/test-smtp.ts'
import { signUpAt, startBuiltServerOn } from '../scripts/built-product.ts'
import { type Dovecot, startDovecot } from '../supabase/tests/dovecot.ts'
import { fillDataFolder } from './data-folder.ts'
import { sessionKey } from './fixtures.ts'
import { button, region } from './record-page.ts'
import { sampleFiles } from './sample-files.ts'

const field = (scope: Locator, name: string) => scope.getByRole('textbox', { name, exact: true })

// It starts a server of its own and waits for mails: a minute. Below the browser: supabase/tests/mailbox.test.ts, sending.test.ts.
test('a mailbox from its connection to an answer that was answered', {
  tag: '@long',
}, async ({ browser }) => {
  const dovecot = await startDovecot()
  test.skip(!dovecot, 'mail servers: absent')
  if (!dovecot) return
  const smtp = await startSmtp()
  const folder = fillDataFolder(mkdtempSync(join(tmpdir(), 'solo-mail-')))
  const certificates = join(folder, 'certificates.pem')
  writeFileSync(certificates, `${smtp.certificate}\n${dovecot.certificate}`)
  const server = await startBuiltServerOn(folder, {
    ALLOW_PRIVATE_ADDRESSES: 'true',
    NODE_EXTRA_CA_CERTS: certificates,
    LITE_AUTH_BCRYPT_COST: '4',
  })
  const context = await browser.newContext({ baseURL: server.address })
  try {
    await journey(await context.newPage(), server.address, { dovecot, smtp })
  } finally {
    await context.close()
    await server.stop()
    await smtp.stop()
    await dovecot.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function journey(page: Page, address: string, servers: { dovecot: Dovecot; smtp: TestSmtp }) {
  const { dovecot, smtp } = servers
  const me = 'me@own.example'
  const { client, session } = await signUpAt(address, me)
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
  const { data: contact } = await client.from('contacts').insert(ada).select('id').single()
  await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
    sessionKey,
    JSON.stringify(session),
  ] as const)
  /** Mails leave ten seconds after they were sent. */
  const taken = (count: number) =>
    expect.poll(() => smtp.mails.length, { timeout: 60_000 }).toBe(count)
  const read = (place: number) =>
    PostalMime.parse(Buffer.from(smtp.mails[place]?.raw ?? '', 'latin1'))

  await test.step('connected, with what is wrong told before', async () => {
    await page.goto('/app/settings/email')
    await button(page, 'Connect mailbox').click()
    const dialog = page.getByRole('dialog', { name: 'Connect mailbox' })
    await dialog.getByLabel('Email address').fill(me)
    await dialog.getByLabel('Password or app password').fill('wrong')
    await dialog.getByLabel('Your name').fill('Grace Hopper')
    await dialog.getByLabel('User name').fill('me')
    await dialog.getByLabel('Incoming server (IMAP)').fill('localhost')
    await dialog.getByLabel('Port').first().fill(String(dovecot.port))
    await dialog.getByLabel('Outgoing server (SMTP)').fill('localhost')
    await dialog.getByLabel('Port').last().fill(String(smtp.port))
    await button(dialog, 'Test').click()
    const result = dialog.getByRole('status')
    await expect(result).toContainText('Reading: The server localhost refused the user name')
    await dialog.getByLabel('Password or app password').fill(dovecot.password)
    // It was about another password.
    await expect(result).toBeHidden()
    await button(dialog, 'Test').click()
    await expect(result).toHaveText('Reading: works.Sending: works.')
    await button(dialog, 'Connect').click()
    await expect(dialog).toBeHidden()
    await expect(region(page, 'Your mailboxes')).toContainText('Connected', { timeout: 60_000 })
    await button(page, `Signature of ${me}`).click()
    const signature = page.getByRole('dialog', { name: 'Signature' })
    await field(signature, 'Signature').click()
    await page.keyboard.type('Grace Hopper')
    await button(signature, 'Save').click()
    await expect(signature).toBeHidden()
  })

  await test.step('an address of a contact opens the composer; the mail arrives with all of it', async () => {
    await page.goto(`/app/contacts/${contact?.id}`)
    await page.getByRole('link', { name: ada.email }).click()
    const composer = page.getByRole('dialog', { name: 'New email' })
    await expect(composer.getByTitle(`Ada Lovelace <${ada.email}>`)).toBeVisible()
    await field(composer, 'Subject').fill('Offer for {{first_name}}')
    await field(composer, 'Message').click()
    await page.keyboard.type('Here it is.')
    const chooser = page.waitForEvent('filechooser')
    await button(composer, 'Attach files').click()
    await (await chooser).setFiles([sampleFiles.picture])
    await composer.getByLabel('Follow up if no reply in').check()
    await button(composer, 'Send').click()
    await expect(composer).toBeHidden()
    await taken(1)
    expect(await read(0)).toMatchObject({
      from: { name: 'Grace Hopper', address: me },
      to: [{ name: 'Ada Lovelace', address: ada.email }],
      subject: 'Offer for Ada',
      text: expect.stringMatching(/^Here it is\.\s+-- \s+Grace Hopper/),
      html: expect.stringContaining('Grace Hopper'),
      attachments: [{ filename: sampleFiles.picture.name }],
    })
    await expect(region(page, 'Conversations')).toContainText('Offer for Ada')
    await expect(page.getByText('Follow up: Offer for Ada', { exact: true })).toBeVisible()
  })

  await test.step('the reply shows by itself and ends the follow-up', async () => {
    const { messageId } = await read(0)
    // Dates of mails have whole seconds: it must not seem older than what it answers.
    const date = new Date(Date.now() + 2000).toUTCString()
    await dovecot.deliver('me', 'INBOX', [
      `From: Ada Lovelace <${ada.email}>
To: ${me}
Subject: Re: Offer for Ada
Message-ID: <reply@example.com>
In-Reply-To: ${messageId}
Date: ${date}
Content-Type: text/plain; charset=utf-8

How fast can you come?
`,
    ])
    const line = region(page, 'Conversations').getByRole('listitem')
    await expect(line).toContainText('2 emails', { timeout: 60_000 })
    await expect(line).toContainText('Waiting')
    await expect(page.getByText('Follow up: Offer for Ada', { exact: true })).toBeHidden()
  })

  await test.step('it is answered in its conversation', async () => {
    await button(region(page, 'Conversations'), 'Offer for Ada').click()
    const drawer = page.getByRole('dialog', { name: 'Offer for Ada' })
    await expect(drawer).toContainText('How fast can you come?')
    await button(drawer, 'Reply').last().click()
    const reply = page.getByRole('dialog', { name: 'Reply' })
    await field(reply, 'Message').click()
    await page.keyboard.type('Next week.')
    await button(reply, 'Send').click()
    await expect(reply).toBeHidden()
    await taken(2)
    expect(await read(1)).toMatchObject({
      subject: 'Re: Offer for Ada',
      inReplyTo: '<reply@example.com>',
      text: expect.stringMatching(/^Next week\.[\s\S]*> How fast can you come\?/),
    })
    await expect(drawer.getByRole('article')).toHaveCount(3)
  })

  await test.step('a mail that is taken back does not leave; the one after it does', async () => {
    await page.goto('/app/outbox')
    async function write(subject: string): Promise<Locator> {
      await button(page, 'New email').click()
      const composer = page.getByRole('dialog', { name: 'New email' })
      await field(composer, 'To').fill(ada.email)
      await page.keyboard.press('Enter')
      await field(composer, 'Subject').fill(subject)
      await field(composer, 'Message').click()
      await page.keyboard.type('Words')
      await button(composer, 'Send').click()
      await expect(composer).toBeHidden()
      return composer
    }
    const composer = await write('Taken back')
    await button(page, 'Undo').click()
    await expect(field(composer, 'Subject')).toHaveValue('Taken back')
    await button(composer, 'Cancel').click()
    await button(page.getByRole('dialog', { name: 'Discard changes?' }), 'Discard').click()
    await expect(page.getByText('Your outbox is empty')).toBeVisible()
    await write('Sent after it')
    await taken(3)
    expect(await read(2)).toMatchObject({ subject: 'Sent after it' })
  })
}
