import type { Locator, Page } from '@playwright/test'
import { longestLink } from '#domain/mail-merge.ts'
import { button, dialog, expectToast, type NewContact, select, test } from './contact-list.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { brokenAnswer, fail, lostConnection, settled } from './requests.ts'

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
const bob = { first_name: 'Bob', email: 'bob@example.com' }
const cleo = { first_name: 'Cleo', email: 'cleo@example.com' }

const pages = '**/rest/v1/rpc/contact_page'
const logs = '**/rest/v1/rpc/log_emails'

const form = (page: Page) => dialog(page, 'Send email')
const field = (page: Page, label: string) => form(page).getByRole('textbox', { name: label })
const preview = (page: Page) => form(page).getByRole('region', { name: 'Preview' })
const openLink = (page: Page) => form(page).getByRole('link', { name: /^Open/ })
const bcc = (page: Page) => form(page).getByRole('radio', { name: 'One email with Bcc' })

async function compose(page: Page, ...names: string[]): Promise<void> {
  await select(page, ...names)
  await button(page, 'Send email').click()
  await expect(form(page).getByText(/^To \d|^None of these/)).toBeVisible()
}

async function write(page: Page, subject: string, message: string): Promise<void> {
  await field(page, 'Subject').fill(subject)
  await field(page, 'Message').fill(message)
}

/** What the mail program would be given. */
async function mailOf(page: Page, name: string | RegExp = /^Open/) {
  const href = (await form(page).getByRole('link', { name }).getAttribute('href')) ?? ''
  const { protocol, pathname, search } = new URL(href)
  expect(protocol).toBe('mailto:')
  const headers = new URLSearchParams(search)
  return {
    href,
    to: decodeURIComponent(pathname),
    bcc: headers.get('bcc')?.split(',') ?? [],
    subject: headers.get('subject'),
    body: headers.get('body'),
  }
}

/** Whose timelines say that an e-mail was opened, with its subject. */
async function noted({ client }: User): Promise<string[]> {
  const { data } = await client
    .from('notes')
    .select('body, contacts (first_name)')
    .eq('kind', 'email')
    .eq('outcome', 'Email draft opened')
  return data?.map(({ body, contacts }) => `${contacts?.first_name}: ${body}`).sort() ?? []
}

function template(name: string, subject: string, body: string) {
  return async ({ client }: User): Promise<void> => {
    expect((await client.from('email_templates').insert({ name, subject, body })).error).toBeNull()
  }
}

async function templates({ client }: User) {
  const { data } = await client.from('email_templates').select('name, subject, body').order('name')
  return data
}

async function chooseTemplate(page: Page, name: string): Promise<void> {
  await form(page).getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name, exact: true }).click()
}

