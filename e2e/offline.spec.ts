import type { Page } from '@playwright/test'
import { expect, failedRequests, sessionKey, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { keptOf } from './kept-of.ts'
import { hold, settled } from './requests.ts'
import { addRow } from './rows.ts'

test.use({ serviceWorkers: 'allow', keepsData: true, expectedErrors: failedRequests })

const line = (page: Page) => page.getByRole('status').filter({ hasText: 'You’re offline.' })
const main = (page: Page) => page.getByRole('main')
const bar = (page: Page) => page.getByRole('navigation', { name: 'Shortcuts' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

/** Until the worker has its files and the device what it keeps, with what stands on the screen. */
async function ready(page: Page, user: User, path: string): Promise<void> {
  await page.evaluate(async () => Boolean((await navigator.serviceWorker.ready).active))
  await expect
    .poll(() => keptOf(page, user), { timeout: 30_000 })
    .toEqual(expect.arrayContaining(['kept:tasks', 'kept:deals', `seen:${path}`]))
  await settled(page)
}

async function addSales(user: User) {
  const company_id = await addRow(user, 'companies', { name: 'Analytical Engines' })
  const ada = await addRow(user, 'contacts', {
    first_name: 'Ada',
    last_name: 'Byron',
    email: 'ada@engine.example',
    phone_number: '+44 20 7946 0018',
    company_id,
  })
  const never = await addRow(user, 'contacts', {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'grace@navy.example',
    phone_number: '+1 202 555 0143',
    company_id,
  })
  const deal = await addRow(user, 'deals', { name: 'Difference Engine', contact_id: ada })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  await addRow(user, 'tasks', { title: 'Call Ada', due_date: tomorrow, contact_id: ada })
  return { ada, never, deal }
}

test('a day without a network on the phone', { tag: '@phone' }, async ({
  page,
  signUp,
  begin,
  step,
  longStep,
  scan,
  context,
}) => {
  const user = await signUp()
  const { ada, never } = await addSales(user)

  await step(
    'what was seen opens after a reload, with a line that says from when it is',
    async () => {
      await begin(user, '/app/dashboard')
      await expect(
        main(page).getByText('Call Ada', { exact: true }).or(heading(page, 'Welcome back')).first(),
      ).toBeVisible()
      await visit(page, `/app/contacts/${ada}`)
      await expect(heading(page, 'Ada Byron')).toBeVisible()
      await expect(main(page).getByText('Call Ada', { exact: true })).toBeVisible()
      await ready(page, user, `/app/contacts/${ada}`)
      await expect(line(page)).toBeHidden()
      await context.setOffline(true)
      await page.reload()
      await expect(heading(page, 'Ada Byron')).toBeVisible()
      await expect(main(page).getByText('Call Ada', { exact: true })).toBeVisible()
      await expect(line(page)).toHaveText(/^You’re offline\. Showing data from \d\d:\d\d\.$/)
      await expect(page.getByRole('alert')).toHaveCount(0)
      await scan()
    },
  )

  await longStep('all contacts are found: by name, company, digits and e-mail', async () => {
    await bar(page).getByRole('link', { name: 'Contacts' }).click()
    await expect(heading(page, 'Contacts')).toBeVisible()
    await expect(main(page).getByText('Grace Hopper')).toBeVisible()
    const field = page.getByPlaceholder('Search contacts...')
    for (const words of ['hopper', '2025550143', '(202) 555', 'grace@navy']) {
      await field.fill(words)
      await expect(main(page).getByText('Grace Hopper')).toBeVisible()
      await expect(main(page).getByText('Ada Byron')).toBeHidden()
    }
    await field.fill('analytical')
    await expect(main(page).getByText('Ada Byron')).toBeVisible()
    await expect(main(page).getByText('Grace Hopper')).toBeVisible()
    await bar(page).getByRole('button', { name: 'Search' }).click()
    const dialog = page.getByRole('dialog', { name: 'Quick Actions' })
    await dialog.getByRole('combobox').fill('difference')
    await expect(dialog.getByRole('option', { name: /Difference Engine/ })).toBeVisible()
    await dialog.getByRole('combobox').fill('hopper')
    await dialog.getByRole('option', { name: /^Grace Hopper/ }).click()
    await expect(page).toHaveURL(new RegExp(never))
  })

  await longStep(
    'a contact that was never opened has its number, and says that the rest is not here',
    async () => {
      await expect(heading(page, 'Grace Hopper')).toBeVisible()
      await expect(
        page.getByText('The rest of this contact isn’t saved on this device.'),
      ).toBeVisible()
      await expect(page.getByRole('link', { name: /Call/ }).first()).toHaveAttribute(
        'href',
        'tel:+12025550143',
      )
      await expect(main(page).getByText('grace@navy.example').first()).toBeVisible()
      await scan()
    },
  )

  await longStep(
    'tasks, deals and the dashboard open; what was never read says so calmly',
    async () => {
      await page.goto('/app/tasks')
      await expect(main(page).getByText('Call Ada', { exact: true })).toBeVisible()
      await bar(page).getByRole('link', { name: 'Deals' }).click()
      await expect(main(page).getByText('Difference Engine').first()).toBeVisible()
      await bar(page).getByRole('link', { name: 'Today' }).click()
      await expect(heading(page, 'Welcome back')).toBeVisible()
      await page.goto('/app/reports')
      await expect(
        page.getByText('You’re offline, and this isn’t saved on this device.').first(),
      ).toBeVisible()
    },
  )

  await step('a token that expired meanwhile signs nobody out', async () => {
    await page.evaluate((key) => {
      const session = JSON.parse(localStorage.getItem(key) ?? '')
      localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1_000_000_000 }))
    }, sessionKey)
    await page.goto('/app/contacts')
    await expect(main(page).getByText('Grace Hopper')).toBeVisible()
    await expect(line(page)).toBeVisible()
  })

  await step('with the network everything is read again, and the line is gone', async () => {
    await bar(page).getByRole('link', { name: 'Contacts' }).click()
    await expect(heading(page, 'Contacts')).toBeVisible()
    await addRow(user, 'contacts', { first_name: 'Linus', last_name: 'New' })
    await context.setOffline(false)
    await expect(main(page).getByText('Linus New')).toBeVisible({ timeout: 30_000 })
    await expect(line(page)).toBeHidden()
  })

  await longStep('a warm visit shows what was seen at once, and then what is new', async () => {
    await visit(page, `/app/contacts/${ada}`)
    await expect(main(page).getByText('Call Ada', { exact: true })).toBeVisible()
    await ready(page, user, `/app/contacts/${ada}`)
    await addRow(user, 'tasks', { title: 'Write to Ada', contact_id: ada })
    const release = await hold(page, '**/rest/v1/**')
    await page.reload()
    await expect(heading(page, 'Ada Byron')).toBeVisible()
    await expect(main(page).getByText('Call Ada', { exact: true })).toBeVisible()
    await expect(main(page).getByText('Write to Ada', { exact: true })).toBeHidden()
    release()
    await expect(main(page).getByText('Write to Ada', { exact: true })).toBeVisible()
    await expect(main(page).getByText('Call Ada', { exact: true })).toBeVisible()
  })

  await longStep(
    'turned off, nothing is kept; another account finds nothing; signing out wipes',
    async () => {
      await settled(page)
      await visit(page, '/app/settings')
      const keep = page.getByRole('switch', { name: 'Keep data on this device' })
      await keep.focus()
      await page.keyboard.press('Space')
      await expect(keep).not.toBeChecked()
      await expect.poll(() => keptOf(page, user)).toEqual([])
      await page.keyboard.press('Space')
      await expect(keep).toBeChecked()
      await visit(page, '/app/contacts')
      await expect(main(page).getByText('Ada Byron')).toBeVisible()
      await ready(page, user, '/app/contacts')
      const other = await signUp()
      await begin(other, '/app/contacts')
      await expect(page.getByText('Ada Byron')).toHaveCount(0)
      await context.setOffline(true)
      await page.reload()
      await expect(heading(page, 'Contacts')).toBeVisible()
      await expect(page.getByText('Ada Byron')).toHaveCount(0)
      await context.setOffline(false)
      await expect(line(page)).toBeHidden({ timeout: 30_000 })
      expect(await keptOf(page, user)).not.toEqual([])
      await begin(user, '/app/settings')
      await main(page).getByRole('button', { name: 'Sign Out', exact: true }).click()
      await expect(page).toHaveURL('/auth')
      await expect.poll(() => keptOf(page, user)).toEqual([])
    },
  )

  await longStep('without a network signing out works, and wipes', async () => {
    const leaver = await signUp()
    await begin(leaver, '/app/settings')
    await ready(page, leaver, '/app/settings')
    await context.setOffline(true)
    await main(page).getByRole('button', { name: 'Sign Out', exact: true }).click()
    await expect(page).toHaveURL('/auth')
    await expect(page.getByText('You have been successfully signed out.')).toBeVisible()
    await expect.poll(() => keptOf(page, leaver)).toEqual([])
    expect(await page.evaluate((key) => localStorage.getItem(key), sessionKey)).toBeNull()
    await context.setOffline(false)
  })
})
