import type { Page } from '@playwright/test'
import { expectToast } from './auth-form.ts'
import { pressEverything } from './crawl.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import {
  button,
  composer,
  edit,
  editButton,
  entries,
  entry,
  expectChange,
  expectValue,
  input,
  region,
  write,
} from './record-page.ts'
import { askedFor, brokenAnswer, fail, hold, idle, lostConnection, settled } from './requests.ts'
import { addRow } from './rows.ts'

type NewCompany = {
  name: string
  website?: string | null
  industry?: string | null
  location?: string | null
}

const rest = '**/rest/v1/companies?*'
const notes = '**/rest/v1/notes?*'
const writes = '**/rest/v1/rpc/write_once'
const acme = { name: 'Acme', website: 'https://acme.com', industry: 'Tools', location: 'Berlin' }

const add = (user: User, company: NewCompany) => addRow(user, 'companies', company)

async function stored(user: User, id: string) {
  const { data } = await user.client
    .from('companies')
    .select('name, website, industry, location')
    .eq('id', id)
    .single()
  return data
}

/** Opens the page of a company of the test's own. */
const withCompany = test.extend<{
  open: (
    company?: NewCompany,
    prepare?: (user: User, id: string) => Promise<void>,
  ) => Promise<{ user: User; id: string }>
}>({
  open: async ({ page, signUp, begin }, use) => {
    await use(async (company = acme, prepare) => {
      const user = await signUp()
      const id = await add(user, company)
      await prepare?.(user, id)
      await begin(user, `/app/companies/${id}`)
      await expect(page.getByRole('heading', { level: 1, name: company.name })).toBeVisible()
      return { user, id }
    })
  },
})

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

const theEditing =
  "Enter and leaving save, Escape restores, 'Company updated successfully', and the timeline tells it"

async function editInPlace(page: Page, { user, id }: { user: User; id: string }): Promise<void> {
  await edit(page, 'Company Name', '  Acme Inc ')
  await expect(page.getByText('Company updated successfully', { exact: true })).toBeVisible()
  await expect(editButton(page, 'Company Name')).toBeFocused()
  await expect(page.getByRole('heading', { level: 1, name: 'Acme Inc' })).toBeVisible()
  await expect(page).toHaveTitle('Acme Inc · Solo CRM')
  await edit(page, 'Industry', 'Food', 'Tab')
  await expectValue(page, 'Industry', 'Food')
  await edit(page, 'Location', 'Nowhere', 'Escape')
  await expectValue(page, 'Location', 'Berlin')
  await edit(page, 'Website', 'acme.org/x')
  const link = region(page, 'Details').getByRole('link', { name: 'acme.org/x', exact: true })
  await expect(link).toHaveAttribute('href', 'https://acme.org/x')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(link).toHaveAttribute('target', '_blank')
  await edit(page, 'Website', '')
  await expectValue(page, 'Website', '')
  await expectChange(page, 'Website removed (was https://acme.org/x)')
  await expectChange(page, 'Name changed from Acme to Acme Inc')
  await expect
    .poll(() => stored(user, id))
    .toEqual({
      name: 'Acme Inc',
      website: null,
      industry: 'Food',
      location: 'Berlin',
    })
}

const theNotes = 'are written, edited and deleted, with Undo'

