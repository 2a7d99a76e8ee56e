import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { button, region } from './record-page.ts'
import { addRow } from './rows.ts'

const card = (page: Page) => region(page, 'Conversations')
const drawer = (page: Page) => page.getByRole('dialog', { name: 'Offer for the roof' })
const frame = (page: Page) => drawer(page).frameLocator('iframe[title="Email"]').last()

const tracked = 'https://pictures.example/logo.png'
/** One pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

// The browser tells of a handler in what is only read to be cleaned, too.
test.use({ expectedErrors: [/Executing inline event handler violates/] })

test('mails of a contact, from the waiting reply to private', { tag: '@phone-long' }, async ({
  step,
  longStep,
  page,
  enter,
  scan,
}) => {
  let user: User
  let ada = ''

  async function addMail(mail: object): Promise<void> {
    const { error } = await user.client.from('mails').insert({
      message_id: `<${randomUUID()}@mail.example>`,
      sender: 'ada@example.com',
      sender_name: 'Ada Lovelace',
      recipients: [{ role: 'to', name: '', address: user.email }],
      subject: 'Offer for the roof',
      sent_at: new Date(Date.now() - 60_000).toISOString(),
      ...mail,
    })
    expect(error).toBeNull()
  }

  // Its own mailbox has it; there is none here.
  await page
    .context()
    .route('**/mail/v1/attachment', (route) =>
      route.fulfill({ contentType: 'application/octet-stream', body: picture }),
    )

  await step('who waits for an answer stands on the dashboard, and leads to the mail', async () => {
    user = await enter('/app/dashboard')
    ada = await addRow(user, 'contacts', {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
    })
    const first = `<${randomUUID()}@mail.example>`
    await addMail({
      message_id: first,
      direction: 'out',
      sender: user.email,
      sender_name: null,
      recipients: [{ role: 'to', name: 'Ada Lovelace', address: 'ada@example.com' }],
      body_text: 'How large is the roof?',
      snippet: 'How large is the roof?',
      sent_at: new Date(Date.now() - 3_600_000).toISOString(),
    })
    await addMail({
      refs: [first],
      snippet: 'Forty square metres.',
      attachments: [
        { part: '2', name: 'roof.png', type: 'image/png', size: picture.length, cid: 'roof@x' },
      ],
      body_html: `<p>Forty <b>square</b> metres.</p><script>document.title = 'taken'</script>
 <img src="cid:roof@x" alt="Roof">
        <img src="${tracked}" alt="Logo" onerror="parent.document.title = 'taken'">
        <a href="https://fine.example">Site</a>`,
    })
    await visit(page, '/app/contacts')
    await page.reload()
    await visit(page, '/app/dashboard')
    const waiting = region(page, 'Replies waiting')
    await expect(waiting).toContainText('Offer for the roof')
    await waiting.getByRole('link', { name: 'Ada Lovelace' }).click()
    await expect(drawer(page)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/app/contacts/${ada}\\?conversation=`))
  })

  await step('HTML is shown in a frame in which nothing runs and nothing is loaded', async () => {
    await expect(frame(page).locator('p')).toHaveText('Forty square metres.')
    await expect(frame(page).locator('script')).toHaveCount(0)
    await expect(frame(page).locator('img[src^="https:"]')).toHaveCount(0)
    // What it brings along is shown.
    await expect
      .poll(() =>
        frame(page)
          .getByAltText('Roof')
          .evaluate((node) => (node as HTMLImageElement).naturalWidth),
      )
      .toBe(1)
    expect(await drawer(page).locator('iframe').last().getAttribute('sandbox')).not.toContain(
      'allow-scripts',
    )
    expect(await page.title()).not.toBe('taken')
    await scan(drawer(page), { contrast: true })
  })

  await step('pictures come on request, through our server', async () => {
    const asked: unknown[] = []
    await page.route('**/mail/v1/picture', (route) => {
      asked.push(route.request().postDataJSON())
      return route.fulfill({ contentType: 'image/png', body: picture })
    })
    await button(drawer(page), 'Show pictures').click()
    await expect(frame(page).locator('img[src^="data:image/png"]')).toHaveCount(1)
    expect(asked).toEqual([{ url: tracked }])
  })

  await longStep('it is about a deal, on which it then shows', async () => {
    const deal = await addRow(user, 'deals', { name: 'Roof of the barn' })
    await button(drawer(page), 'More about this email').last().click()
    await page.getByRole('menuitem', { name: 'About deal…' }).click()
    const dialog = page.getByRole('dialog', { name: 'About deal' })
    await dialog.getByRole('combobox', { name: 'Deal' }).fill('barn')
    await page.getByRole('option', { name: 'Roof of the barn' }).click()
    await scan(dialog, { contrast: true })
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    const { data } = await user.client.from('mails').select('deal')
    expect(new Set(data?.map((mail) => mail.deal))).toEqual(new Set([deal]))
  })

  await step('the contact shows the conversation as one line', async () => {
    await page.keyboard.press('Escape')
    await expect(drawer(page)).toBeHidden()
    const line = card(page).getByRole('listitem')
    await expect(line).toHaveCount(1)
    await expect(line).toContainText('Offer for the roof')
    await expect(line).toContainText(/2 emails · Ada LovelaceWaiting$/)
    await expectNoSidewaysScroll(page)
    await scan(card(page), { contrast: true })
    await button(line, 'Offer for the roof').click()
    await expect(drawer(page)).toBeVisible()
    await page.goBack()
    await expect(drawer(page)).toBeHidden()
  })

  await longStep('one mail, then the contact is private, and lets mails in again', async () => {
    await button(card(page), 'Offer for the roof').click()
    await button(drawer(page), 'More about this email').last().click()
    await page.getByRole('menuitem', { name: 'Make private…' }).click()
    await button(page, 'Make private').click()
    await expect(drawer(page).getByRole('article')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(card(page).getByRole('listitem')).not.toContainText('emails')

    await button(card(page), 'Emails with Ada Lovelace').click()
    await page.getByRole('menuitem', { name: 'Keep emails private…' }).click()
    await button(page, 'Keep private').click()
    await expect(card(page)).toContainText('Private: no emails with this contact are kept.')
    const { data } = await user.client.from('mails').select('subject, body_text, body_html')
    expect(data).toEqual([{ subject: null, body_text: null, body_html: null }])

    await visit(page, '/app/settings/email')
    const out = region(page, 'Excluded')
    await expect(out).toContainText('Private contact')
    await scan()
    await button(out, 'Remove Ada Lovelace').click()
    await expect(out).not.toContainText('Ada Lovelace')
    await visit(page, `/app/contacts/${ada}`)
    await expect(card(page)).toContainText('No emails yet')
  })
})
