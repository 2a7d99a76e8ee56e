import type { Page } from '@playwright/test'
import { expect, test, type User } from './fixtures.ts'
import { button, composer } from './record-page.ts'
import { emptyCache, settled, unreachable } from './requests.ts'
import { addRow } from './rows.ts'

const told = (page: Page, name = 'No connection') => page.getByRole('dialog', { name, exact: true })
const note = (page: Page) => composer(page).getByRole('textbox', { name: 'Write a note' })
const words = 'Half a thought'

/** Writes a note on a page that has fetched nothing ahead, so that most parts are not there. */
async function beginNote(
  page: Page,
  signUp: () => Promise<User>,
  signIn: (user: User) => Promise<void>,
): Promise<void> {
  const user = await signUp()
  const id = await addRow(user, 'contacts', { first_name: 'Ada', last_name: 'Lovelace' })
  await signIn(user)
  await emptyCache(page)
  await page.goto(`/app/contacts/${id}`)
  await note(page).fill(words)
  await settled(page)
}

test.describe('a part of the app that does not come', () => {
  test.use({
    expectedErrors: [/Failed to load resource|dynamically imported module|Unable to preload/],
  })

  test('without a connection is told in place: what is being written stays, and Try again brings it, looks and all', {
    tag: '@long',
  }, async ({ page, context, signUp, signIn, scan }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await beginNote(page, signUp, signIn)
    await context.setOffline(true)

    await button(page, 'Open menu').click()
    await expect(told(page)).toContainText(unreachable)
    await test.step('the message is accessible', () => scan(told(page)))
    await button(told(page), 'Close').click()
    await expect(told(page)).toHaveCount(0)
    await expect(button(page, 'Open menu')).toBeFocused()
    await button(page, 'Open menu').click()
    await button(told(page), 'Try again').click()
    // The connection must not come back while it is still trying.
    await expect(button(told(page), 'Try again')).not.toHaveAttribute('data-loading')
    await expect(told(page)).toContainText(unreachable)
    await context.setOffline(false)
    await button(told(page), 'Try again').click()
    const menu = page.getByRole('dialog', { name: 'Menu', exact: true })
    await expect(menu.getByRole('link', { name: 'Deals' })).toBeVisible()
    await expect(told(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
    await expect(button(page, 'Open menu')).toBeFocused()

    await context.setOffline(true)
    await button(page, 'Search').click()
    await expect(told(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(told(page)).toHaveCount(0)
    await context.setOffline(false)
    // Opened again, it is tried again, with the style sheet that failed.
    await button(page, 'Search').click()
    await expect(page.getByRole('listbox', { name: 'Results' })).toHaveCSS('padding-left', '8px')
    await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
    await page.keyboard.press('Escape')

    await context.setOffline(true)
    await button(page, 'Add task').click()
    await expect(told(page)).toBeVisible()
    await context.setOffline(false)
    await button(told(page), 'Try again').click()
    const form = page.getByRole('dialog', { name: 'Create New Task' })
    await expect(form.getByLabel('Title')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await expect(button(page, 'Add task')).toBeFocused()
    await expect(note(page)).toHaveValue(words)
  })

  test('because there is a new version says so, and reloads only when the user wants it', {
    tag: '@long',
  }, async ({ page, signUp, signIn }) => {
    await beginNote(page, signUp, signIn)
    const parts = '**/assets/{account-menu,task-dialog}-*.js'
    await page.route(parts, (route) => route.fulfill({ status: 404, body: 'Not found' }))
    const updated = told(page, 'Solo CRM has been updated')
    await button(page, 'Add task').click()
    await expect(updated).toContainText('Save or copy your work, then reload the page.')
    await button(updated, 'Close').click()
    await expect(updated).toHaveCount(0)
    await expect(button(page, 'Add task')).toBeFocused()
    await expect(note(page)).toHaveValue(words)
    await note(page).fill('')

    await button(page, 'Account menu').click()
    await expect(updated).toBeVisible()
    await page.unroute(parts)
    await button(updated, 'Reload the page').click()
    await expect(updated).toHaveCount(0)
    await button(page, 'Account menu').click()
    await expect(page.getByRole('menu')).toBeVisible()
  })

  test('and belongs to the screen leaves a message in its place', { tag: '@long' }, async ({
    page,
    enter,
  }) => {
    const chart = '**/assets/time-charts-*.js'
    await page.route(chart, (route) => route.fulfill({ status: 404, body: 'Not found' }))
    await enter('/app/reports')
    await expect(page.getByText('The charts by month could not be loaded')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'All Deals' })).toBeVisible()
    await page.unroute(chart)
    await button(page, 'Reload the page').first().click()
    await expect(page.getByText('could not be loaded')).toHaveCount(0)
  })
})

test.describe('what will be opened', () => {
  test.use({ fetchesAhead: true, expectedErrors: [/Failed to load resource|Failed to fetch/] })

  test('is fetched ahead once the screen stands, and opens without a connection', {
    tag: '@long',
  }, async ({ page, context, enter }) => {
    // The last of what is fetched ahead.
    const fetched = page.waitForEvent('requestfinished', (request) =>
      request.url().includes('/assets/confirm-dialog-'),
    )
    await emptyCache(page)
    await enter('/app/contacts')
    await fetched
    await settled(page)
    await context.setOffline(true)
    await page.keyboard.press('/')
    await expect(page.getByRole('dialog', { name: 'Quick Actions' })).toBeVisible()
    await page.keyboard.press('Escape')
    await button(page, 'Add contact').click()
    await expect(page.getByRole('dialog', { name: 'Add Contact' })).toBeVisible()
    await expect(told(page)).toHaveCount(0)
  })
})
