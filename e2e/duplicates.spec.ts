import type { Locator, Page } from '@playwright/test'
import { expectToast } from './auth-form.ts'
import { pressEverything } from './crawl.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { brokenAnswer, fail, hold, lostConnection, settled } from './requests.ts'
import { addRow } from './rows.ts'

const path = '/app/settings/duplicates'
const pages = '**/rest/v1/rpc/duplicate_page'
const merges = '**/rest/v1/rpc/merge_contacts'

const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })
const group = (page: Page, name: string | RegExp) => page.getByRole('article', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const choice = (page: Page, field: string) => page.getByRole('radiogroup', { name: field })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

/** Two contacts of one e-mail address, the older with two tasks, the newer with a deal. */
async function addAdas(user: User): Promise<[older: string, newer: string]> {
  const older = await addRow(user, 'contacts', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    phone_number: '+49 30 1234567',
  })
  const newer = await addRow(user, 'contacts', {
    first_name: 'A.',
    last_name: 'Lovelace',
    email: 'ADA@example.com',
    phone_number: '0170 7654321',
    role_title: 'Countess',
  })
  await addRow(user, 'tasks', { title: 'Call', contact_id: older })
  await addRow(user, 'tasks', { title: 'Write', contact_id: older })
  await addRow(user, 'deals', { name: 'Engine', contact_id: newer })
  return [older, newer]
}

test.use({ expectedErrors: failedRequests })

/** Opens the screen with the two Adas on it. */
const withAdas = test.extend<{ open: () => Promise<{ user: User; ids: [string, string] }> }>({
  open: async ({ page, signUp, begin }, use) => {
    await use(async () => {
      const user = await signUp()
      const ids = await addAdas(user)
      await begin(user, path)
      await expect(group(page, /Ada Lovelace/)).toBeVisible()
      return { user, ids }
    })
  },
})

async function openMerge(page: Page): Promise<void> {
  await button(group(page, /Ada Lovelace/), 'Merge').click()
  await expect(choice(page, 'Keep this contact')).toBeVisible()
  // The records are read once more when it opens.
  await settled(page)
}

async function contacts(user: User) {
  const { data } = await user.client
    .from('contacts')
    .select('id, first_name, email, phone_number, role_title, notes')
    .order('created_at')
  return data ?? []
}

