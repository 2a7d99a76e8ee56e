import type { Locator, Page } from '@playwright/test'
import { expectToast } from './auth-form.ts'
import { pressEverything } from './crawl.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { brokenAnswer, fail, hold, lostConnection } from './requests.ts'
import { inOrder } from './rows.ts'

type NewCompany = {
  name: string
  website?: string | null
  industry?: string | null
  location?: string | null
}

const path = '/app/companies'
const rest = '**/rest/v1/companies?*'
const pages = '**/rest/v1/rpc/company_page'

const acme = { name: 'Acme', website: 'https://acme.com', industry: 'Tools', location: 'Berlin' }
const zeta = { name: 'Zeta', industry: 'Food', location: 'Zürich' }
const muller = { name: 'Müller & Söhne', industry: 'Tools', location: 'München' }

/** The last one is the newest. */
async function add(user: User, ...companies: NewCompany[]): Promise<string[]> {
  if (companies.length === 0) return []
  const rows = inOrder(companies)
  const { error } = await user.client.from('companies').insert(rows, { defaultToNull: false })
  expect(error).toBeNull()
  return rows.map(({ id }) => id)
}

/** Opens the screen with companies there already. */
const withCompanies = test.extend<{ open: (...companies: NewCompany[]) => Promise<User> }>({
  open: async ({ page, signUp, begin }, use) => {
    await use(async (...companies) => {
      const user = await signUp()
      await add(user, ...companies)
      await begin(user, path)
      if (companies[0]) await expect(card(page, companies[0].name)).toBeVisible()
      return user
    })
  },
})

const cards = (page: Page) => page.getByRole('article')
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: /Company$/ })
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })
const search = (page: Page) => page.getByPlaceholder('Search companies...', { exact: true })

async function names(page: Page): Promise<string[]> {
  return cards(page).getByRole('heading').allTextContents()
}

async function expectNames(page: Page, expected: string[]): Promise<void> {
  await expect.poll(() => names(page)).toEqual(expected)
}

async function stored(user: User): Promise<NewCompany[]> {
  const { data } = await user.client.from('companies').select('name, website, industry, location')
  return data ?? []
}

async function openAddForm(page: Page): Promise<void> {
  await button(page, 'Add Company').click()
  await expect(dialog(page)).toBeVisible()
}

async function openEditForm(page: Page, name: string): Promise<void> {
  await button(card(page, name), `Edit ${name}`).click()
  await expect(dialog(page)).toBeVisible()
}

const theScrolling = '150 companies scroll with at most 60 cards in the document'

async function scrollThroughMany(
  page: Page,
  user: User,
  begin: (user: User, path: string) => Promise<void>,
): Promise<void> {
  await add(user, acme)
  const many = Array.from({ length: 150 }, (_, index) => ({
    name: `Company ${String(index).padStart(3, '0')}`,
  }))
  expect((await user.client.from('companies').insert(many)).error).toBeNull()
  await begin(user, `${path}?sort=name`)
  await expect(page.getByText('151 companies', { exact: true })).toBeVisible()
  let most = 0
  await expect(async () => {
    await page.evaluate(() => window.scrollBy(0, 1500))
    // Found by its tag, not by its role: the tree of roles of this page is long to make, each time.
    const shown = await page.locator('article h2').allTextContents()
    most = Math.max(most, shown.length)
    expect(shown).toContain('Company 149')
  }).toPass({ intervals: [50] })
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(60)
}

// Some of what is asked for here is answered with an error.
test.use({ expectedErrors: failedRequests })