async function writeNotes(page: Page, user: User): Promise<void> {
  await button(composer(page), 'Add note').waitFor({ state: 'detached' })
  await composer(page).getByRole('textbox', { name: 'Write a note' }).click()
  await button(composer(page), 'Add note').click()
  await expect(
    composer(page).getByRole('textbox', { name: 'Write a note' }),
  ).toHaveAccessibleDescription(/Write something first\./)
  await write(page, 'Likes **tea**')
  await expect(entry(page, 'Likes tea').locator('strong')).toHaveText('tea')
  await expect(composer(page).getByRole('textbox', { name: 'Write a note' })).toHaveValue('')

  await composer(page).getByText('Call', { exact: true }).click()
  await composer(page).getByLabel('Outcome').fill('Left a message')
  await button(composer(page), 'When: now').click()
  await composer(page).getByLabel('When').fill('2026-01-02T10:30')
  await button(composer(page), 'Log call').click()
  await expect(entry(page, 'Left a message')).toContainText('Call')
  await expect(page.getByRole('heading', { name: 'January 2, 2026' })).toBeVisible()
  // The older one stands below, whenever it was written down.
  await expect(entries(page).first()).toContainText('Likes tea')
  await expect(entries(page).last()).toContainText('Left a message')

  await entry(page, 'Left a message').hover()
  await button(entry(page, 'Left a message'), 'Edit call').click()
  const form = page.getByRole('form', { name: 'Edit call' })
  await form.getByText('Meeting', { exact: true }).click()
  await page.getByLabel('Outcome').fill('Signed')
  await page.getByRole('textbox', { name: 'Meeting notes' }).fill('The contract')
  await button(page, 'Save Changes').click()
  await expect(entry(page, 'The contract')).toContainText('Meeting')

  await entry(page, 'Likes tea').hover()
  await button(entry(page, 'Likes tea'), 'Delete note').click()
  await expect(page.getByText('Note deleted successfully', { exact: true })).toBeVisible()
  await expect(entry(page, 'Likes tea')).toHaveCount(0)
  await button(page, 'Undo').click()
  await expect(entry(page, 'Likes tea')).toBeVisible()
  const { data } = await user.client.from('notes').select('kind, body, outcome').order('kind')
  expect(data).toEqual([
    { kind: 'meeting', body: 'The contract', outcome: 'Signed' },
    { kind: 'note', body: 'Likes **tea**', outcome: null },
  ])
}

// Some of what is asked for here is answered with an error.
test.use({ expectedErrors: failedRequests })