withAdas(
  'likely duplicates are listed, merged, or marked as none',
  async ({ step, longStep, signUp, begin, page, open, scan }) => {
    await step(
      'likely duplicates are listed with the reason and what tells them apart, strongest first',
      async () => {
        const user = await signUp()
        await addAdas(user)
        const acme = await addRow(user, 'companies', {
          name: 'Acme GmbH',
          website: 'https://acme.com',
        })
        await addRow(user, 'companies', { name: 'ACME', website: 'https://www.acme.com/about' })
        await addRow(user, 'contacts', { first_name: 'Bob', last_name: 'Miller', company_id: acme })
        await addRow(user, 'contacts', { first_name: 'Miller,', last_name: 'Bob' })
        const release = await hold(page, pages)
        await begin(user, path)
        await expect(page.getByText('Looking for duplicates...', { exact: true })).toBeVisible()
        release()
        const ada = group(page, /Ada Lovelace/)
        await expect(ada).toBeVisible()
        await expect(page.getByRole('article')).toHaveCount(2)
        await expect(page.getByRole('article').first()).toContainText('Same email')
        await expect(page.getByRole('article').last()).toContainText('Similar name')
        for (const text of [
          '2 contacts',
          'ADA@example.com',
          '+49 30 1234567',
          '2 tasks',
          '1 deal',
        ]) {
          await expect(ada.getByText(text, { exact: true })).toBeVisible()
        }
        await expect(ada.getByText(/^Created /)).toHaveCount(2)
        await expect(group(page, /Miller/).getByText('Acme GmbH', { exact: true })).toBeVisible()
        await expect(page).toHaveTitle('Duplicates · Solo CRM')
        await expect(tab(page, 'Contacts (2)')).toBeVisible()
        await test.step('groups of duplicates are accessible, light and dark', () => scan())
        await tab(page, 'Companies (1)').click()
        const company = group(page, /Acme GmbH/)
        await expect(company).toContainText('Same website')
        await expect(company).toContainText('Similar name')
        await expect(company.getByText('1 contact', { exact: true })).toBeVisible()
        await expect(page).toHaveURL(`${path}?kind=companies`)
      },
    )
    await step(
      'merged field by field: the chosen values, tasks and deals on one contact, and Undo',
      async () => {
        const { user, ids } = await open()
        const [older, newer] = ids
        const before = await contacts(user)
        await openMerge(page)
        const keep = choice(page, 'Keep this contact')
        await expect(keep.getByRole('radio', { name: 'Ada Lovelace' })).toBeChecked()
        const firstName = choice(page, 'First name')
        const phone = choice(page, 'Phone number')
        // The values of the kept contact, and what only the other one has.
        await expect(firstName.getByRole('radio', { name: 'Ada' })).toBeChecked()
        await expect(
          choice(page, 'Role title').getByRole('radio', { name: 'Countess' }),
        ).toBeChecked()
        await expect(phone.getByRole('radio', { name: '+49 30 1234567' })).toBeChecked()
        await expect(
          page.getByText('1 deal moves to Ada Lovelace. The other contact is deleted.'),
        ).toBeVisible()
        await expect(
          page.getByText('All tags, addresses, numbers and links are kept.'),
        ).toBeVisible()
        await expect(page.getByText('Other first name: A.')).toBeVisible()
        await test.step('the merge is accessible', () => scan(dialog(page, 'Merge contacts')))
        await keep.getByRole('radio', { name: 'A. Lovelace' }).check()
        await expect(page.getByText('2 tasks move to A. Lovelace.')).toBeVisible()
        await expect(phone.getByRole('radio', { name: '0170 7654321' })).toBeChecked()
        await phone.getByRole('radio', { name: '+49 30 1234567' }).check()
        await firstName.getByRole('radio', { name: 'Ada' }).check()
        await expect(page.getByText('2 tasks move to Ada Lovelace.')).toBeVisible()
        await button(dialog(page, 'Merge contacts'), 'Merge').click()
        const toast = page.getByRole('alert').filter({ hasText: '2 contacts merged into one' })
        await expect(toast).toBeVisible()
        await expect(
          page.getByRole('heading', { name: 'No duplicate contacts found', exact: true }),
        ).toBeVisible()
        await expect(tab(page, 'Contacts (0)')).toBeVisible()
        await expect
          .poll(() => contacts(user))
          .toEqual([
            {
              id: newer,
              first_name: 'Ada',
              email: 'ADA@example.com',
              phone_number: '+49 30 1234567',
              role_title: 'Countess',
              notes: 'Other first name: A.',
            },
          ])
        const { data: merged } = await user.client.from('contacts').select('phones').single()
        expect(merged?.phones).toEqual([
          { label: '', value: '+49 30 1234567' },
          { label: '', value: '0170 7654321' },
        ])
        const { data: tasks } = await user.client.from('tasks').select('contact_id')
        expect(tasks).toEqual([{ contact_id: newer }, { contact_id: newer }])

        await button(toast, 'Undo').click()
        await expect(group(page, /Ada Lovelace/)).toBeVisible()
        await expect.poll(() => contacts(user)).toEqual(before)
        const { data: back } = await user.client.from('tasks').select('contact_id')
        expect(back).toEqual([{ contact_id: older }, { contact_id: older }])
      },
    )
    await longStep(
      'what was not chosen is not kept when that is unticked, and one of three may be left out',
      async () => {
        const user = await signUp()
        const ids = await addAdas(user)
        const third = await addRow(user, 'contacts', {
          first_name: 'Info',
          email: 'ada@example.com',
        })
        await begin(user, path)
        await openMerge(page)
        await page.getByRole('checkbox', { name: 'Merge Info' }).uncheck()
        await expect(choice(page, 'First name').getByRole('radio', { name: 'Info' })).toBeDisabled()
        await page.getByRole('checkbox', { name: 'Keep the other values in the notes' }).uncheck()
        await button(dialog(page, 'Merge contacts'), 'Merge').click()
        await expect(page.getByText('2 contacts merged into one')).toBeVisible()
        await expect(group(page, /Info/).getByText('2 contacts', { exact: true })).toBeVisible()
        const stored = await contacts(user)
        expect(stored.map(({ id }) => id)).toEqual([ids[0], third])
        expect(stored[0]?.notes).toBeNull()
      },
    )
    await longStep(
      'not duplicates: they do not come again until that is undone or taken back',
      async () => {
        await open()
        await button(group(page, /Ada Lovelace/), 'Not duplicates').click()
        const toast = page.getByRole('alert').filter({ hasText: 'Marked as not duplicates' })
        await button(toast, 'Undo').click()
        await expect(group(page, /Ada Lovelace/)).toBeVisible()
        await expect(toast).toBeHidden()

        await button(group(page, /Ada Lovelace/), 'Not duplicates').click()
        await expect(toast).toBeVisible()
        await visit(page, '/app/settings')
        await visit(page, path)
        await expect(
          page.getByRole('heading', { name: 'No duplicate contacts found', exact: true }),
        ).toBeVisible()
        await settled(page)
        await expect(group(page, /Ada Lovelace/)).toHaveCount(0)
        await button(page, 'Marked as not duplicates').click()
        const pairs = dialog(page, 'Not duplicates')
        await expect(pairs.getByRole('button', { name: /^Undo/ })).toBeVisible()
        await test.step('no duplicates, and those marked as none, are accessible', () => scan())
        await pairs.getByRole('button', { name: /^Undo/ }).click()
        await expect(pairs.getByText('No pairs marked yet', { exact: true })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(group(page, /Ada Lovelace/)).toBeVisible()
      },
    )
    await longStep(
      'two or more contacts selected in the list are merged from there, and the settings lead here',
      async () => {
        const { user } = await open()
        await addRow(user, 'contacts', { first_name: 'Grace', notes: 'Navy' })
        await visit(page, '/app/contacts')
        const bar = page.getByRole('region', { name: 'Selection' })
        await page.getByRole('checkbox', { name: 'Select Grace' }).check()
        await expect(bar).toBeVisible()
        await expect(button(bar, 'Merge')).toBeHidden()
        await page.getByRole('checkbox', { name: 'Select Ada Lovelace' }).check()
        await button(bar, 'Merge').click()
        await expect(choice(page, 'Keep this contact')).toBeVisible()
        await button(dialog(page, 'Merge contacts'), 'Merge').click()
        await expect(page.getByText('2 contacts merged into one')).toBeVisible()
        await expect(bar).toBeHidden()
        await expect(page.getByText('2 contacts', { exact: true })).toBeVisible()
        await expect(page.getByRole('checkbox', { name: 'Select Grace' })).toBeHidden()

        await visit(page, '/app/settings')
        await page.getByRole('link', { name: 'Find duplicates', exact: true }).click()
        await expect(page.getByRole('heading', { name: 'Duplicates', level: 1 })).toBeVisible()
        await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click()
        await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
      },
    )
    const { how, answer, message } = lostConnection
    const user = await signUp()
    const ids = await addAdas(user)
    const merge = () => button(dialog(page, 'Merge contacts'), 'Merge').click()
    await longStep(`a list that ${brokenAnswer.how} says so, and Try again helps`, async () => {
      await fail(page, pages, 'POST', brokenAnswer.answer)
      await begin(user, path)
      const failed = `Failed to look for duplicates: ${brokenAnswer.message}`
      await expectToast(page, 'Error', failed)
      await page.unroute(pages)
      await button(page, 'Try again').click()
      await openMerge(page)
    })
    const chosen = choice(page, 'First name').getByRole('radio', { name: 'Augusta' })
    await longStep(
      'changed in another window meanwhile: said in words, nothing merged, the new value shows',
      async () => {
        const { error } = await user.client
          .from('contacts')
          .update({ first_name: 'Augusta' })
          .eq('id', ids[1])
        expect(error).toBeNull()
        await merge()
        await expectToast(
          page,
          'Error',
          'Failed to merge contacts: One of these records was changed meanwhile. Nothing was merged: look at it again.',
        )
        await chosen.check()
        expect(await contacts(user)).toHaveLength(2)
      },
    )
    await longStep(
      `a merge that ${how} says so: nothing is merged, and the choice is still there`,
      async () => {
        await fail(page, merges, 'POST', answer)
        await merge()
        await expectToast(page, 'Error', `Failed to merge contacts: ${message}`)
        await expect(chosen).toBeChecked()
        expect(await contacts(user)).toHaveLength(2)
        await page.unroute(merges)
        await merge()
        await expect(page.getByText('2 contacts merged into one')).toBeVisible()
        await expect
          .poll(() => contacts(user))
          .toMatchObject([{ id: ids[0], first_name: 'Augusta' }])
      },
    )
  },
)

withAdas(
  'every enabled control on the screen does something, without a script error',
  async ({ page, open }) => {
    await open()
    // Asked for, but not done: the next control is looked for on the same card.
    await page.route('**/rest/v1/rpc/mark_not_duplicates', (route) =>
      route.fulfill({ json: { count: 1, batch: null } }),
    )
    const names = await pressEverything(page, {
      // Written out, so that the tab that is open already has something to do.
      address: `${path}?kind=contacts`,
      ready: () => expect(tab(page, 'Contacts (1)')).toBeVisible(),
    })
    expect(names.length).toBeGreaterThan(6)
  },
)

test('nothing sticks out on the narrowest phone, and a merge is done there', {
  tag: ['@phone', '@long'],
}, async ({ page, signUp, signIn, scan }) => {
  const user = await signUp()
  const long = { first_name: 'x'.repeat(200), last_name: 'y'.repeat(200), notes: 'n'.repeat(500) }
  await addRow(user, 'contacts', { ...long, phone_number: '1'.repeat(50) })
  await addRow(user, 'contacts', { ...long, role_title: 'r'.repeat(200), notes: null })
  await signIn(user)
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto(path)
  await expect(page.getByRole('article')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await test.step('a group of duplicates is accessible', () => scan())
  await button(page.getByRole('article'), 'Merge').click()
  await expect(choice(page, 'Keep this contact')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await test.step('the merge is accessible', () => scan(dialog(page, 'Merge contacts')))
  await button(dialog(page, 'Merge contacts'), 'Merge').click()
  await expect(page.getByText('2 contacts merged into one')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No duplicate contacts found' })).toBeVisible()
})