withCompanies(
  'the screen: its cards, its many cards, and what is deleted',
  async ({ step, longStep, page, open, context, signUp, begin, scan }) => {
    await open()
    await test.step("Title 'Companies', subtitle 'Manage your company relationships'", async () => {
      await expect(page.getByRole('heading', { name: 'Companies', level: 1 })).toBeVisible()
      await expect(
        page.getByText('Manage your company relationships', { exact: true }),
      ).toBeVisible()
      await expect(page).toHaveTitle('Companies · Solo CRM')
    })
    await test.step("Empty state 'No companies yet' with 'Add your first company'", async () => {
      await expect(
        page.getByRole('heading', { name: 'No companies yet', exact: true }),
      ).toBeVisible()
      await scan(page.getByRole('main'))
      await button(page, 'Add your first company').click()
      await expect(page.getByRole('dialog', { name: 'Add Company' })).toBeVisible()
    })
    const other = await signUp()
    const plain = { name: 'Plain', website: 'http://plain.example/x' }
    const [, id = ''] = await add(other, acme, zeta, plain)
    await other.client.from('contacts').insert([
      { first_name: 'Ada', company_id: id },
      { first_name: 'Bob', company_id: id },
    ])
    await other.client.from('deals').insert({ name: 'First', company_id: id })
    const release = await hold(page, pages)
    await begin(other, path)
    await test.step("Loading text: 'Loading companies...'", async () => {
      const loading = page.getByText('Loading companies...', { exact: true })
      await expect(loading).toBeVisible()
      release()
      await expect(card(page, 'Acme')).toBeVisible()
      await expect(loading).toBeHidden()
    })
    await test.step('lists are ordered by created_at descending, and the total is shown', async () => {
      await expectNames(page, ['Plain', 'Zeta', 'Acme'])
      await expect(page.getByText('3 companies', { exact: true })).toBeVisible()
    })
    await test.step('Card grid with initial, name, industry, location and a website link', async () => {
      const shown = card(page, 'Acme')
      await expect(shown.getByText('A', { exact: true })).toBeVisible()
      await expect(shown.getByRole('heading', { name: 'Acme' })).toBeVisible()
      await expect(shown.getByText('Tools', { exact: true })).toBeVisible()
      await expect(shown.getByText('Berlin', { exact: true })).toBeVisible()
      await expect(shown.getByText('0 contacts · 0 open deals', { exact: true })).toBeVisible()
    })
    await test.step('a card shows its number of contacts and open deals', async () => {
      await expect(
        card(page, 'Zeta').getByText('2 contacts · 1 open deal', { exact: true }),
      ).toBeVisible()
    })
    await step(
      'the website is shown without the http(s):// prefix and opens in a new tab',
      async () => {
        const link = card(page, 'Acme').getByRole('link', { name: 'acme.com', exact: true })
        await expect(link).toHaveAttribute('href', 'https://acme.com')
        await expect(link).toHaveAttribute('target', '_blank')
        await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
        await expect(card(page, 'Plain').getByRole('link')).toHaveText(['Plain', 'plain.example/x'])
        await context.route('https://acme.com/', (route) =>
          route.fulfill({ contentType: 'text/html', body: '<title>Acme</title>' }),
        )
        const opened = context.waitForEvent('page')
        await link.click()
        const tab = await opened
        await expect(tab).toHaveTitle('Acme')
        expect(await tab.evaluate(() => window.opener)).toBeNull()
      },
    )
    await step(
      "says how many contacts and deals lose their link; then 'Company deleted successfully', and Undo brings all back",
      async () => {
        await button(card(page, 'Zeta'), 'Delete Zeta').click()
        const question = page.getByRole('dialog', { name: 'Delete Zeta?' })
        await expect(question).toContainText('2 contacts and 1 deal will be unlinked.')
        await button(question, 'Cancel').click()
        await expectNames(page, ['Plain', 'Zeta', 'Acme'])
        await button(card(page, 'Zeta'), 'Delete Zeta').click()
        await button(question, 'Delete').click()
        await expect(page.getByText('Company deleted successfully', { exact: true })).toBeVisible()
        await expectNames(page, ['Plain', 'Acme'])
        await expect(page.getByText('2 companies', { exact: true })).toBeVisible()
        await button(page, 'Undo').click()
        await expectNames(page, ['Plain', 'Zeta', 'Acme'])
        await expect(card(page, 'Zeta').getByText('2 contacts · 1 open deal')).toBeVisible()
        const { data } = await other.client.from('contacts').select('id').eq('company_id', id)
        expect(data).toHaveLength(2)
      },
    )
    await longStep(theScrolling, async () => {
      await scrollThroughMany(page, await signUp(), begin)
      // A change far down stays where the user is.
      await openEditForm(page, 'Company 149')
      await field(page, 'Industry').fill('Last')
      await button(dialog(page), 'Save Changes').click()
      await expect(card(page, 'Company 149').getByText('Last', { exact: true })).toBeVisible()
    })
  },
)