async function actOnTemplate(page: Page, name: string): Promise<void> {
  await button(form(page), 'Template actions').click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

const nameField = (page: Page) => page.getByLabel('Name', { exact: true })

/** Leaves the dialog and what is typed in it, and selects nobody. */
async function discard(page: Page): Promise<void> {
  await button(form(page), 'Close').click()
  await button(dialog(page, 'Discard changes?'), 'Discard').click()
  await unselect(page)
}

/** Selects nobody, once the dialog is left. */
async function unselect(page: Page): Promise<void> {
  await expect(form(page)).toBeHidden()
  await button(page, 'Clear selection').click()
}

test.use({ expectedErrors: failedRequests })

test('who gets it, the message and its templates', async ({ page, open, step, longStep, scan }) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  const twin = { first_name: 'Twin', email: 'ADA@example.com' }
  await open(
    [ada, bob, { first_name: 'Zed' }, { last_name: 'Nobody' }, {}, twin],
    template('Greeting', 'Hello', 'You'),
  )

  await step('its code loads when it is opened', async () => {
    await settled(page)
    const ofDialog = () => loaded.filter((url) => /send-email/.test(url)).length
    expect(ofDialog()).toBe(0)
    await compose(page, 'Ada Lovelace', 'Bob', 'Zed', 'Nobody', 'Unnamed', 'Twin')
    expect(ofDialog()).toBeGreaterThan(0)
  })

  await step(
    'contacts without an address are named and left out, and the same address gets it once',
    async () => {
      await expect(form(page).getByText('To 2 addresses', { exact: true })).toBeVisible()
      await expect(
        form(page).getByText(
          '3 contacts have no email address and won’t get it: Nobody, Zed, Unnamed',
        ),
      ).toBeVisible()
      await expect(
        form(page).getByText('1 contact shares an address and won’t get it twice: Twin'),
      ).toBeVisible()
      await button(form(page), 'Cancel').click()
      await unselect(page)
    },
  )

  await longStep('nobody has an address', async () => {
    await compose(page, 'Zed')
    await expect(form(page).getByText(/^None of these contacts has an email address/)).toBeVisible()
    await write(page, 'Hello', 'You')
    await expect(button(form(page), 'Continue')).toBeDisabled()
    await discard(page)
  })

  const { how, answer, message } = brokenAnswer

  await longStep(`a read that ${how} is said in words, and Try again helps`, async () => {
    await select(page, 'Ada Lovelace')
    await fail(page, pages, 'POST', answer)
    await button(page, 'Send email').click()
    await expect(form(page).getByText('The contacts could not be loaded')).toBeVisible()
    await expect(form(page).getByText(message)).toBeVisible()
    await field(page, 'Subject').fill('Typed')
    await page.unroute(pages)
    await button(form(page), 'Try again').click()
    await expect(form(page).getByText('To 1 address', { exact: true })).toBeVisible()
    await expect(field(page, 'Subject')).toHaveValue('Typed')
    await discard(page)
  })

  await step('one with nothing in it, or too much, is said at its field', async () => {
    await compose(page, 'Ada Lovelace', 'Bob')
    await expect(field(page, 'Subject')).toBeFocused()
    await button(form(page), 'Continue').click()
    await expect(field(page, 'Subject')).toHaveAccessibleDescription(
      'Enter a subject or a message.',
    )
    await test.step('is accessible', () => scan(form(page), { contrast: true }))
    await expect(field(page, 'Subject')).toBeFocused()
    await field(page, 'Subject').fill('x'.repeat(1001))
    await button(form(page), 'Continue').click()
    await expect(field(page, 'Subject')).toHaveAccessibleDescription(
      'Subject can have at most 1,000 characters.',
    )
    await expect(field(page, 'Subject')).toHaveValue('x'.repeat(1001))
  })

  await step(
    'merge fields are put where the cursor is, shown per contact, and told when unknown',
    async () => {
      await field(page, 'Subject').fill('Hello !')
      await page.keyboard.press('ArrowLeft')
      await button(form(page), 'Insert First name').click()
      await expect(field(page, 'Subject')).toHaveValue('Hello {{first_name}}!')
      await expect(field(page, 'Subject')).toBeFocused()
      await field(page, 'Message').fill('')
      await button(form(page), 'Insert Full name').click()
      await expect(field(page, 'Message')).toHaveValue('{{full_name}}')
      await expect(field(page, 'Message')).toBeFocused()
      await page.keyboard.type(' is ')
      await button(form(page), 'Insert Email').click()
      await expect(field(page, 'Message')).toHaveValue('{{full_name}} is {{email}}')
      await expect(preview(page).getByText('1 of 2', { exact: true })).toBeVisible()
      await expect(preview(page)).toContainText('Hello Ada!Ada Lovelace is ada@example.com')
      await button(preview(page), 'Next contact').click()
      await expect(preview(page).getByText('2 of 2', { exact: true })).toBeVisible()
      await expect(preview(page)).toContainText('Hello Bob!Bob is bob@example.com')
      await button(preview(page), 'Previous contact').click()
      await expect(preview(page)).toContainText('Hello Ada!')
      await field(page, 'Subject').fill('Hello {{first_name}} of {{company}}')
      await expect(preview(page).getByText('Empty for this contact: Company')).toBeVisible()
      await field(page, 'Message').fill('Dear {{frist_name}}')
      await expect(
        form(page).getByText('{{frist_name}} isn’t a field and stays as typed.'),
      ).toBeVisible()
      await discard(page)
    },
  )

  await longStep('Leaving typed text asks first, and text of a template does not', async () => {
    await compose(page, 'Ada Lovelace')
    await field(page, 'Message').fill('Typed')
    const question = dialog(page, 'Discard changes?')
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => button(form(page), 'Cancel').click(),
      () => button(form(page), 'Close').click(),
    ]) {
      await leave()
      await expect(question).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(question).toBeHidden()
      await expect(field(page, 'Message')).toHaveValue('Typed')
    }
    await chooseTemplate(page, 'Greeting')
    const replace = dialog(page, 'Replace your text?')
    await button(replace, 'Cancel').click()
    await expect(field(page, 'Message')).toHaveValue('Typed')
    await chooseTemplate(page, 'Greeting')
    await button(replace, 'Replace').click()
    await expect(field(page, 'Message')).toHaveValue('You')
    await page.keyboard.press('Escape')
    await expect(form(page)).toBeHidden()
    await expect(question).toBeHidden()
  })

  const user = await open([ada], template('Old', 'Old subject', 'Old text'))

  await longStep('saved, chosen, updated, renamed and deleted with Undo', async () => {
    await compose(page, 'Ada Lovelace')
    await write(page, 'Hello {{first_name}}', 'You')
    await actOnTemplate(page, 'Save as new template')
    const save = dialog(page, 'Save as new template')
    await test.step('is accessible', () => scan(save))
    for (const [name, message] of [
      ['  ', 'Name is required.'],
      ['Old', 'A template with this name already exists.'],
    ] as const) {
      await nameField(page).fill(name)
      await button(save, 'Save').click()
      await expect(nameField(page)).toHaveAccessibleDescription(message)
    }
    await nameField(page).fill('Greeting')
    await button(save, 'Save').click()
    await expectToast(page, 'Template saved')
    const chosen = form(page).getByRole('combobox', { name: 'Template' })
    await expect(chosen).toHaveValue('Greeting')

    await field(page, 'Message').fill('You there')
    await button(form(page), 'Template actions').click()
    await expect(page.getByRole('menuitem', { name: 'Update “Greeting”' })).toBeVisible()
    await test.step('the menu is accessible', () => scan(page.getByRole('menu')))
    await page.getByRole('menuitem', { name: 'Update “Greeting”', exact: true }).click()
    await expectToast(page, 'Template updated')
    await actOnTemplate(page, 'Rename “Greeting”')
    await nameField(page).fill('Salute')
    await button(dialog(page, 'Rename template'), 'Rename').click()
    await expectToast(page, 'Template renamed')
    await expect(chosen).toHaveValue('Salute')
    await expect
      .poll(() => templates(user))
      .toEqual([
        { name: 'Old', subject: 'Old subject', body: 'Old text' },
        { name: 'Salute', subject: 'Hello {{first_name}}', body: 'You there' },
      ])

    await chooseTemplate(page, 'Old')
    await expect(field(page, 'Subject')).toHaveValue('Old subject')
    await expect(field(page, 'Message')).toHaveValue('Old text')
    await actOnTemplate(page, 'Delete “Old”')
    await expectToast(page, 'Template Old deleted')
    // What was written with it stays.
    await expect(field(page, 'Message')).toHaveValue('Old text')
    await expect(chosen).toHaveValue('')
    await button(page, 'Undo').click()
    await expectToast(page, 'Undone')
    await expect.poll(() => templates(user)).toHaveLength(2)
  })
})

