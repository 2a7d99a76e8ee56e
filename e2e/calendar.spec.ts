import type { APIRequestContext, Locator, Page } from '@playwright/test'
import ICAL from 'ical.js'
import { expect, expectNoSidewaysScroll, failedRequests } from './fixtures.ts'
import { test } from './journey.ts'
import { brokenAnswer, fail } from './requests.ts'

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString()

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Calendar' })
const field = (page: Page) => dialog(page).getByRole('textbox', { name: 'Calendar address' })

function button(within: Page | Locator, name: string): Locator {
  return within.getByRole('button', { name, exact: true })
}

async function open(page: Page): Promise<void> {
  await button(page, 'Calendar').click()
  await expect(dialog(page)).toBeVisible()
}

async function createAddress(page: Page): Promise<string> {
  await open(page)
  await button(dialog(page), 'Create calendar address').click()
  await expect(field(page)).toBeFocused()
  return field(page).inputValue()
}

/** Goes ahead with what a dialog over this one asks. */
async function confirm(page: Page, title: string, goAhead: string): Promise<void> {
  const question = page.getByRole('dialog', { name: title })
  await button(question, goAhead).click()
  await expect(question).toBeHidden()
}

async function statusOf(request: APIRequestContext, address: string): Promise<number> {
  return (await request.get(address)).status()
}

test.describe('the calendar', () => {
  test.use({ expectedErrors: failedRequests })
  const { how, answer, message } = brokenAnswer
  test('a private, revocable ICS address per user, with tasks and expected closes', {
    tag: '@long',
  }, async ({ step, longStep, page, request, enter, context, scan }) => {
    await step('is made, read by a calendar, replaced and revoked', async () => {
      const { client } = await enter('/app/tasks')
      const title = 'Call Ada, then Bob; bring 🎉 and עברית'
      const description = 'First line\nsecond line'
      const due = inDays(3)
      const added = await client.from('tasks').insert({ title, description, due_date: due })
      expect(added.error).toBeNull()
      const closing = { name: 'Renewal', value: 1200, expected_close_date: inDays(9).slice(0, 10) }
      expect((await client.from('deals').insert(closing)).error).toBeNull()

      await open(page)
      await expect(button(dialog(page), 'Create calendar address')).toBeFocused()
      await test.step('no address is accessible', () => scan(dialog(page)))
      await button(dialog(page), 'Create calendar address').click()
      await expect(field(page)).toBeFocused()
      const address = await field(page).inputValue()
      await test.step('an address is accessible and fits a phone', async () => {
        await scan(dialog(page), { contrast: true })
        const size = page.viewportSize() ?? { width: 0, height: 0 }
        await page.setViewportSize({ width: 360, height: 640 })
        await expectNoSidewaysScroll(page)
        await page.setViewportSize(size)
      })
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/calendar\/[0-9a-f]{64}\.ics$/)
      await expect(
        dialog(page).getByRole('link', { name: 'Open in calendar app' }),
      ).toHaveAttribute('href', address.replace('http:', 'webcal:'))

      const answer = await request.get(address)
      expect(answer.status()).toBe(200)
      expect(answer.headers()['content-type']).toBe('text/calendar; charset=utf-8')
      const calendar = new ICAL.Component(ICAL.parse(await answer.text()))
      const events = calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
      expect(events.map(({ summary }) => summary)).toEqual([
        title,
        'Expected close: Renewal ($1,200)',
      ])
      expect(events[0]?.description).toContain(`${description}\n\nPriority: Medium`)
      const start = events[0]?.startDate.toJSDate().getTime() ?? 0
      expect(Math.abs(start - Date.parse(due))).toBeLessThan(1000)
      expect(String(events[1]?.startDate)).toBe(closing.expected_close_date)

      await button(dialog(page), 'Create new address').click()
      await button(page.getByRole('dialog', { name: 'Create new address?' }), 'Cancel').click()
      expect(await statusOf(request, address)).toBe(200)
      await button(dialog(page), 'Create new address').click()
      await confirm(page, 'Create new address?', 'Create new address')
      await expect(field(page)).not.toHaveValue(address)
      await expect(field(page)).toHaveValue(/[0-9a-f]{64}\.ics$/)
      const renewed = await field(page).inputValue()
      expect([await statusOf(request, address), await statusOf(request, renewed)]).toEqual([
        404, 200,
      ])

      await button(dialog(page), 'Revoke').click()
      await expect(page.getByRole('dialog', { name: 'Revoke the address?' })).toBeVisible()
      await test.step('a question over it is accessible', () =>
        scan(page.getByRole('dialog', { name: 'Revoke the address?' })))
      await confirm(page, 'Revoke the address?', 'Revoke')
      await expect(page.getByText('Calendar address revoked')).toBeVisible()
      await expect(button(dialog(page), 'Create calendar address')).toBeFocused()
      expect(await statusOf(request, renewed)).toBe(404)
    })
    await longStep('is there to copy again later', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await enter('/app/tasks')
      const address = await createAddress(page)
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeHidden()
      await open(page)
      await expect(field(page)).toHaveValue(address)
      await button(dialog(page), 'Copy').click()
      await expect(button(dialog(page), 'Copied')).toBeVisible()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    })
    await longStep('that another window replaced is not shown any more', async () => {
      const { client } = await enter('/app/tasks')
      const address = await createAddress(page)
      await button(dialog(page), 'Close').click()
      const [, replacing = ''] = /([0-9a-f]{64})/.exec(address) ?? []
      const { data } = await client.rpc('create_calendar_feed', { replacing })
      await open(page)
      await expect(field(page)).toHaveValue(address.replace(replacing, data?.token ?? ''))
    })
    await longStep(`${how}: said in words, and tried again`, async () => {
      await enter('/app/tasks')
      await fail(page, '**/rest/v1/calendar_feeds*', 'GET', answer)
      await open(page)
      const alert = dialog(page).getByRole('alert')
      await expect(alert).toContainText('Your calendar address could not be loaded')
      await expect(alert).toContainText(message)
      await test.step('what failed is accessible', () => scan(dialog(page)))
      await page.unroute('**/rest/v1/calendar_feeds*')
      await button(alert, 'Try again').click()

      await fail(page, '**/rest/v1/rpc/create_calendar_feed', 'POST', answer)
      await button(dialog(page), 'Create calendar address').click()
      await expect(
        page.getByText(`Failed to create the calendar address: ${message}`),
      ).toBeVisible()
      await page.unroute('**/rest/v1/rpc/create_calendar_feed')
      await button(dialog(page), 'Create calendar address').click()
      await expect(field(page)).toBeVisible()

      await fail(page, '**/rest/v1/rpc/revoke_calendar_feed', 'POST', answer)
      await button(dialog(page), 'Revoke').click()
      await confirm(page, 'Revoke the address?', 'Revoke')
      await expect(
        page.getByText(`Failed to revoke the calendar address: ${message}`),
      ).toBeVisible()
      await expect(field(page)).toBeVisible()
    })
  })
})
