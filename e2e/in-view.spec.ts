import type { Page } from '@playwright/test'
import { button } from './contact-list.ts'
import { addDeals, stagesOf } from './deal-list.ts'
import { expect, failedRequests } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { addRow } from './rows.ts'
import { addTasks, overdue } from './task-list.ts'

/** The controls of the screen that reach over its edge, or over that of a frame that cuts them off. */
function cutOff(page: Page): Promise<string[]> {
  return page.locator('main').evaluate((main) => {
    const controls = main.querySelectorAll<HTMLElement>('button, a, input, select')
    return [...controls].flatMap((control) => {
      const { left, right, width } = control.getBoundingClientRect()
      if (width < 2 || !control.checkVisibility()) return []
      const edges = [{ left: 0, right: window.innerWidth }]
      for (let up = control.parentElement; up && up !== main; up = up.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(up)
        // A long name ends in an ellipsis, and can be pressed all the same.
        if (textOverflow === 'ellipsis' && control.matches('a')) continue
        if (overflowX !== 'visible') edges.push(up.getBoundingClientRect())
      }
      const isCut = edges.some((edge) => left < edge.left - 1 || right > edge.right + 1)
      return isCut ? [control.getAttribute('aria-label') ?? control.textContent ?? ''] : []
    })
  })
}

/** The addresses of all files that the page has fetched. */
function loaded(page: Page): Promise<string[]> {
  return page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
}

test('at 1280 pixels no action is off the screen', { tag: '@long' }, async ({
  page,
  signUp,
  begin,
  step,
}) => {
  const user = await signUp()
  const { Lead = null } = await stagesOf(user)
  const company = await addRow(user, 'companies', { name: 'International Business Solutions' })
  await addRow(user, 'contacts', {
    first_name: 'Maximiliane',
    last_name: 'von Schwarzenberg',
    email: 'maximiliane@international.example',
    company_id: company,
  })
  await addDeals(user, { name: 'Website relaunch', stage_id: Lead, company_id: company })
  await addTasks(user, overdue('Send the quote'))
  await page.setViewportSize({ width: 1280, height: 800 })
  await begin(user, '/app/contacts')
  const lists: [string, string, string][] = [
    ['contacts', '/app/contacts', 'Maximiliane von Schwarzenberg'],
    ['companies, as a table', '/app/companies?view=table', 'International Business Solutions'],
    ['deals', '/app/deals', 'Website relaunch'],
  ]
  for (const [name, path, row] of lists) {
    await step(`${name}, and the bar of a selection`, async () => {
      await visit(page, path)
      await page.getByRole('link', { name: row, exact: true }).first().hover()
      expect(await cutOff(page)).toEqual([])
      await page.getByLabel(`Select ${row}`, { exact: true }).check()
      await expect(button(page, 'Tags')).toBeInViewport({ ratio: 1 })
      expect(await cutOff(page)).toEqual([])
    })
  }
  for (const path of ['/app/tasks', '/app/tasks?view=agenda', '/app/tasks?view=week']) {
    await step(path, async () => {
      await visit(page, path)
      await expect(page.getByText('Send the quote').first()).toBeVisible()
      expect(await cutOff(page)).toEqual([])
    })
  }
  await step('the board', async () => {
    await visit(page, '/app/deals?view=board')
    await expect(page.getByRole('article', { name: 'Website relaunch' })).toBeVisible()
    expect(await cutOff(page)).toEqual([])
  })
})

test.use({ fetchesAhead: true, expectedErrors: failedRequests })

test('the first task is visible with what is overdue and without a network; offers stand one above the other', {
  tag: ['@long', '@phone-long'],
}, async ({ page, context, signUp, begin, step }) => {
  const user = await signUp()
  const ada = await addRow(user, 'contacts', { first_name: 'Ada', phone_number: '+49 30 1234567' })
  await addTasks(user, { ...overdue('Send the quote'), contact_id: ada })

  await step('a call and a completed task: both offers can be pressed', async () => {
    await begin(user, `/app/contacts/${ada}`)
    await page.evaluate(() =>
      window.addEventListener('click', (event) => {
        const isCall = event.target instanceof Element && event.target.closest('a[href^="tel:"]')
        if (isCall) event.preventDefault()
      }),
    )
    await page.getByRole('link', { name: /^Call/ }).first().click()
    const log = button(page, 'Log this call')
    await expect(log).toBeVisible()
    await page.getByRole('checkbox', { name: 'Complete Send the quote' }).check()
    await expect(page.getByRole('form', { name: 'Next step after Send the quote' })).toBeVisible()
    // Fails where something covers it.
    await log.click({ trial: true })
    await button(page, 'No next step').click()
  })
  await step('a selection stands above the offer, which waits under a dialog', async () => {
    await visit(page, '/app/contacts')
    await page.getByLabel('Select Ada', { exact: true }).check()
    const log = button(page, 'Log this call')
    await expect(log).toBeVisible()
    const tags = button(page, 'Tags')
    await tags.click({ trial: true })
    await log.click({ trial: true })
    await tags.click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(log).toBeHidden()
    await button(page.getByRole('dialog'), 'Cancel').click()
    await expect(log).toBeVisible()
  })
  await step('the first task', async () => {
    await addTasks(user, overdue('Ask for an answer'))
    await visit(page, '/app/tasks')
    const task = page.getByRole('article', { name: 'Ask for an answer' })
    await expect(task).toBeVisible()
    await expect
      .poll(() => loaded(page), 'what is shown without a network is loaded ahead')
      .toContainEqual(expect.stringContaining('/assets/offline-line-'))
    await context.setOffline(true)
    await expect(page.getByText(/offline|No connection/i).first()).toBeVisible()
    await expect(task.getByRole('heading')).toBeInViewport({ ratio: 1 })
    await context.setOffline(false)
  })
})
