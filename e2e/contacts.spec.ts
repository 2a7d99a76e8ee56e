import type { Locator, Page } from '@playwright/test'
import { type LeadStatus, leadStatuses } from '#domain/fields/contacts.ts'
import type { Database } from '#lib/database.types.ts'
import { expectToast } from './auth-form.ts'
import { showAllActions } from './contact-list.ts'
import { pressEverything } from './crawl.ts'
import {
  expect,
  expectFirstOnScreen,
  expectNoSidewaysScroll,
  failedRequests,
  type User,
} from './fixtures.ts'
import { test, visit } from './journey.ts'
import { brokenAnswer, fail, hold, lostConnection, settled } from './requests.ts'
import { inOrder } from './rows.ts'
import { keepToasts } from './toasts.ts'

type NewContact = Database['public']['Tables']['contacts']['Insert']

const path = '/app/contacts'
const pages = '**/rest/v1/rpc/contact_page'

const ada: NewContact = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone_number: '+44 20 1234',
  role_title: 'Analyst',
  lead_status: 'Qualified',
  notes: 'Met at the fair',
}
const grace = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@navy.example' }
const zoe = { first_name: 'Zoë', last_name: 'Müller', phone_number: '+49 (30) 5678' }

/** Adds contacts, the last one the newest. */
async function add(user: User, ...contacts: NewContact[]): Promise<string[]> {
  const rows = inOrder(contacts)
  if (rows.length === 0) return []
  const { error } = await user.client.from('contacts').insert(rows, { defaultToNull: false })
  expect(error).toBeNull()
  return rows.map(({ id }) => id)
}

async function addMany(user: User, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    first_name: 'Person',
    last_name: String(index).padStart(5, '0'),
    lead_status: index % 2 ? 'New' : 'Contacted',
  }))
  const { error } = await user.client.from('contacts').insert(rows)
  expect(error).toBeNull()
}

/** Opens the screen with contacts there already. */
const withContacts = test.extend<{ open: (...contacts: NewContact[]) => Promise<User> }>({
  open: async ({ page, signUp, begin }, use) => {
    await use(async (...contacts) => {
      const user = await signUp()
      await add(user, ...contacts)
      await begin(user, path)
      if (contacts.length > 0) {
        await expect(page.getByText(`${contacts.length} contact`)).toBeVisible()
      }
      return user
    })
  },
})

const table = (page: Page) => page.getByRole('table', { name: 'Contacts' })
/** A row of the table, or a card on the phone. */
const row = (page: Page, name: string) =>
  page.locator('tbody tr, article').filter({ has: page.getByRole('link', { name, exact: true }) })
