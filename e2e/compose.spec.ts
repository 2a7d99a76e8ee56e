import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { addMailbox } from './mailbox.ts'
import { button, entry, region } from './record-page.ts'
import { addRow } from './rows.ts'
import { sampleFiles } from './sample-files.ts'
import { keepToasts } from './toasts.ts'

const composer = (page: Page) => page.getByRole('dialog', { name: 'New email' })
const field = (scope: Locator, name: string) => scope.getByRole('textbox', { name, exact: true })
const waits = /The password of me@example\.com is missing/

/** What waits in the outbox, as the database has it. */
async function planned({ client }: User) {
  const { data } = await client.rpc('outbox')
  return (data as { mails: { id: string; state: string; subject: string }[] }).mails
}

test('an email from the first letter to the outbox', { tag: '@phone-long' }, async ({
  step,
  longStep,
  page,
  enter,
  scan,
}) => {
  await keepToasts(page)
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  const user = await enter('/app/dashboard')
  const mailbox = await addMailbox(user)
  const ada = await addRow(user, 'contacts', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    emails: [
      { label: 'Work', value: 'ada@example.com' },
      { label: 'Home', value: 'ada@home.example' },
    ],
  })
  await addRow(user, 'contacts', { last_name: 'Bolt', email: 'bolt@example.com' })

  await step('a signature is written in the settings', async () => {
    await visit(page, '/app/settings/email')
    await button(page, 'Signature of me@example.com').click()
    const dialog = page.getByRole('dialog', { name: 'Signature' })
    await field(dialog, 'Signature').click()
    await page.keyboard.type('Grace Hopper')
    await scan(dialog)
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
  })

  await step(
    'its code loads when it is opened; Undo opens it again with everything in it',
    async () => {
      await visit(page, `/app/contacts/${ada}`)
      await expect(button(page, 'Email')).toBeEnabled()
      expect(loaded.filter((url) => /write-email/.test(url))).toEqual([])
      await button(page, 'Email').click()
      await expect(composer(page)).toContainText('Grace Hopper')
      await field(composer(page), 'Subject').fill('The offer for {{first_name}}')
      await field(composer(page), 'Message').click()
      await page.keyboard.type('Dear ')
      await button(composer(page), 'Bold').click()
      await page.keyboard.type('{{first_name}}')
      const chooser = page.waitForEvent('filechooser')
      await button(composer(page), 'Attach files').click()
      await (await chooser).setFiles([sampleFiles.picture])
      await expectNoSidewaysScroll(page)
      await scan(composer(page), { contrast: true })
      await button(composer(page), 'Send').click()
      await expect(page.getByRole('alert').getByText(waits)).toBeVisible()
      await expect(composer(page)).toBeHidden()
      expect(await planned(user)).toMatchObject([
        { state: 'planned', subject: 'The offer for Ada' },
      ])
      await button(page, 'Undo').click()
      await expect(field(composer(page), 'Subject')).toHaveValue('The offer for {{first_name}}')
      await expect(field(composer(page), 'Message').locator('strong')).toHaveText('{{first_name}}')
      await expect(composer(page).getByRole('list', { name: 'Attached files' })).toContainText(
        sampleFiles.picture.name,
      )
      // It is there until what is shown is sent or discarded.
      expect(await planned(user)).toMatchObject([{ state: 'stopped' }])
    },
  )

  await step(
    'every address of a contact is offered, and a half-typed one is asked about',
    async () => {
      await field(composer(page), 'To').fill('ada')
      await page.getByRole('option', { name: 'ada@home.example' }).click()
      await field(composer(page), 'To').fill('bob@')
      await field(composer(page), 'Subject').fill('The offer')
      await expect(composer(page)).toContainText('“bob@” isn’t an email address.')
      await field(composer(page), 'To').fill('bob@example.org')
      await field(composer(page), 'Message').fill('Dear all')
      await button(composer(page), 'Send').click()
      await expect(composer(page)).toBeHidden()
    },
  )

  await longStep(
    'the outbox shows what waits; Edit writes on it, Stop and Delete take it out',
    async () => {
      await visit(page, '/app/dashboard')
      await page.goto('/app/outbox')
      const waiting = region(page, 'Waiting')
      await expect(waiting).toContainText('The offer')
      await expect(waiting).toContainText('Ada Lovelace')
      await expect(waiting).toContainText(waits)
      await expectNoSidewaysScroll(page)
      await scan()
      await button(page, 'Edit The offer').click()
      await expect(field(composer(page), 'Message')).toContainText('Grace Hopper')
      await button(composer(page), 'Cancel').click()
      await expect(composer(page)).toBeHidden()
      await button(page, 'Stop The offer').click()
      await button(page, 'Delete The offer').click()
      await button(page.getByRole('dialog', { name: 'Delete this email?' }), 'Delete').click()
      await expect(page.getByText('Your outbox is empty')).toBeVisible()
    },
  )

  await longStep(
    'one per person: what is empty for whom is told before, and the rest can be stopped',
    async () => {
      await visit(page, '/app/contacts')
      await page.getByLabel('Select Ada Lovelace', { exact: true }).check()
      await page.getByLabel('Select Bolt', { exact: true }).check()
      await button(page, 'Send email').click()
      await field(composer(page), 'Subject').fill('Hello {{first_name}}')
      await expect(composer(page)).toContainText('First name is empty for Bolt.')
      await expect(region(page, 'Preview')).toContainText('Hello Ada')
      await button(composer(page), 'Send 2 emails').click()
      await button(page.getByRole('dialog', { name: 'Send this email?' }), 'Send anyway').click()
      await expect(composer(page)).toBeHidden()
      await page.goto('/app/outbox')
      const run = region(page, 'One per person')
      await expect(run).toContainText('0 of 2 sent')
      await button(run, /^Stop/).click()
      await button(page.getByRole('dialog', { name: 'Stop 2 emails?' }), 'Stop').click()
      await expect(region(page, 'Stopped')).toContainText('Hello Ada')
    },
  )

  await longStep('an answer is written where the conversation is read', async () => {
    const mail = {
      ...{ account_id: mailbox, thread: randomUUID(), message_id: `<${randomUUID()}@x>` },
      ...{ direction: 'in' as const, sender: 'ada@example.com', sender_name: 'Ada Lovelace' },
      recipients: [
        { role: 'to', name: '', address: 'me@example.com' },
        { role: 'cc', name: 'Cleo', address: 'cleo@example.org' },
      ],
      ...{ subject: 'AW: Your offer', body_text: 'Could we talk?' },
    }
    expect((await user.client.from('mails').insert(mail)).error).toBeNull()
    await visit(page, `/app/contacts/${ada}`)
    await page.reload()
    await entry(page, 'Your offer').getByRole('button').first().click()
    await button(page, 'Reply all').click()
    const reply = page.getByRole('dialog', { name: 'Reply' })
    await expect(field(reply, 'Subject')).toHaveValue('Re: Your offer')
    await expect(reply.getByTitle('Cleo <cleo@example.org>')).toBeVisible()
    await button(reply, 'Show').click()
    await expect(reply).toContainText('> Could we talk?')
    await scan(reply)
    await field(reply, 'Message').fill('Any time.')
    // Escape asks, and leaves the conversation open.
    await page.keyboard.press('Escape')
    await button(page.getByRole('dialog', { name: 'Discard changes?' }), 'Keep editing').click()
    await expect(field(reply, 'Message')).toHaveText('Any time.')
    await button(reply, 'Send').click()
    await expect(reply).toBeHidden()
    await expect(page.getByRole('dialog', { name: 'AW: Your offer' })).toBeVisible()
    const [last] = (await planned(user)).filter(({ subject }) => subject === 'Re: Your offer')
    const { data } = await user.client.rpc('outgoing_mail', { id: last?.id ?? '' })
    expect(data).toMatchObject({
      to: [{ address: 'ada@example.com' }],
      cc: [{ address: 'cleo@example.org' }],
      text: expect.stringMatching(
        /^Any time\.\n\n-- \nGrace Hopper\n\nOn .* wrote:\n> Could we talk\?$/,
      ),
    })
  })
})