withCompanies(
  'writes that fail, and two windows: nothing is lost',
  async ({ step, longStep, page, signUp, begin, scan }) => {
    const { how, answer, message } = lostConnection
    const user = await signUp()
    await add(user, zeta)
    await step(
      `'Failed to fetch companies: {message}' when the request ${brokenAnswer.how}, and Try again helps`,
      async () => {
        await fail(page, pages, 'POST', brokenAnswer.answer)
        await begin(user, path)
        await expectToast(page, 'Error', `Failed to fetch companies: ${brokenAnswer.message}`)
        await expect(
          page.getByRole('heading', { name: 'The companies could not be loaded' }),
        ).toBeVisible()
        await expect(
          page.getByRole('main').getByText(brokenAnswer.message, { exact: true }),
        ).toBeVisible()
        await page.unroute(pages)
        await button(page, 'Try again').click()
        await expect(card(page, 'Zeta')).toBeVisible()
      },
    )
    await step(
      `'Failed to create company: {message}' when it ${how}: the list is right again and the typed text is still there`,
      async () => {
        await fail(page, rest, 'POST', answer)
        await openAddForm(page)
        await field(page, 'Company Name *').fill('Acme')
        await field(page, 'Industry').fill('Tools')
        await button(dialog(page), 'Add Company').click()
        await expectToast(page, 'Error', `Failed to create company: ${message}`)
        await expect(field(page, 'Company Name *')).toHaveValue('Acme')
        await expect(field(page, 'Industry')).toHaveValue('Tools')
        await expect(page.locator('article')).toHaveCount(1)
        await page.unroute(rest)
        await button(dialog(page), 'Add Company').click()
        await expect(dialog(page)).toBeHidden()
        await expectNames(page, ['Acme', 'Zeta'])
        await expect.poll(() => stored(user)).toHaveLength(2)
      },
    )
    await longStep(
      `'Failed to delete company: {message}' when it ${how}: the card is back`,
      async () => {
        await fail(page, rest, 'DELETE', answer)
        await button(card(page, 'Acme'), 'Delete Acme').click()
        await button(page, 'Delete').click()
        await expectToast(page, 'Error', `Failed to delete company: ${message}`)
        await expectNames(page, ['Acme', 'Zeta'])
        await expect.poll(() => stored(user)).toHaveLength(2)
      },
    )
    await step('the later one is told, may look at both versions, and overwrite', async () => {
      await openEditForm(page, 'Acme')
      await user.client.from('companies').update({ name: 'Acme of theirs' }).eq('name', 'Acme')
      await field(page, 'Company Name *').fill('Acme of mine')
      await button(dialog(page), 'Save Changes').click()
      await expectToast(
        page,
        'Error',
        'Failed to update company: It was changed in another window. Compare both versions and choose one.',
      )
      const both = dialog(page).getByRole('group', { name: 'Both versions' })
      await expect(both.getByRole('cell', { name: 'Acme of mine' })).toBeVisible()
      await expect(both.getByRole('cell', { name: 'Acme of theirs' })).toBeVisible()
      await test.step('is accessible', () => scan(dialog(page)))
      await button(dialog(page), 'Overwrite with mine').click()
      await expect(dialog(page)).toBeHidden()
      await expectNames(page, ['Acme of mine', 'Zeta'])
      expect((await stored(user)).map(({ name }) => name).sort()).toEqual(['Acme of mine', 'Zeta'])
    })
    await longStep('the later one is told, and may take the other version', async () => {
      await openEditForm(page, 'Acme of mine')
      await user.client
        .from('companies')
        .update({ name: 'Acme of theirs' })
        .eq('name', 'Acme of mine')
      await field(page, 'Company Name *').fill('Acme again of mine')
      await button(dialog(page), 'Save Changes').click()
      await button(dialog(page), 'Keep the other version').click()
      await expect(dialog(page)).toBeHidden()
      await expectNames(page, ['Acme of theirs', 'Zeta'])
      expect((await stored(user)).map(({ name }) => name)).toContain('Acme of theirs')
    })
    await longStep(
      'a company deleted in another window is said in words, and the typed text stays',
      async () => {
        await openEditForm(page, 'Acme of theirs')
        await user.client.from('companies').delete().eq('name', 'Acme of theirs')
        await field(page, 'Company Name *').fill('Acme Inc')
        await button(dialog(page), 'Save Changes').click()
        await expectToast(page, 'Error', 'Failed to update company: This record no longer exists.')
        await expect(field(page, 'Company Name *')).toHaveValue('Acme Inc')
        await page.keyboard.press('Escape')
        await button(page, 'Discard').click()
        await expectNames(page, ['Zeta'])
        await user.client.from('companies').delete().eq('name', 'Zeta')
        await button(card(page, 'Zeta'), 'Delete Zeta').click()
        await expectToast(page, 'Error', 'Failed to delete company: This record no longer exists.')
        await expect(page.getByRole('heading', { name: 'No companies yet' })).toBeVisible()
      },
    )
  },
)