const before = ['Ada: Hello Ada & co?', 'Cleo: Hello Cleo & co?']
const theWay =
  "'1 of 3', open, next, skip; the timeline of each that was opened says 'Email draft opened'"

async function goThrough(
  page: Page,
  user: User,
  scan: (part: Locator) => Promise<void>,
): Promise<void> {
  await compose(page, 'Ada Lovelace', 'Bob', 'Cleo')
  await write(page, 'Hello {{first_name}} & co?', 'Dear {{full_name}},\n100 % “yours”')
  await button(form(page), 'Continue').click()
  await expect(form(page).getByText('1 of 3', { exact: true })).toBeVisible()
  await expect(openLink(page)).toBeFocused()
  await expect
    .poll(() => mailOf(page))
    .toMatchObject({
      to: 'ada@example.com',
      bcc: [],
      subject: 'Hello Ada & co?',
      body: 'Dear Ada Lovelace,\r\n100 % “yours”',
    })
  await openLink(page).click()
  await expect(form(page).getByText('Opened', { exact: true })).toBeVisible()
  await expectToast(page, 'Email draft logged for Ada Lovelace')
  await test.step('is accessible', () => scan(form(page)))
  // Once more is no second note.
  await openLink(page).click()
  await button(form(page), 'Next').click()
  await expect(form(page).getByText('2 of 3', { exact: true })).toBeVisible()
  await expect.poll(() => mailOf(page)).toMatchObject({ to: 'bob@example.com' })
  await button(form(page), 'Skip').click()
  await expect(form(page).getByText('3 of 3', { exact: true })).toBeVisible()
  await openLink(page).click()
  await expectToast(page, 'Email draft logged for Cleo')
  await button(form(page), 'Next').click()
  await expect(form(page).getByText('2 messages opened in your mail app')).toBeVisible()
  await expect(form(page).getByText(/^1 contact skipped/)).toBeVisible()
  await button(form(page), 'Done').click()
  await expect(form(page)).toBeHidden()
  await expect.poll(() => noted(user)).toEqual(before)
}