const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: /^(Add|Edit) Contact$/ })
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const search = (page: Page) => page.getByPlaceholder('Search contacts...', { exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const tick = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const names = (page: Page) => page.locator('a[href^="/app/contacts/"]')

async function expectNames(page: Page, expected: string[]): Promise<void> {
  await expect(names(page)).toHaveText(expected)
}

async function stored(user: User): Promise<NewContact[]> {
  const { data } = await user.client.from('contacts').select('*').order('created_at').order('id')
  return data ?? []
}

async function openAddForm(page: Page): Promise<void> {
  await button(page, 'Add contact').click()
  await expect(page.getByRole('dialog', { name: 'Add Contact' })).toBeVisible()
}

async function openEditForm(page: Page, name: string): Promise<void> {
  await row(page, name).hover()
  await button(row(page, name), `Edit ${name}`).click()
  await expect(page.getByRole('dialog', { name: 'Edit Contact' })).toBeVisible()
}

/** Leads back to the list as it is without a search, a filter or a sort. */
async function openPlain(page: Page): Promise<void> {
  await visit(page, path)
  await expect(page).toHaveURL(path)
}

test.use({ expectedErrors: failedRequests })

withContacts(
  'the screen: empty, loading, failed, and its table',
  async ({ page, open, signUp, begin, context, step, longStep, scan }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open()

    await step("'No contacts yet' with 'Add your first contact'", async () => {
      await expect(page.getByRole('heading', { name: 'No contacts yet' })).toBeVisible()
      await test.step('is accessible', () => scan(page.getByRole('main')))
      await button(page, 'Add your first contact').click()
      await expect(page.getByRole('dialog', { name: 'Add Contact' })).toBeVisible()
    })

    const user = await signUp()
    const acme = await user.client.from('companies').insert({ name: 'Acme' }).select('id').single()
    await add(user, { notes: 'x'.repeat(10_000) }, { ...ada, company_id: acme.data?.id ?? null })

    await step("Loading text: 'Loading contacts...'", async () => {
      const release = await hold(page, pages)
      await begin(user, path)
      await expect(page.getByText('Loading contacts...', { exact: true })).toBeVisible()
      release()
      await expectNames(page, ['Ada Lovelace', 'Unnamed'])
      await expect(page.getByText('Loading contacts...', { exact: true })).toBeHidden()
    })

    await step("Title 'Contacts', subtitle 'Manage your contacts and leads'", async () => {
      await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible()
      await expect(page.getByText('Manage your contacts and leads', { exact: true })).toBeVisible()
      await expect(page).toHaveTitle('Contacts · Solo CRM')
      await expect(page.getByText('2 contacts', { exact: true })).toBeVisible()
      await expectNoSidewaysScroll(page)
    })

    await step(
      "Table columns: select checkbox, Contact (initials avatar, full name or 'Unnamed', role title), Email, Phone, Company, Lead Status badge, Notes (truncated), Actions",
      async () => {
        await expect(table(page).getByRole('columnheader')).toHaveText([
          '',
          'Contact',
          'Email',
          'Phone',
          'Company',
          'Lead Status',
          'Notes',
          'Actions',
        ])
        // All of them at once, beside the collections.
        const hidden = () =>
          table(page).evaluate(({ parentElement: box }) =>
            box ? box.scrollWidth - box.clientWidth : null,
          )
        await expect.poll(hidden).toBe(0)
        await expect(row(page, 'Ada Lovelace').getByRole('cell')).toHaveText([
          '',
          'ALAda LovelaceAnalyst',
          'ada@example.com',
          '+44 20 1234',
          'Acme',
          'Qualified',
          'Met at the fair',
          '',
        ])
        await expect(row(page, 'Unnamed').getByRole('cell')).toHaveText([
          '',
          '?Unnamed',
          '-',
          '-',
          '-',
          'New',
          /^x+$/,
          '',
        ])
        const height = () => row(page, 'Unnamed').evaluate((node) => node.clientHeight)
        await expect.poll(height).toBe(40)
        await expect(row(page, 'Ada Lovelace').getByRole('link', { name: 'ada@' })).toHaveAttribute(
          'href',
          'mailto:ada@example.com',
        )
        await expect(row(page, 'Ada Lovelace').getByRole('link', { name: '+44' })).toHaveAttribute(
          'href',
          'tel:+44201234',
        )
      },
    )

    await step('addresses and numbers are copied by a button', async () => {
      const copy = button(row(page, 'Ada Lovelace'), 'Copy email ada@example.com')
      await row(page, 'Ada Lovelace').getByRole('link', { name: 'ada@' }).hover()
      await copy.click()
      await expect(button(row(page, 'Ada Lovelace'), 'Copied')).toBeVisible()
      const copied = () => page.evaluate(() => navigator.clipboard.readText())
      await expect.poll(copied).toBe('ada@example.com')
    })

    const { how, answer, message } = brokenAnswer
    const other = await signUp()
    await add(
      other,
      { first_name: '<script>alert(1)</script>', notes: '<img src=x onerror=alert(1)>' },
      { first_name: '👩‍🚀', last_name: 'Räume' },
      { first_name: 'محمد', last_name: 'الأمل' },
      ...leadStatuses.slice(1).map((lead_status) => ({ ...grace, lead_status })),
    )

    await step(
      `'Failed to fetch contacts: {message}' when the request ${how}, and Try again helps`,
      async () => {
        await fail(page, pages, 'POST', answer)
        await begin(other, `${path}?sort=password&status=New`)
        await expectToast(page, 'Error', `Failed to fetch contacts: ${message}`)
        await expect(
          page.getByRole('heading', { name: 'The contacts could not be loaded' }),
        ).toBeVisible()
        await page.unroute(pages)
        await button(page, 'Try again').click()
        await expect(row(page, '👩‍🚀 Räume')).toBeVisible()
      },
    )

    await step(
      'script tags, emoji and right-to-left text show as they were typed, and nothing runs',
      async () => {
        await expectNames(page, ['محمد الأمل', '👩‍🚀 Räume', '<script>alert(1)</script>'])
      },
    )

    await step('a sort column that does not exist in the URL is said in words', async () => {
      await expect(page.getByText('Contacts can’t be sorted by “password”.')).toBeVisible()
      await button(page, 'Dismiss').click()
      await expect(page).toHaveURL(`${path}?status=New`)
    })

    await step('the screen is accessible, light and dark', async () => {
      await visit(
        page,
        `${path}?sort=nope&col=email&col=phone&col=lead_status&col=created&col=lead_score`,
      )
      await expect(names(page)).toHaveCount(2 + leadStatuses.length)
      await scan()
    })

    await longStep('and with everything open', async () => {
      await tick(page, '👩‍🚀 Räume').check()
      await button(bar(page), 'Set lead status').click()
      await expect(page.getByRole('menuitem', { name: 'New' })).toBeVisible()
      await scan(bar(page))
      await page.keyboard.press('Escape')
      await button(bar(page), 'Set company').click()
      await expect(page.getByRole('combobox', { name: 'Company' })).toBeVisible()
      await scan(page.getByRole('dialog'))
      await page.keyboard.press('Escape')
      await button(bar(page), 'Clear selection').click()
      await button(page, 'Filter').click()
      await page.getByRole('combobox', { name: 'Lead Status' }).click()
      await expect(page.getByRole('option', { name: 'New', exact: true })).toBeVisible()
      await scan(page.getByRole('listbox'))
      await scan(page.getByRole('dialog', { name: /^Filter/ }))
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await button(page, 'View settings').click()
      await expect(page.getByRole('checkbox', { name: 'Next Task' })).toBeVisible()
      await scan(page.getByRole('dialog'))
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Sort:/ }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await scan(page.getByRole('menu'))
      await page.keyboard.press('Escape')
      await openAddForm(page)
      await field(page, 'Email').fill('x')
      await button(dialog(page), 'Add Contact').click()
      await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true')
      await scan(dialog(page), { contrast: true })
    })
  },
)

withContacts('search, sort, filter, columns', async ({ page, signUp, begin, step, longStep }) => {
  const user = await signUp()
  const companies = await user.client
    .from('companies')
    .insert([{ name: 'Süd AG' }, { name: 'Acme' }])
    .select('id, name')
  const company = (name: string) => companies.data?.find((each) => each.name === name)?.id ?? null
  const [adaId = '', graceId = ''] = await add(
    user,
    { ...ada, lead_score: 1 },
    { ...grace, lead_score: 9, company_id: company('Süd AG') },
    { ...zoe, company_id: company('Acme') },
  )
  await user.client.rpc('create_collection', { name: 'VIP', filter: { ids: [graceId] } })
  await user.client
    .from('tasks')
    .insert({ title: 'Call back', due_date: '2030-05-01T10:00:00Z', contact_id: adaId })
  await user.client
    .from('notes')
    .insert({ kind: 'call', happened_at: '2020-02-03T10:00:00Z', contact_id: adaId, body: 'x' })
  await begin(user, path)
  await expect(page.getByText('3 contacts', { exact: true })).toBeVisible()

  await step(
    "Search box 'Search contacts...' filters by first name, last name or email, case-insensitive substring",
    async () => {
      // What else it finds: supabase/tests/lists.test.ts.
      for (const [text, expected] of [
        ['DA', ['Ada Lovelace']],
        ['opp', ['Grace Hopper']],
        ['NAVY', ['Grace Hopper']],
      ] as const) {
        await search(page).fill(text)
        await expectNames(page, [...expected])
      }
      await expect(page.getByText('1 contact', { exact: true })).toBeVisible()
      await search(page).fill('nobody')
      await expect(page.getByRole('heading', { name: 'No contacts found' })).toBeVisible()
      await expect(page.getByText('0 contacts', { exact: true })).toBeVisible()
      await button(page, 'Clear search and filters').click()
      await expectNames(page, ['Zoë Müller', 'Grace Hopper', 'Ada Lovelace'])
    },
  )

  await step(
    'sorting by a header, and turned by a second press, lives in the URL, survives reload and back',
    async () => {
      await openPlain(page)
      const header = button(table(page), 'Contact')
      await header.click()
      await expectNames(page, ['Ada Lovelace', 'Grace Hopper', 'Zoë Müller'])
      await expect(page).toHaveURL(`${path}?sort=name`)
      await header.click()
      await expectNames(page, ['Zoë Müller', 'Grace Hopper', 'Ada Lovelace'])
      await expect(
        page.getByRole('columnheader', { name: 'Contact', exact: true }),
      ).toHaveAttribute('aria-sort', 'descending')
      await page.reload()
      await expectNames(page, ['Zoë Müller', 'Grace Hopper', 'Ada Lovelace'])
      await page.goBack()
      await expectNames(page, ['Ada Lovelace', 'Grace Hopper', 'Zoë Müller'])
    },
  )

  await longStep('the Sort menu sorts by everything', async () => {
    await page.getByRole('button', { name: /^Sort:/ }).click()
    await page.getByRole('menuitemradio', { name: 'Lead Score' }).click()
    await expectNames(page, ['Grace Hopper', 'Ada Lovelace', 'Zoë Müller'])
    await page.getByRole('menuitemradio', { name: 'Lowest first' }).click()
    await expectNames(page, ['Zoë Müller', 'Ada Lovelace', 'Grace Hopper'])
    await expect(page).toHaveURL(`${path}?sort=lead_score&dir=asc`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
  })

  await step(
    'filters by lead status, company, collection, has e-mail, created between',
    async () => {
      await openPlain(page)
      await button(page, 'Filter').click()
      const choose = async (label: string, option: string) => {
        await page.getByRole('combobox', { name: label, exact: true }).click()
        await page.getByRole('option', { name: option, exact: true }).click()
      }
      const clear = () => button(page, 'Clear filters').click()
      await choose('Lead Status', 'Qualified')
      await expectNames(page, ['Ada Lovelace'])
      await expect(page).toHaveURL(`${path}?status=Qualified`)
      await clear()
      await choose('Company', 'Without company')
      await expectNames(page, ['Ada Lovelace'])
      await clear()
      await choose('Collection', 'VIP')
      await expectNames(page, ['Grace Hopper'])
      await clear()
      await choose('Email', 'No email')
      await expectNames(page, ['Zoë Müller'])
      await clear()
      await page.getByLabel('Created to', { exact: true }).fill('2200-01-01')
      await page.getByLabel('Created from', { exact: true }).fill('2020-01-01')
      await expectNames(page, ['Zoë Müller', 'Grace Hopper', 'Ada Lovelace'])
      await page.keyboard.press('Escape')
      await button(page, 'Remove filter Created to Jan 1, 2200').click()
      await expect(page).toHaveURL(`${path}?from=2020-01-01`)
    },
  )

  await longStep(
    'columns shown and their order, with created, lead score, last contacted and next task to choose',
    async () => {
      await openPlain(page)
      const headers = table(page).getByRole('columnheader')
      await button(page, 'View settings').click()
      for (const name of ['Email', 'Phone', 'Company', 'Notes']) {
        await page.getByRole('checkbox', { name, exact: true }).click()
        await expect(headers.filter({ hasText: name })).toHaveCount(0)
      }
      for (const name of ['Created', 'Lead Score', 'Last Contacted', 'Next Task']) {
        await page.getByRole('checkbox', { name, exact: true }).click()
        await expect(headers.filter({ hasText: name })).toHaveCount(1)
      }
      await button(page, 'Move Next Task to the left').click()
      const wanted = ['Lead Status', 'Created', 'Lead Score', 'Next Task', 'Last Contacted']
      await expect(headers).toHaveText(['', 'Contact', ...wanted, 'Actions'])
      const cells = row(page, 'Ada Lovelace').getByRole('cell')
      await expect(cells.nth(5)).toHaveText('May 1, 2030 · Call back')
      await expect(cells.nth(6)).toHaveText('Feb 3, 2020')
      await button(page, 'Reset columns').click()
      await expect(page).toHaveURL(path)
    },
  )
})

/** The last of these rows or cards is reached by scrolling, and there are never more than 60 in the document. */
async function scrollToLast(page: Page, isMobile: boolean): Promise<Locator> {
  const last = page.getByRole('link', { name: 'Person 00149', exact: true })
  const loaded = page.locator('tbody tr:not([aria-hidden]), article')
  let most = 0
  await expect(async () => {
    if (isMobile) await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    else await table(page).evaluate((node) => node.parentElement?.scrollBy(0, 100_000))
    most = Math.max(most, await loaded.count())
    await expect(last).toBeVisible({ timeout: 200 })
  }).toPass()
  expect(most).toBeLessThanOrEqual(60)
  expect(most).toBeGreaterThan(5)
  return last
}

/** With some ticked, the bar says how many, and what can be done with them. */
async function expectBar(page: Page, isMobile = false): Promise<void> {
  await expect(bar(page)).toBeHidden()
  await tick(page, 'Ada Lovelace').check()
  await tick(page, 'Zoë Müller').check()
  await expect(bar(page).getByText('2 selected', { exact: true })).toBeVisible()
  if (isMobile) {
    // One row, with what is wanted most.
    await expect(bar(page).getByRole('button')).toHaveText([
      '',
      'Send email',
      'Tags',
      'Delete selected',
      '',
    ])
    await expect.poll(async () => (await bar(page).boundingBox())?.height).toBeLessThan(80)
  } else {
    await expect(button(bar(page), 'More actions')).toBeHidden()
  }
  await showAllActions(page, isMobile)
  for (const name of [
    'Add to collection',
    'Create new collection',
    'Send email',
    'Delete selected',
    'Set lead status',
    'Set company',
    'Export selected',
  ]) {
    await expect(button(bar(page), name)).toBeVisible()
  }
  await expectNoSidewaysScroll(page)
  await button(bar(page), 'Clear selection').click()
  await expect(bar(page)).toBeHidden()
}

const theBar =
  "When rows are selected, a bottom bar shows 'N selected' with Add to collection, Create new collection, Send email and Delete selected"
const theScrolling =
  'pages come as one scrolls, at most 60 rows are in the document, the total is shown, and Back leads to the same place'

withContacts(
  'many contacts, and the bottom bar',
  async ({ page, open, signUp, begin, step, longStep }) => {
    test.slow()
    await keepToasts(page)

    const writes: string[] = []
    page.on('request', (request) => {
      if (/rpc\/(update|delete)_contacts/.test(request.url())) writes.push(request.url())
    })
    const crowd = await signUp()
    await addMany(crowd, 150)
    await begin(crowd, `${path}?sort=name`)

    await longStep(
      'Select-all selects what is loaded and offers "Select all N that match"; bulk actions then work on all of them in one request',
      async () => {
        await visit(page, `${path}?status=New`)
        await expect(page.getByText('75 contacts', { exact: true })).toBeVisible()
        // More rows on their way would not be among those that are selected.
        await settled(page)
        await page.getByRole('checkbox', { name: 'Select all loaded contacts' }).check()
        await expect(bar(page).getByText('60 selected', { exact: true })).toBeVisible()
        await button(bar(page), 'Select all 75 that match').click()
        await expect(bar(page).getByText('75 selected', { exact: true })).toBeVisible()
        await table(page).getByRole('checkbox').nth(1).uncheck()
        await expect(bar(page).getByText('74 selected', { exact: true })).toBeVisible()
        await button(bar(page), 'Set lead status').click()
        await page.getByRole('menuitem', { name: 'Unqualified' }).click()
        await expect(page.getByText('74 contacts updated successfully')).toBeVisible()
        await expect(page.getByText('1 contact', { exact: true })).toBeVisible()
        expect(writes).toHaveLength(1)
        const counted = async (status: LeadStatus) =>
          (await crowd.client.from('contacts').select('id').eq('lead_status', status)).data?.length
        await expect.poll(() => counted('Unqualified')).toBe(74)
        await button(page, 'Undo').click()
        await expect(page.getByText('75 contacts', { exact: true })).toBeVisible()
        await expect.poll(() => counted('Unqualified')).toBe(0)
        await button(bar(page), 'Clear selection').click()
      },
    )

    await longStep(
      'all that match are deleted in one request, which is asked about, since not all are on the screen',
      async () => {
        // More rows on their way would not be among those that are selected.
        await settled(page)
        await page.getByRole('checkbox', { name: 'Select all loaded contacts' }).check()
        await button(bar(page), 'Select all 75 that match').click()
        await button(bar(page), 'Delete selected').click()
        await button(page.getByRole('dialog', { name: 'Delete 75 contacts?' }), 'Delete').click()
        await expect(page.getByText('75 contacts deleted successfully')).toBeVisible()
        await expect(page.getByRole('heading', { name: 'No contacts found' })).toBeVisible()
        await button(page, 'Undo').click()
        await expect(page.getByText('75 contacts', { exact: true })).toBeVisible()
        expect(writes).toHaveLength(2)
      },
    )

    await step(theScrolling, async () => {
      await visit(page, `${path}?sort=name`)
      await expect(page.getByText('150 contacts', { exact: true })).toBeVisible()
      const last = await scrollToLast(page, false)
      await last.click()
      await expect(page).toHaveURL(/\/app\/contacts\/[\da-f-]{36}\?sort=name$/)
      await expect(page.getByRole('heading', { level: 1, name: 'Person 00149' })).toBeVisible()
      await page.goBack()
      await expect(last).toBeVisible()
    })

    const user = await open(ada, grace, zoe)

    await step(theBar, () => expectBar(page))

    await step('a range is selected with the shift key', async () => {
      await tick(page, 'Zoë Müller').click()
      await tick(page, 'Ada Lovelace').click({ modifiers: ['Shift'] })
      await expect(bar(page).getByText('3 selected', { exact: true })).toBeVisible()
      await button(bar(page), 'Clear selection').click()
    })

    await longStep('set company, and take it away, with Undo', async () => {
      await user.client.from('companies').insert({ name: 'Acme' })
      await tick(page, 'Ada Lovelace').check()
      await tick(page, 'Grace Hopper').check()
      await button(bar(page), 'Set company').click()
      await page.getByRole('combobox', { name: 'Company' }).fill('acm')
      await page.getByRole('option', { name: 'Acme', exact: true }).click()
      await button(page.getByRole('dialog'), 'Set company').click()
      await expect(page.getByText('2 contacts updated successfully')).toBeVisible()
      await expect(row(page, 'Grace Hopper').getByText('Acme')).toBeVisible()
      await button(page, 'Undo').click()
      await expect(page.getByText('Undone', { exact: true })).toBeVisible()
      await expect(row(page, 'Grace Hopper').getByText('Acme')).toBeHidden()
      expect((await stored(user)).map(({ company_id }) => company_id)).toEqual([null, null, null])
      await button(bar(page), 'Clear selection').click()
    })

    const { how, answer, message } = lostConnection

    await longStep(
      `'Failed to delete contacts: {message}' and 'Failed to update contacts: {message}' when it ${how}: the rows are back, and still selected`,
      async () => {
        await fail(page, '**/rest/v1/rpc/*_contacts', 'POST', answer)
        await tick(page, 'Ada Lovelace').check()
        await button(bar(page), 'Set lead status').click()
        await page.getByRole('menuitem', { name: 'Unqualified' }).click()
        await expectToast(page, 'Error', `Failed to update contacts: ${message}`)
        await expect(
          row(page, 'Ada Lovelace').getByText('Qualified', { exact: true }),
        ).toBeVisible()
        await button(bar(page), 'Delete selected').click()
        await expectToast(page, 'Error', `Failed to delete contacts: ${message}`)
        await expectNames(page, ['Zoë Müller', 'Grace Hopper', 'Ada Lovelace'])
        await expect(bar(page).getByText('1 selected', { exact: true })).toBeVisible()
        await expect.poll(() => stored(user)).toHaveLength(3)
        await button(bar(page), 'Clear selection').click()
      },
    )

    await step(
      "'{n} contacts deleted successfully', the selection is cleared, and Undo brings all back",
      async () => {
        await tick(page, 'Ada Lovelace').check()
        await tick(page, 'Zoë Müller').check()
        await button(bar(page), 'Delete selected').click()
        await expect(
          page.getByText('2 contacts deleted successfully', { exact: true }),
        ).toBeVisible()
        await expect(bar(page)).toBeHidden()
        await expectNames(page, ['Grace Hopper'])
        await expect.poll(() => stored(user)).toHaveLength(1)
        await button(page, 'Undo').click()
        await expectNames(page, ['Zoë Müller', 'Grace Hopper', 'Ada Lovelace'])
      },
    )

    await longStep(
      'the toast of a deletion does not cover the bar, while the next are selected',
      async () => {
        await tick(page, 'Grace Hopper').check()
        await button(bar(page), 'Delete selected').click()
        const toast = page.getByRole('alert').filter({ hasText: '1 contacts deleted successfully' })
        await expect(toast).toBeVisible()
        await page.setViewportSize({ width: 1000, height: 500 })
        await tick(page, 'Ada Lovelace').check()
        await expect(bar(page)).toBeInViewport()
        await expect
          .poll(async () => {
            const [above, below] = [await toast.boundingBox(), await bar(page).boundingBox()]
            return above && below && above.y + above.height <= below.y
          })
          .toBe(true)
        await button(bar(page), 'Clear selection').click()
        await page.setViewportSize({ width: 1440, height: 900 })
      },
    )

    await step('export selected: the specified columns, of those that are selected', async () => {
      // Quotation marks, line breaks and formulas: domain/contact-csv.test.ts.
      await tick(page, 'Ada Lovelace').check()
      const saved = page.waitForEvent('download')
      await button(bar(page), 'Export selected').click()
      await page.getByRole('menuitem', { name: 'Export contacts' }).click()
      const file = await saved
      expect(file.suggestedFilename()).toMatch(/^contacts-export-\d{4}-\d\d-\d\d\.csv$/)
      await expectToast(page, 'Export Complete', 'Successfully exported 1 contacts')
      const chunks: Buffer[] = []
      for await (const chunk of await file.createReadStream()) chunks.push(Buffer.from(chunk))
      const text = Buffer.concat(chunks).toString('utf8')
      expect(text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'MOMENT')).toBe(
        [
          '\uFEFFFirst Name,Last Name,Email,Phone,Role,Lead Status,Notes,Created At',
          'Ada,Lovelace,ada@example.com,+44 20 1234,Analyst,Qualified,"Met at the fair",MOMENT',
          '',
        ].join('\r\n'),
      )
    })
  },
)

const theForm = "'Add Contact' with all its fields, and 'Contact created successfully'"

/** A contact is added beside another, with something in every field. */
async function fillForm(page: Page, user: User): Promise<void> {
  await user.client.from('companies').insert({ name: 'Acme' })
  await openAddForm(page)
  await expect(field(page, 'First Name')).toBeFocused()
  await expect(field(page, 'Lead Status')).toHaveValue('New')
  await expect(field(page, 'Lead Score')).toHaveValue('0')
  for (const [label, value] of Object.entries({
    'First Name': ' Ada ',
    'Last Name': 'Lovelace',
    Email: 'ada@example.com',
    'Phone Number': '+44 20 1234',
    'Role Title': 'Analyst',
    'Lead Score': '42,5',
    Notes: 'x'.repeat(10_000),
  })) {
    await field(page, label).fill(value)
  }
  await dialog(page).getByRole('combobox', { name: 'Company' }).click()
  await page.getByRole('option', { name: 'Acme', exact: true }).click()
  await dialog(page).getByRole('combobox', { name: 'Lead Status' }).click()
  await page.getByRole('option', { name: 'Proposal Sent' }).click()
  await button(dialog(page), 'Add Contact').click()
  await expect(page.getByText('Contact created successfully', { exact: true })).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await expectNames(page, ['Ada Lovelace', 'Grace Hopper'])
  await expect(page.getByText('2 contacts', { exact: true })).toBeVisible()
  expect((await stored(user))[1]).toMatchObject({
    first_name: 'Ada',
    phone_number: '+44 20 1234',
    lead_status: 'Proposal Sent',
    lead_score: 42.5,
    notes: 'x'.repeat(10_000),
    company_id: expect.any(String),
  })
}

withContacts('the form', async ({ page, open, step, longStep }) => {
  const user = await open(grace)

  await step(theForm, () => fillForm(page, user))

  await step("'Edit Contact', and 'Contact updated successfully'", async () => {
    await openEditForm(page, 'Ada Lovelace')
    await expect(field(page, 'Notes')).toHaveValue('x'.repeat(10_000))
    await field(page, 'Last Name').fill('King')
    await field(page, 'Phone Number').fill('')
    await button(dialog(page), 'Save Changes').click()
    await expect(page.getByText('Contact updated successfully', { exact: true })).toBeVisible()
    await expectNames(page, ['Ada King', 'Grace Hopper'])
    await expect
      .poll(() => stored(user))
      .toMatchObject([{ last_name: 'Hopper' }, { last_name: 'King', phone_number: null }])
  })

  const owner = await open()
  await longStep('bad values are said at their fields, and nothing is saved', async () => {
    await openAddForm(page)
    for (const [label, value, message] of [
      ['Email', 'ada.example.com', 'Enter a valid email address, such as ada@example.com.'],
      ['Lead Score', '1000000', 'Lead Score must be between -999,999.99 and 999,999.99.'],
    ] as const) {
      await field(page, label).fill(value)
      await button(dialog(page), 'Add Contact').click()
      await expect(field(page, label)).toHaveAccessibleDescription(message)
      await expect(field(page, label)).toBeFocused()
      await field(page, label).fill(label === 'Lead Score' ? '0' : '')
    }
    await expect.poll(() => stored(owner)).toEqual([])
    await page.keyboard.press('Escape')
  })

  await step(
    'no required fields: a contact may lack every name; empty company becomes null',
    async () => {
      await openAddForm(page)
      await field(page, 'Lead Score').fill('')
      await button(dialog(page), 'Add Contact').click()
      await expect(dialog(page)).toBeHidden()
      await expectNames(page, ['Unnamed'])
      await expect
        .poll(() => stored(owner))
        .toMatchObject([
          { first_name: null, email: null, company_id: null, lead_score: 0, lead_status: 'New' },
        ])
    },
  )

  await step('A company can be created from within the contact form', async () => {
    await openAddForm(page)
    await field(page, 'First Name').fill('Ada')
    await dialog(page).getByRole('combobox', { name: 'Company' }).fill('Acme')
    await page.getByRole('option', { name: 'Create company “Acme”' }).click()
    const company = page.getByRole('dialog', { name: 'Add Company' })
    await expect(company.getByLabel('Company Name *')).toHaveValue('Acme')
    await company.getByLabel('Industry').fill('Tools')
    // Escape asks about the company alone, and the form below stays.
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard changes?' })
    await expect(question).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await button(company, 'Add Company').click()
    await expect(company).toBeHidden()
    await expect(dialog(page).getByRole('combobox', { name: 'Company' })).toHaveValue('Acme')
    await expect(field(page, 'First Name')).toHaveValue('Ada')
    await button(dialog(page), 'Add Contact').click()
    await expect(row(page, 'Ada').getByText('Acme')).toBeVisible()
    const { data } = await owner.client.from('companies').select('name, industry')
    expect(data).toEqual([{ name: 'Acme', industry: 'Tools' }])
  })
})

withContacts(
  'every enabled control on the screen does something, without a script error',
  async ({ page, open }) => {
    test.slow()
    await open(ada)
    const pressed = await pressEverything(page, {
      address: `${path}?q=ada&sort=nope&status=Qualified`,
      ready: () => expect(row(page, 'Ada Lovelace')).toBeVisible(),
    })
    expect(pressed.length).toBeGreaterThan(20)
  },
)

withContacts(
  'on the phone',
  { tag: '@phone' },
  async ({ page, open, signUp, begin, step, longStep, scan }) => {
    await open(ada, zoe)

    await step('a card says the same as a row', async () => {
      const card = row(page, 'Ada Lovelace')
      for (const text of ['AL', 'Analyst', 'ada@example.com', '+44 20 1234', 'Qualified']) {
        await expect(card.getByText(text, { exact: true })).toBeVisible()
      }
      await expectFirstOnScreen(page, page.getByRole('article').first())
      await test.step('the cards and the bar are accessible', async () => {
        await tick(page, 'Ada Lovelace').check()
        await expect(bar(page)).toBeVisible()
        await scan()
        await tick(page, 'Ada Lovelace').uncheck()
      })
    })

    await step(theBar, () => expectBar(page, true))

    await longStep(theForm, async () => fillForm(page, await open(grace)))

    await longStep('the filter is a sheet, every field of which is within reach', async () => {
      await open(ada)
      await button(page, 'Filter').tap()
      const sheet = page.getByRole('dialog', { name: /^Filter/ })
      for (const name of ['Lead Status', 'Last Contacted to'])
        await expect(sheet.getByLabel(name, { exact: true }).first()).toBeInViewport({ ratio: 1 })
      await expect(button(sheet, 'Clear filters')).toBeInViewport({ ratio: 1 })
      await scan(sheet)
      await button(sheet, 'Close filter').tap()
      await expect(sheet).toBeHidden()
    })

    await longStep(theScrolling, async () => {
      const owner = await signUp()
      await addMany(owner, 150)
      await begin(owner, `${path}?sort=name`)
      await expect(page.getByText('150 contacts', { exact: true })).toBeVisible()
      const last = await scrollToLast(page, true)
      await last.click()
      await expect(page.getByRole('heading', { level: 1, name: 'Person 00149' })).toBeVisible()
      await page.goBack()
      await expect(last).toBeVisible()
    })

    await step('nothing sticks out on the narrowest phone', async () => {
      await page.setViewportSize({ width: 360, height: 640 })
      await open({
        first_name: 'x'.repeat(200),
        last_name: 'y'.repeat(200),
        email: `${'z'.repeat(200)}@example.com`,
        phone_number: '1'.repeat(50),
        role_title: 'r'.repeat(200),
        lead_status: 'Proposal Sent',
      })
      await expectNoSidewaysScroll(page)
      await page.getByRole('checkbox', { name: /^Select x/ }).check()
      await expectNoSidewaysScroll(page)
      await openAddForm(page)
      await expectNoSidewaysScroll(page)
    })
  },
)