withCompanies(
  'search, sort and filter',
  { tag: '@long' },
  async ({ step, longStep, page, open, scan }) => {
    await step("Search 'Search companies...' filters by name, industry or location", async () => {
      await open(acme, zeta, muller)
      for (const [text, expected] of [
        ['ACM', ['Acme']],
        ['muller', ['Müller & Söhne']],
        ['tool', ['Müller & Söhne', 'Acme']],
        ['zurich', ['Zeta']],
        ['%', []],
      ] as const) {
        await search(page).fill(text)
        await expectNames(page, [...expected])
      }
      await expect(
        page.getByRole('heading', { name: 'No companies found', exact: true }),
      ).toBeVisible()
      await expect(page.getByText('0 companies', { exact: true })).toBeVisible()
      await button(page, 'Clear search and filters').click()
      await expectNames(page, ['Müller & Söhne', 'Zeta', 'Acme'])
      await expect(search(page)).toHaveValue('')
    })
    await longStep('the search is in the address and survives reload', async () => {
      await search(page).fill('zeta')
      await expect(page).toHaveURL(`${path}?q=zeta`)
      await expectNames(page, ['Zeta'])
      await page.reload()
      await expect(search(page)).toHaveValue('zeta')
      await expectNames(page, ['Zeta'])
      await button(page, 'Clear search').click()
      await expect(page).toHaveURL(path)
      await expectNames(page, ['Müller & Söhne', 'Zeta', 'Acme'])
    })
    await step('filters by industry and location', async () => {
      await button(page, 'Filter').click()
      const panel = page.getByRole('dialog', { name: /^Filter/ })
      await panel.getByRole('combobox', { name: 'Industry' }).click()
      await page.getByRole('option', { name: 'Tools', exact: true }).click()
      await expect(page).toHaveURL(`${path}?industry=Tools`)
      await expectNames(page, ['Müller & Söhne', 'Acme'])
      await panel.getByRole('combobox', { name: 'Location' }).click()
      await page.getByRole('option', { name: 'Berlin', exact: true }).click()
      await expectNames(page, ['Acme'])
      await button(page, 'Remove filter Industry Tools').click()
      await button(page, 'Remove filter Location Berlin').click()
      await expect(page).toHaveURL(path)
      await expectNames(page, ['Müller & Söhne', 'Zeta', 'Acme'])
      await page.goBack()
      await expectNames(page, ['Acme'])
    })
    await step('a sort column that does not exist in the URL is said in words', async () => {
      await visit(page, `${path}?sort=password&q=e`)
      await expect(
        page.getByText('Companies can’t be sorted by “password”. Showing the newest first.'),
      ).toBeVisible()
      await expectNames(page, ['Müller & Söhne', 'Zeta', 'Acme'])
      await test.step('the companies screen is accessible, light and dark', () => scan())
      await button(page, 'Dismiss').click()
      await expect(page).toHaveURL(`${path}?q=e`)
    })
    await longStep(
      'sorts by name and location, both ways, and Back leads to the order before',
      async () => {
        await visit(page, path)
        const sort = page.getByRole('button', { name: /^Sort:/ })
        await sort.click()
        const choose = (name: string) =>
          page.getByRole('menuitemradio', { name, exact: true }).click()
        await choose('Name')
        await expect(page).toHaveURL(`${path}?sort=name`)
        await expectNames(page, ['Acme', 'Müller & Söhne', 'Zeta'])
        await choose('Z to A')
        await expect(page).toHaveURL(`${path}?sort=name&dir=desc`)
        await expectNames(page, ['Zeta', 'Müller & Söhne', 'Acme'])
        // Each order is compared with the database's in supabase/tests/list-orders.test.ts.
        await choose('Location')
        await expectNames(page, ['Acme', 'Müller & Söhne', 'Zeta'])
        await page.goBack()
        await expect(page).toHaveURL(`${path}?sort=name&dir=desc`)
        await expectNames(page, ['Zeta', 'Müller & Söhne', 'Acme'])
      },
    )
  },
)