test('contact by contact, and one message with Bcc', { tag: '@long' }, async ({
  page,
  open,
  context,
  step,
  longStep,
  scan,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const leaving: string[] = []
  page.on('dialog', async (asked) => {
    leaving.push(asked.type())
    await asked.accept()
  })
  const user = await open([ada, bob, cleo])

  await step(theWay, async () => {
    await goThrough(page, user, scan)
    // Opening the mail program is not leaving the page.
    expect(leaving).toEqual([])
    await unselect(page)
  })

  await longStep('Undo takes the note off the timeline again', async () => {
    await compose(page, 'Ada Lovelace')
    await write(page, 'Hello', 'You')
    await button(form(page), 'Continue').click()
    await openLink(page).click()
    await expectToast(page, 'Email draft logged for Ada Lovelace')
    await expect.poll(() => noted(user)).toEqual(['Ada: Hello', ...before])
    await button(page, 'Undo').click()
    await expectToast(page, 'Undone')
    await expect(form(page).getByText('Opened', { exact: true })).toBeHidden()
    await expect.poll(() => noted(user)).toEqual(before)
    await discard(page)
  })

  await longStep('a text that is changed on the way goes on where one was', async () => {
    await compose(page, 'Ada Lovelace', 'Bob')
    await write(page, 'Helo', 'You')
    await button(form(page), 'Continue').click()
    await openLink(page).click()
    await button(form(page), 'Back').click()
    await field(page, 'Subject').fill('Hello')
    await button(form(page), 'Continue').click()
    await expect(form(page).getByText('2 of 2', { exact: true })).toBeVisible()
    await expect.poll(() => mailOf(page)).toMatchObject({ to: 'bob@example.com', subject: 'Hello' })
    await discard(page)
  })

  await longStep(
    'a message too long for a link is said, with the copy button as the way',
    async () => {
      await compose(page, 'Ada Lovelace')
      const long = 'Dear {{first_name}}, '.repeat(120)
      await write(page, 'Hello', long)
      await button(form(page), 'Continue').click()
      await expect(
        form(page).getByText(/^This message is too long to hand to a mail app/),
      ).toBeVisible()
      await test.step('is accessible', () => scan(form(page)))
      const mail = await mailOf(page)
      expect(mail).toMatchObject({ to: 'ada@example.com', subject: 'Hello', body: null })
      const copied = () => page.evaluate(() => navigator.clipboard.readText())
      await button(form(page), 'Copy message').click()
      await expect(button(form(page), 'Copied')).toBeVisible()
      await expect.poll(() => copied()).toBe('Dear Ada, '.repeat(120))
      await button(form(page), 'Copy address').click()
      await expect.poll(copied).toBe('ada@example.com')
      await button(form(page), 'Copy subject').click()
      await expect.poll(copied).toBe('Hello')
      await discard(page)
    },
  )

  const { how, answer, message } = lostConnection

  await longStep(`a note that ${how} is said, and can be written again`, async () => {
    await compose(page, 'Ada Lovelace')
    await write(page, 'Failed', 'You')
    await button(form(page), 'Continue').click()
    await fail(page, logs, 'POST', answer)
    await openLink(page).click()
    await expectToast(page, `Failed to log the email: ${message}`)
    await expect(form(page).getByText('Not logged')).toBeVisible()
    await expect.poll(() => noted(user)).not.toContain('Ada: Failed')
    await page.unroute(logs)
    await button(form(page), 'Log again').click()
    await expectToast(page, 'Email draft logged for Ada Lovelace')
    await expect.poll(() => noted(user)).toContain('Ada: Failed')
  })

  const many: NewContact[] = Array.from({ length: 50 }, (_, n) => ({
    first_name: `Person ${String(n).padStart(2, '0')}`,
    email: `a.rather.long.address.of.person.${n}@mail.example.com`,
  }))
  await longStep(
    'in parts, so that no address is cut off; each part is noted when it is opened',
    async () => {
      const owner = await open(many)
      // More rows on their way would not be among those that are selected.
      await settled(page)
      await page.getByLabel(/^Select all loaded/).check()
      await compose(page)
      await bcc(page).check()
      await write(page, 'News', 'For you all')
      await button(form(page), 'Continue').click()
      await expect(openLink(page)).toHaveText(['Open part 1 of 2', 'Open part 2 of 2'])
      const parts = [await mailOf(page, 'Open part 1 of 2'), await mailOf(page, 'Open part 2 of 2')]
      expect(parts.flatMap((part) => part.bcc).sort()).toEqual(
        many.map(({ email }) => email).sort(),
      )
      for (const { href, to, subject, body } of parts) {
        expect(href.length).toBeLessThanOrEqual(longestLink)
        expect({ to, subject, body }).toEqual({ to: '', subject: 'News', body: 'For you all' })
      }
      await openLink(page).first().click()
      const first = parts[0]?.bcc.length ?? 0
      await expectToast(page, `Email draft logged for ${first} contacts`)
      await expect.poll(() => noted(owner)).toHaveLength(first)
      await openLink(page).last().click()
      await expectToast(page, `Email draft logged for ${50 - first} contacts`)
      await expect.poll(() => noted(owner)).toHaveLength(50)
      await button(form(page), 'Done').click()
      await expect(form(page)).toBeHidden()
      await unselect(page)
    },
  )

  await longStep('fields, which one message cannot fill in, are refused in words', async () => {
    await compose(page, 'Person 00', 'Person 01')
    await bcc(page).check()
    await write(page, 'Hello', 'Dear {{first_name}}')
    await expect(
      form(page).getByText(/^A Bcc email is the same for everyone, so it can’t use fields/),
    ).toBeVisible()
    await test.step('is accessible', () => scan(form(page)))
    await expect(button(form(page), 'Continue')).toBeDisabled()
    await field(page, 'Message').fill('Dear all')
    await button(form(page), 'Continue').click()
    await expect(openLink(page)).toHaveText(['Open in mail app'])
    await expect
      .poll(() => mailOf(page))
      .toMatchObject({
        bcc: [0, 1].map((n) => many[n]?.email),
      })
  })
})

test('on the phone', { tag: ['@phone', '@long'] }, async ({ page, open, step, scan }) => {
  await step(
    'script tags, right-to-left text and long words show as they are, and nothing sticks out',
    async () => {
      await page.setViewportSize({ width: 360, height: 640 })
      await open([{ first_name: '<img src=x onerror=alert(1)>', last_name: 'محمد', email: 'a@b' }])
      await page.getByLabel(/^Select <img/).check()
      await compose(page)
      await write(page, 'x'.repeat(300), '<script>alert(1)</script> {{first_name}} مرحبا')
      await expect(preview(page)).toContainText('<img src=x onerror=alert(1)> مرحبا')
      await expectNoSidewaysScroll(page)
      await test.step('is accessible', () => scan(form(page)))
      await button(form(page), 'Continue').click()
      await expect(openLink(page)).toBeVisible()
      await expectNoSidewaysScroll(page)
    },
  )
})
