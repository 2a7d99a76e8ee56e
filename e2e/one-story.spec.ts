import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { button, composer, entries, entry, region } from './record-page.ts'
import { settled } from './requests.ts'
import { addRow } from './rows.ts'

async function narrow(page: Page, name: string): Promise<void> {
  const parts = page.getByRole('radiogroup', { name: 'Show in the timeline' })
  await parts.getByText(name, { exact: true }).click()
}

test('one story per customer', { tag: '@phone-long' }, async ({
  page,
  enter,
  step,
  longStep,
  scan,
}) => {
  const user = await enter('/app/deals')
  const newco = await addRow(user, 'companies', { name: 'NewCo' })
  const maria = await addRow(user, 'contacts', {
    first_name: 'Maria',
    email: 'maria@newco.example',
    phone_number: '+49 30 1234567',
    company_id: newco,
  })
  const deal = await addRow(user, 'deals', {
    name: 'Website relaunch',
    contact_id: maria,
    company_id: newco,
  })
  // Links to a phone leave the page where a program takes them; here none does.
  await page.evaluate(() =>
    addEventListener('click', (event) => {
      if (event.target instanceof Element && event.target.closest('a[href^="tel:"]')) {
        event.preventDefault()
      }
    }),
  )

  await step('a call from the deal is offered to be logged when one comes back', async () => {
    await visit(page, `/app/deals/${deal}`)
    const call = page.getByRole('link', { name: 'Call', exact: true })
    await expect(call).toHaveAttribute('href', 'tel:+49301234567')
    await call.click()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await button(page, 'Log this call').click()
    const words = composer(page).getByRole('textbox', { name: 'Call notes' })
    await expect(words).toBeFocused()
    await words.fill('Wants an offer')
    // The time away is a proposal of its length.
    const minutes = composer(page).getByLabel('Minutes')
    await expect(minutes).toHaveValue('1')
    await minutes.fill('25')
    await button(composer(page), 'Log call').click()
    await expect(entry(page, 'Wants an offer')).toContainText('Call25 min')
    // Whoever leaves before it is saved is asked.
    await settled(page)
  })

  await longStep(
    'a call from a list is logged at the form of the record, wherever that is',
    async () => {
      const size = page.viewportSize()
      await page.setViewportSize({ width: 390, height: 600 })
      await visit(page, '/app/contacts')
      await page.locator('a[href="tel:+49301234567"]').first().click()
      await page.evaluate(() => dispatchEvent(new Event('focus')))
      await expect(page.getByText('You called Maria on +49 30 1234567.')).toBeVisible()
      await button(page, 'Log this call').click()
      const words = composer(page).getByRole('textbox', { name: 'Call notes' })
      await expect(words).toBeFocused()
      await expect(words).toBeInViewport({ ratio: 1 })
      await settled(page)
      await expect(words).toBeInViewport({ ratio: 1 })
      await button(composer(page), 'Cancel').click()
      if (size) await page.setViewportSize(size)
    },
  )

  await step('it shows on the contact and the company, and leads back to the deal', async () => {
    for (const path of [`/app/contacts/${maria}`, `/app/companies/${newco}`]) {
      await visit(page, path)
      await expect(entry(page, 'Wants an offer')).toContainText('on Website relaunch')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(region(page, 'Details').getByText('Never')).toHaveCount(0)
      await scan()
      await expectNoSidewaysScroll(page)
    }
    await entry(page, 'Wants an offer').getByRole('link', { name: 'Website relaunch' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Website relaunch' })).toBeVisible()
  })

  await step('a filter stands in the address', async () => {
    await visit(page, `/app/contacts/${maria}?sort=name`)
    await narrow(page, 'Calls')
    await expect(entries(page)).toHaveCount(1)
    await expect(page).toHaveURL(/\?sort=name&timeline=calls$/)
    await narrow(page, 'Meetings')
    await expect(region(page, 'Timeline').getByText('No meetings yet')).toBeVisible()
    await narrow(page, 'All')
    await expect(page).toHaveURL(/\?sort=name$/)
  })

  await step('a key opens the form of a task, linked to whom the page is about', async () => {
    await page.getByRole('main').focus()
    await page.keyboard.press('t')
    const form = page.getByRole('dialog')
    await expect(form.getByRole('combobox', { name: 'Contact' })).toHaveValue('Maria')
  })
})