const theForm =
  "Company dialog 'Add Company' with Company Name *, Website, Industry, Location, and 'Company created successfully'"

async function fillForm(page: Page, user: User): Promise<void> {
  await openAddForm(page)
  await expect(page.getByRole('dialog', { name: 'Add Company' })).toBeVisible()
  await expect(field(page, 'Company Name *')).toBeFocused()
  await field(page, 'Company Name *').fill('  Acme  ')
  await field(page, 'Website').fill('acme.com')
  await field(page, 'Industry').fill('Tools')
  await field(page, 'Location').fill('Berlin')
  await button(dialog(page), 'Add Company').click()
  await expect(page.getByText('Company created successfully', { exact: true })).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await expectNames(page, ['Acme', 'Zeta'])
  await expect(page.getByText('2 companies', { exact: true })).toBeVisible()
  await expect.poll(() => stored(user)).toContainEqual(acme)
}

withCompanies('the form', async ({ step, longStep, page, open, scan }) => {
  const user = await open(zeta)
  await step(theForm, () => fillForm(page, user))
  await step("Company dialog 'Edit Company', and 'Company updated successfully'", async () => {
    await openEditForm(page, 'Acme')
    await expect(page.getByRole('dialog', { name: 'Edit Company' })).toBeVisible()
    await expect(field(page, 'Company Name *')).toHaveValue('Acme')
    await expect(field(page, 'Company Name *')).toBeFocused()
    await field(page, 'Company Name *').fill('Acme Inc')
    await field(page, 'Location').fill('')
    await button(dialog(page), 'Save Changes').click()
    await expect(page.getByText('Company updated successfully', { exact: true })).toBeVisible()
    await expectNames(page, ['Acme Inc', 'Zeta'])
    await expect
      .poll(() => stored(user))
      .toContainEqual({ ...acme, name: 'Acme Inc', location: null })
    // Once more, over what the first save answered.
    await openEditForm(page, 'Acme Inc')
    await field(page, 'Company Name *').fill('Acme Ltd')
    await button(dialog(page), 'Save Changes').click()
    await expect(dialog(page)).toBeHidden()
    await expectNames(page, ['Acme Ltd', 'Zeta'])
  })
  await step("name required (label 'Company Name *'); website must be in URL format", async () => {
    await openAddForm(page)
    for (const [label, value, message] of [
      ['Company Name *', '   ', 'Company Name is required.'],
      ['Website', 'javascript:alert(1)', 'Enter a web address, such as https://acme.com.'],
    ] as const) {
      await field(page, 'Company Name *').fill('Acme')
      await field(page, label).fill(value)
      await button(dialog(page), 'Add Company').click()
      await expect(field(page, label)).toHaveAccessibleDescription(message)
      await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
      await expect(field(page, label)).toBeFocused()
      if (label === 'Website') await test.step('is accessible', () => scan(dialog(page)))
      await field(page, label).fill('')
    }
    await expect.poll(() => stored(user)).toHaveLength(2)
    // What may already exist is told a moment after the typing.
    await expect(dialog(page).getByRole('link', { name: 'Acme Ltd' })).toBeVisible()
    await button(dialog(page), 'Cancel').click()
    await button(page.getByRole('dialog', { name: 'Discard changes?' }), 'Discard').click()
    await expect(dialog(page)).toBeHidden()
  })
  await longStep(
    "the write shows at once, 'Saving...' is on the button, and a second click does nothing",
    async () => {
      let writes = 0
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(rest, async (route) => {
        writes += 1
        await held
        await route.fallback()
      })
      await openAddForm(page)
      await field(page, 'Company Name *').fill('Bolt')
      await button(dialog(page), 'Add Company').click()
      await expect(button(dialog(page), 'Saving...')).toBeVisible()
      await expect(page.locator('article', { hasText: 'Bolt' })).toBeVisible()
      await button(dialog(page), 'Saving...').click({ force: true })
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeVisible()
      release()
      await expect(dialog(page)).toBeHidden()
      await expectNames(page, ['Bolt', 'Acme Ltd', 'Zeta'])
      expect(writes).toBe(1)
      await expect.poll(() => stored(user)).toHaveLength(3)
    },
  )
  await step('Leaving a changed form asks first', async () => {
    const question = page.getByRole('dialog', { name: 'Discard changes?' })
    await openEditForm(page, 'Acme Ltd')
    await field(page, 'Industry').fill('Else')
    const ways: (() => Promise<void>)[] = [
      () => page.keyboard.press('Escape'),
      () => button(dialog(page), 'Cancel').click(),
      () => button(dialog(page), 'Close').click(),
      () => page.mouse.click(5, 5),
    ]
    for (const leave of ways) {
      await leave()
      await expect(question).toBeVisible()
      if (leave === ways[0]) await test.step('is accessible', () => scan(question))
      await page.keyboard.press('Escape')
      await expect(question).toBeHidden()
      await expect(field(page, 'Industry')).toHaveValue('Else')
    }
    await page.keyboard.press('Escape')
    await button(question, 'Discard').click()
    await expect(dialog(page)).toBeHidden()
    // An unchanged one does not.
    await openEditForm(page, 'Acme Ltd')
    await expect(field(page, 'Industry')).toHaveValue('Tools')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await expect(question).toBeHidden()
  })
  await longStep('Back with a changed form open asks first', async () => {
    await page.getByRole('link', { name: 'Dashboard' }).click()
    // A way to here from a screen that has not come yet would take its place in the history.
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible()
    await page.getByRole('link', { name: 'Companies' }).click()
    // The dashboard, which stays until the screen comes, has such a button too.
    await expect(page.getByRole('heading', { level: 1, name: 'Companies' })).toBeVisible()
    await openAddForm(page)
    await field(page, 'Company Name *').fill('Typed')
    await page.goBack()
    const question = page.getByRole('dialog', { name: 'Discard changes?' })
    await button(question, 'Keep editing').click()
    await expect(page).toHaveURL(path)
    await expect(field(page, 'Company Name *')).toHaveValue('Typed')
    await page.goBack()
    await button(question, 'Discard').click()
    await expect(page).toHaveURL('/app/dashboard')
    await expect(dialog(page)).toBeHidden()
  })
})

