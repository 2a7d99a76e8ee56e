import type { Locator, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll } from './fixtures.ts'
import { test } from './journey.ts'

function button(within: Page | Locator, name: string): Locator {
  return within.getByRole('button', { name, exact: true })
}

// The page hears of what a stranger sends.
test.use({ isLive: true })

test('a form is made, filled in by a stranger, told and undone; spam waits until it is accepted', async ({
  step,
  longStep,
  page,
  enter,
  browser,
  scan,
}) => {
  await enter('/app/settings/forms')
  let address = ''

  await step('is made with the usual fields and one more', async () => {
    await expect(page.getByText('No forms yet.')).toBeVisible()
    await button(page, 'New form').click()
    const dialog = page.getByRole('dialog', { name: 'New form' })
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Website')
    await dialog.getByRole('combobox', { name: 'Add field' }).click()
    await page.getByRole('option', { name: 'Company' }).click()
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Company')
    await dialog.getByRole('textbox', { name: 'Create task' }).fill('Call back')
    await scan()
    await button(dialog, 'Create form').click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('region', { name: 'Your forms' })).toContainText('Website')
  })

  await step('has an address', async () => {
    await button(page, 'Share Website').click()
    const dialog = page.getByRole('dialog', { name: 'Share “Website”' })
    address = await dialog.getByRole('textbox', { name: 'Page' }).inputValue()
    expect(address).toMatch(/\/f\/[0-9a-f]{32}$/)
    await expect(dialog.getByText('<form action=')).toBeVisible()
    await scan()
    await button(dialog, 'Done').click()
  })

  await step('is filled in without a script, and keeps what was typed', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const visitor = await context.newPage()
    await visitor.goto(address)
    await expectNoSidewaysScroll(visitor)
    await visitor.getByLabel('First name').fill('Ada')
    await visitor.getByLabel('Email').fill('ada@example')
    await visitor.getByLabel('Company').fill('Acme')
    await visitor.getByLabel('Message').fill('See http://a http://b http://c')
    await button(visitor, 'Send').click()
    await expect(visitor.getByText('Thank you. We’ll be in touch.')).toBeVisible()
    expect(await context.cookies()).toEqual([])
    await context.close()
  })

  await step('waits in quarantine, and becomes a contact when it is accepted', async () => {
    const quarantine = page.getByRole('region', { name: 'Quarantine' })
    await expect(quarantine).toContainText('Full of links')
    await scan()
    await button(quarantine, 'Accept Ada').click()
    await expect(quarantine).toBeHidden()
    await page.goto('/app/settings/history')
    await expect(page.getByText('Form Website · Added contact').first()).toBeVisible()
  })

  await longStep('a program’s lead shows among the notifications', async () => {
    const answer = await page.request.post(address, {
      data: { first_name: 'Grace', email: 'grace@example.com' },
    })
    expect(await answer.json()).toEqual({ status: 'received' })
    await page.goto('/app/dashboard')
    await page.getByRole('button', { name: /^Notifications/ }).click()
    const news = page.getByRole('region', { name: 'New leads' })
    await expect(news).toContainText('Website')
    await scan()
    await news.getByRole('link', { name: 'Grace' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Grace' })).toBeVisible()
    await expect(page.getByText('Email: grace@example.com')).toBeVisible()
  })

  await longStep('an address book reads the contacts until its address is revoked', async () => {
    await page.goto('/app/settings')
    await button(page, 'Show address').click()
    const dialog = page.getByRole('dialog', { name: 'Address book' })
    await button(dialog, 'Create address').click()
    const feed = await dialog.getByRole('textbox', { name: 'Address' }).inputValue()
    expect(await (await page.request.get(feed)).text()).toContain('FN:Grace')
    await button(dialog, 'Revoke').click()
    await button(page.getByRole('dialog', { name: 'Revoke the address?' }), 'Revoke').click()
    await expect(button(dialog, 'Create address')).toBeVisible()
    expect((await page.request.get(feed)).status()).toBe(404)
  })
})