test('the page, and linked records', async ({ step, longStep, page, signUp, begin, scan }) => {
  const user = await signUp()
  await step('shows the company, its name in the tab, with four requests at once', async () => {
    // The shell around it asks for what it shows, once, on whatever page.
    const asked = askedFor(page, /^rpc\/(compan|contact|record)/)
    await begin(user, `/app/companies/${await add(user, acme)}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Acme' })).toBeVisible()
    await expect(page).toHaveTitle('Acme · Solo CRM')
    for (const [label, value] of [
      ['Company Name', 'Acme'],
      ['Website', 'acme.com'],
      ['Industry', 'Tools'],
      ['Location', 'Berlin'],
    ] as const) {
      await expectValue(page, label, value)
    }
    await expect(entry(page, 'Created')).toBeVisible()
    await settled(page)
    await expect
      .poll(asked)
      .toEqual([
        'rpc/company_neighbours',
        'rpc/company_record',
        'rpc/contact_page',
        'rpc/record_files',
        'rpc/record_timeline',
      ])
  })
  await longStep("Loading text: 'Loading company...'", async () => {
    const id = await add(user, { name: 'Delta' })
    const release = await hold(page, '**/rest/v1/rpc/company_record')
    await visit(page, `/app/companies/${id}`)
    await expect(page.getByText('Loading company...', { exact: true })).toBeVisible()
    release()
    await expect(page.getByRole('heading', { level: 1, name: 'Delta' })).toBeVisible()
    await expect(page.getByText('Loading company...', { exact: true })).toBeHidden()
  })
  const ids: Record<string, string> = {}
  await step('previous and next lead through the list one came from', async () => {
    for (const name of ['Beta', 'Zeta', 'Alpha']) {
      ids[name] = await add(user, { name, industry: 'Trees' })
    }
    const query = '?sort=name&industry=Trees'
    await visit(page, `/app/companies${query}`)
    await page.getByRole('link', { name: 'Alpha', exact: true }).click()
    const previous = page.getByLabel('Previous company', { exact: true })
    const next = page.getByLabel('Next company', { exact: true })
    await expect(page.getByRole('heading', { level: 1, name: 'Alpha' })).toBeVisible()
    await expect(previous).toBeDisabled()
    await next.click()
    await expect(page).toHaveURL(`/app/companies/${ids.Beta}${query}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Beta' })).toBeVisible()
    await expect(next).toHaveAttribute('href', `/app/companies/${ids.Zeta}${query}`)
    await idle(page)
    await page.keyboard.press('Alt+ArrowDown')
    await expect(page.getByRole('heading', { level: 1, name: 'Zeta' })).toBeVisible()
    await expect(next).toBeDisabled()
    await previous.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Beta' })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(`/app/companies${query}`)
  })
  await step(
    'an id that is not the user’s, does not exist or is none shows "not found" with the way back',
    async () => {
      const stranger = await signUp()
      const theirs = await add(stranger, { name: 'Secret' })
      for (const id of [theirs, crypto.randomUUID(), 'nope', '1']) {
        await visit(page, `/app/companies/${id}?sort=name`)
        await expect(page.getByRole('heading', { name: 'Company not found' })).toBeVisible()
        await expect(page).toHaveTitle('Company not found · Solo CRM')
        await expect(page.getByText('Secret')).toHaveCount(0)
      }
      await expect(page.getByRole('alert')).toHaveCount(0)
      await test.step('is accessible', () => scan(page.getByRole('main')))
      await page.getByRole('link', { name: 'Back to companies' }).click()
      await expect(page).toHaveURL('/app/companies?sort=name')
    },
  )
  await step('leaving a typed note asks first', async () => {
    await visit(page, `/app/companies/${ids.Zeta}`)
    const text = composer(page).getByRole('textbox', { name: 'Write a note' })
    await text.fill('Half a tho')
    const question = dialog(page, 'Discard changes?')
    await page.getByLabel('Previous company', { exact: true }).click()
    await button(question, 'Keep editing').click()
    await expect(text).toHaveValue('Half a tho')
    await button(composer(page), 'Cancel').click()
    await button(question, 'Keep editing').click()
    await expect(text).toHaveValue('Half a tho')
    await page.getByRole('link', { name: 'Companies', exact: true }).last().click()
    await button(question, 'Discard').click()
    await expect(page).toHaveURL('/app/companies')
  })
  await longStep('opens from a card, and Back returns to the same place of the list', async () => {
    const many = Array.from({ length: 90 }, (_, index) => ({
      name: `Company ${String(index).padStart(3, '0')}`,
      industry: 'Woods',
    }))
    expect((await user.client.from('companies').insert(many)).error).toBeNull()
    const query = '?sort=name&industry=Woods'
    await visit(page, `/app/companies${query}`)
    const link = page.getByRole('link', { name: 'Company 070', exact: true })
    await expect(async () => {
      // At once: a wheel would still be turning while the place is read.
      await page.evaluate(() => window.scrollBy(0, 800))
      // Whoever scrolls on before it is drawn scrolls past it.
      await settled(page)
      expect(await link.isVisible()).toBe(true)
    }).toPass()
    await link.scrollIntoViewIfNeeded()
    const place = await page.evaluate(() => window.scrollY)
    expect(place).toBeGreaterThan(500)
    await link.click()
    await expect(page).toHaveURL(/\/app\/companies\/[\w-]+\?sort=name&industry=Woods$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Company 070' })).toBeVisible()
    await page.goBack()
    await expect(link).toBeInViewport()
    await expect
      .poll(async () => Math.abs((await page.evaluate(() => window.scrollY)) - place))
      .toBeLessThan(50)
    await link.click()
    await page.getByLabel('Next company', { exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Company 071' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Companies', exact: true }).click()
    await expect(page).toHaveURL(`/app/companies${query}`)
    await expect(link).toBeInViewport()
  })
  await step(
    'its contacts and deals are listed, and Add contact prelinks the company',
    async () => {
      const id = await add(user, { name: 'Bolt' })
      const people = [
        { first_name: 'Ada', last_name: 'Lovelace', role_title: 'CFO', company_id: id },
        {
          first_name: 'Zoe',
          email: 'zoe@acme.com',
          lead_status: 'Qualified' as const,
          company_id: id,
        },
      ]
      expect((await user.client.from('contacts').insert(people)).error).toBeNull()
      const deal = { name: 'Spring order', value: 1200, company_id: id }
      expect((await user.client.from('deals').insert(deal)).error).toBeNull()
      await visit(page, `/app/companies/${id}`)
      const contacts = region(page, 'Contacts')
      const zoe = ['Zoe', 'zoe@acme.com']
      await expect(contacts.getByRole('link')).toHaveText(['Ada Lovelace', ...zoe])
      const address = contacts.getByRole('link', { name: 'zoe@acme.com' })
      await expect(address).toHaveAttribute('href', 'mailto:zoe@acme.com')
      // The line around it leads to the contact.
      await address.click({ trial: true })
      await expect(button(contacts, 'Copy email zoe@acme.com')).toBeAttached()
      await expect(contacts.getByText('Qualified', { exact: true })).toBeVisible()
      await expect(region(page, 'Deals')).toContainText('Spring order')
      await expect(region(page, 'Deals')).toContainText('$1,200')
      await button(contacts, 'Add contact').click()
      const form = dialog(page, 'Add Contact')
      await expect(form.getByLabel('Company', { exact: true })).toHaveValue('Bolt')
      await form.getByLabel('First Name', { exact: true }).fill('Grace')
      await button(form, 'Add Contact').click()
      await expect(contacts.getByRole('link')).toHaveText(['Ada Lovelace', 'Grace', ...zoe])
      await expectChange(page, 'Contact “Grace” added')
      const { data } = await user.client.from('contacts').select('id').eq('company_id', id)
      expect(data).toHaveLength(3)
      await contacts.getByRole('link', { name: 'Grace' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Grace' })).toBeVisible()
      await expect(
        region(page, 'Details').getByRole('link', { name: 'Bolt', exact: true }),
      ).toHaveAttribute('href', `/app/companies/${id}`)
    },
  )
  await longStep('a company with many contacts shows more on demand', async () => {
    const id = await add(user, { name: 'Crowd' })
    const people = Array.from({ length: 70 }, (_, index) => ({
      first_name: `Person ${String(index).padStart(2, '0')}`,
      company_id: id,
    }))
    expect((await user.client.from('contacts').insert(people)).error).toBeNull()
    await visit(page, `/app/companies/${id}`)
    const contacts = region(page, 'Contacts')
    await expect(contacts.getByRole('link')).toHaveCount(60)
    await button(contacts, 'Show more').click()
    await expect(contacts.getByRole('link')).toHaveCount(70)
    await expect(button(contacts, 'Show more')).toHaveCount(0)
  })
})

withCompany(
  'details edited in place, failures and other windows: nothing is lost',
  { tag: '@long' },
  async ({ step, longStep, page, open, scan }) => {
    const { how, answer, message } = lostConnection
    const { user, id: first } = await open()
    await step(theEditing, () => editInPlace(page, { user, id: first }))
    const id = await add(user, acme)
    await visit(page, `/app/companies/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Acme', exact: true })).toBeVisible()
    await longStep(
      'a change shows at once, and a second one before the answer is no conflict',
      async () => {
        const release = await hold(page, rest)
        await edit(page, 'Industry', 'Food')
        await expectValue(page, 'Industry', 'Food')
        await edit(page, 'Location', 'Rome')
        await edit(page, 'Industry', 'Art')
        await expectValue(page, 'Location', 'Rome')
        release()
        await expectChange(page, 'Location changed from Berlin to Rome')
        await expect
          .poll(() => stored(user, id))
          .toEqual({ ...acme, industry: 'Art', location: 'Rome' })
        await expect(page.getByText(/^Failed/)).toHaveCount(0)
      },
    )
    await step(
      `'Failed to update company: {message}' when it ${how}: the old value is back, the typed text is still there`,
      async () => {
        await settled(page)
        await fail(page, rest, 'PATCH', answer)
        await edit(page, 'Company Name', 'Acme Inc')
        await expectToast(page, 'Error', `Failed to update company: ${message}`)
        await expect(input(page, 'Company Name')).toHaveValue('Acme Inc')
        await expect(
          page.getByRole('heading', { level: 1, name: 'Acme', exact: true }),
        ).toBeVisible()
        await page.unroute(rest)
        await button(region(page, 'Details'), 'Try again').click()
        await expect(page.getByRole('heading', { level: 1, name: 'Acme Inc' })).toBeVisible()
        await expect.poll(async () => (await stored(user, id))?.name).toBe('Acme Inc')
      },
    )
    await longStep(
      'two windows: the later one is told, sees both values, overwrites or keeps the other',
      async () => {
        await settled(page)
        const changeElsewhere = (values: Partial<NewCompany>) =>
          user.client.from('companies').update(values).eq('id', id)
        const both = page.getByRole('group', { name: 'Both versions' })
        // Another field is nobody's business.
        await changeElsewhere({ location: 'Oslo' })
        await edit(page, 'Industry', 'Food')
        await expectValue(page, 'Location', 'Oslo')
        await expect(both).toHaveCount(0)

        await settled(page)
        await changeElsewhere({ industry: 'Theirs' })
        await edit(page, 'Industry', 'Mine')
        await expectToast(
          page,
          'Error',
          'Failed to update company: It was changed in another window. Compare both versions and choose one.',
        )
        await expect(both).toContainText('Changed in another window to “Theirs”.')
        await test.step('is accessible', () => scan(region(page, 'Details')))
        await expect(input(page, 'Industry')).toHaveValue('Mine')
        await button(both, 'Overwrite with mine').click()
        await expectValue(page, 'Industry', 'Mine')
        await expect.poll(async () => (await stored(user, id))?.industry).toBe('Mine')

        await settled(page)
        await changeElsewhere({ industry: 'Theirs again' })
        await edit(page, 'Industry', 'Mine again')
        await button(both, 'Keep the other version').click()
        await expectValue(page, 'Industry', 'Theirs again')
        expect((await stored(user, id))?.industry).toBe('Theirs again')
      },
    )
    await step(`'Failed to create note: {message}' when it fails: nothing is lost`, async () => {
      await fail(page, writes, 'POST', brokenAnswer.answer)
      await write(page, 'First words')
      await expectToast(page, 'Error', `Failed to create note: ${brokenAnswer.message}`)
      const text = composer(page).getByRole('textbox', { name: 'Write a note' })
      await expect(text).toHaveValue('First words')
      await expect(entry(page, 'First words')).toHaveCount(0)
      await page.unroute(writes)
      await button(composer(page), 'Add note').click()
      await expect(entry(page, 'First words')).toBeVisible()
      await expect(text).toHaveValue('')
    })
    await longStep(
      'two windows editing the same note: the later one may look at both versions',
      async () => {
        await settled(page)
        await entry(page, 'First words').hover()
        await button(entry(page, 'First words'), 'Edit note').click()
        await user.client.from('notes').update({ body: 'Their words' }).eq('body', 'First words')
        const form = page.getByRole('form', { name: 'Edit note' })
        await form.getByRole('textbox', { name: 'Write a note' }).fill('My own words')
        await button(form, 'Save Changes').click()
        await expect(form.getByRole('cell', { name: 'Their words' })).toBeVisible()
        await button(form, 'Overwrite with mine').click()
        await expect(form).toHaveCount(0)
        await expect(entry(page, 'My own words')).toBeVisible()
      },
    )
    await longStep(
      'a company deleted in another window is said in words, and what was typed stays',
      async () => {
        await settled(page)
        await composer(page).getByRole('textbox', { name: 'Write a note' }).fill('Typed so far')
        await user.client.from('companies').delete().eq('id', id)
        await edit(page, 'Industry', 'Food')
        await expectToast(page, 'Error', 'Failed to update company: This record no longer exists.')
        await expect(page.getByText('This company has been deleted')).toBeVisible()
        await test.step('is accessible', () => scan(page.getByRole('main')))
        await expect(input(page, 'Industry')).toHaveValue('Food')
        await expect(composer(page).getByRole('textbox', { name: 'Write a note' })).toHaveValue(
          'Typed so far',
        )
      },
    )
  },
)

withCompany(
  'notes, calls and meetings, and the timeline',
  { tag: '@long' },
  async ({ step, longStep, page, open, scan }) => {
    const { user } = await open()
    await step(theNotes, () => writeNotes(page, user))
    const company_id = await add(user, { name: 'Zeta' })
    await visit(page, `/app/companies/${company_id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Zeta' })).toBeVisible()
    await longStep('what is typed while the last one is saved stays', async () => {
      const release = await hold(page, writes)
      await write(page, 'Likes tea')
      await expect(button(composer(page), 'Saving...')).toBeVisible()
      await composer(page).getByText('Call', { exact: true }).click()
      const text = composer(page).getByRole('textbox', { name: 'Call notes' })
      await text.press('End')
      await text.pressSequentially(' and wants an offer')
      release()
      await expect(entry(page, 'Likes tea')).toBeVisible()
      await expect(text).toHaveValue('and wants an offer')
      await expect(text).toBeFocused()
      await button(composer(page), 'Log call').click()
      await expect(entry(page, 'and wants an offer')).toBeVisible()
      await expect(composer(page).getByRole('textbox', { name: 'Write a note' })).toHaveValue('')
      await expect(button(composer(page), 'Add note')).toHaveCount(0)
      const { data } = await user.client
        .from('notes')
        .select('kind, body')
        .eq('company_id', company_id)
        .order('kind')
      expect(data).toEqual([
        { kind: 'call', body: 'and wants an offer' },
        { kind: 'note', body: 'Likes tea' },
      ])
    })
    await longStep('a note of 10,000 letters folds and unfolds', async () => {
      await write(page, `Begin ${'word '.repeat(2000)} finish`)
      const note = entry(page, 'Begin')
      const height = async () => (await note.boundingBox())?.height ?? 0
      await expect(button(note, 'Show more')).toBeVisible()
      await expect.poll(() => height()).toBeLessThan(400)
      await button(note, 'Show more').click()
      await expect.poll(height).toBeGreaterThan(600)
      await button(note, 'Show less').click()
      await expect.poll(height).toBeLessThan(400)
      await expect(composer(page).getByRole('textbox', { name: 'Write a note' })).toHaveValue('')
      const { data } = await user.client
        .from('notes')
        .select('body')
        .like('body', 'Begin%')
        .single()
      expect(data?.body).toHaveLength(10_013)
    })
    await longStep('the timeline is newest first, and loads as one scrolls', async () => {
      const id = await add(user, { name: 'Long ago' })
      const many = Array.from({ length: 80 }, (_, index) => ({
        body: `Entry number ${index}`,
        company_id: id,
        happened_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      }))
      expect((await user.client.from('notes').insert(many)).error).toBeNull()
      await visit(page, `/app/companies/${id}`)
      await expect(entries(page).first()).toContainText('Created')
      await expect(entries(page).nth(1)).toContainText('Entry number 79')
      expect(await entries(page).count()).toBeLessThan(60)
      await expect
        .poll(
          async () => {
            await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
            return entries(page).count()
          },
          { timeout: 60_000, intervals: [50] },
        )
        .toBe(81)
      await expect(entries(page).last()).toContainText('Entry number 0')
    })
    await longStep(
      'the page is accessible with every kind of entry and forms with a message, light and dark',
      async () => {
        const id = await add(user, acme)
        await fill(user, id)
        await visit(page, `/app/companies/${id}`)
        await openEverything(page)
        await scan()
      },
    )
  },
)

/** Something of everything that a page can show. */
async function fill(user: User, id: string): Promise<void> {
  const { client } = user
  await client.from('contacts').insert({ first_name: 'Ada', email: 'ada@acme.com', company_id: id })
  await client.from('deals').insert({ name: 'First', company_id: id })
  await client.from('companies').update({ industry: 'Food' }).eq('id', id)
  await client.from('notes').insert([
    {
      body: `- a\n- [b](https://acme.com)\n\n> c\n\n\`d\`\n\n| e | f |\n|---|---|\n| 1 | 2 |\n\n${'long '.repeat(600)}`,
      company_id: id,
    },
    { kind: 'call', outcome: 'Left a message', company_id: id },
    { kind: 'email', outcome: 'E-mail opened', body: 'Hello', company_id: id },
  ])
}

/** Every kind of entry, and forms with a message. */
async function openEverything(page: Page): Promise<void> {
  await expect(entry(page, 'Left a message')).toBeVisible()
  await expect(entry(page, 'long').getByRole('table')).toBeVisible()
  await edit(page, 'Company Name', '')
  await composer(page).getByText('Call', { exact: true }).click()
  await button(composer(page), 'When: now').click()
  await composer(page).getByLabel('When').fill('')
  await button(composer(page), 'Log call').click()
  await expect(composer(page).getByLabel('When')).toHaveAttribute('aria-invalid', 'true')
  await entry(page, 'Left a message').hover()
  await button(entry(page, 'Left a message'), 'Edit call').click()
}

withCompany(
  'on the phone',
  { tag: ['@phone', '@long'] },
  async ({ step, longStep, page, open, scan }) => {
    await longStep(theNotes, async () => writeNotes(page, (await open()).user))
    await step('the page is accessible with everything open', async () => {
      await open(acme, fill)
      await openEverything(page)
      await scan()
    })
    await step('nothing sticks out on the narrowest phone', async () => {
      await page.setViewportSize({ width: 360, height: 640 })
      const word = 'x'.repeat(200)
      const company = { name: word, website: `https://${word}.com`, industry: word, location: word }
      await open(company, async (user, id) => {
        await fill(user, id)
        await user.client
          .from('contacts')
          .insert({ first_name: word, role_title: word, company_id: id })
        await user.client.from('notes').insert([
          { body: `${word}\n\n\`\`\`\n${word}\n\`\`\``, company_id: id },
          { kind: 'meeting', outcome: word, company_id: id },
        ])
      })
      await expect(entry(page, 'Created')).toHaveCount(1)
      await expectNoSidewaysScroll(page)
      await editButton(page, 'Industry').click()
      await composer(page).getByText('Call', { exact: true }).click()
      await button(composer(page), 'When: now').click()
      await expectNoSidewaysScroll(page)
    })
  },
)

withCompany(
  'every enabled control on the page does something, without a script error',
  async ({ page, open }) => {
    test.setTimeout(240_000) // some twenty controls, each on a fresh page
    const { id } = await open(acme, fill)
    // What is deleted must be there again for the next.
    await fail(page, notes, 'DELETE', (route) => route.fulfill({ json: [{ id }] }))
    const names = await pressEverything(page, {
      address: `/app/companies/${id}?sort=name`,
      ready: () => expect(entry(page, 'Left a message')).toBeVisible(),
    })
    expect(names.length).toBeGreaterThan(15)
  },
)