withCompanies('on the phone', { tag: '@phone' }, async ({ step, page, open, scan }) => {
  await open(zeta)
  await step('the cards and the filters are accessible', async () => {
    await page.getByRole('button', { name: /^Filter/ }).click()
    await expect(page.getByRole('combobox', { name: 'Industry' })).toBeVisible()
    await scan()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('combobox', { name: 'Industry' })).toBeHidden()
  })
  await step('nothing sticks out on the narrowest phone', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    await open({
      name: 'x'.repeat(200),
      website: `https://${'x'.repeat(200)}.com`,
      industry: 'y'.repeat(200),
      location: 'z'.repeat(200),
    })
    await expectNoSidewaysScroll(page)
    await visit(page, `${path}?industry=${'y'.repeat(200)}`)
    await expect(cards(page)).toHaveCount(1)
    await expectNoSidewaysScroll(page)
    await openAddForm(page)
    await expectNoSidewaysScroll(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Delete x/ }).click()
    const question = page.getByRole('heading', { name: /^Delete x+\?$/ })
    const hidden = () => question.evaluate((text) => text.scrollWidth - text.clientWidth)
    await expect.poll(hidden).toBe(0)
    await expect(button(page, 'Close')).toBeInViewport({ ratio: 1 })
  })
})

withCompanies(
  'every enabled control on the screen does something, without a script error',
  async ({ page, open }) => {
    test.slow()
    await open(acme, zeta)
    const names = await pressEverything(page, {
      address: `${path}?q=acm&industry=Tools&sort=nope`,
      ready: () => expect(card(page, 'Acme')).toBeVisible(),
    })
    expect(names.length).toBeGreaterThan(8)
  },
)
