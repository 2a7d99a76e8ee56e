import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { region } from './record-page.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const totals = (page: Page) => page.getByRole('status').filter({ hasText: ' sum' })
const missing = '1 deal in CHF is not counted: no rate'

/** Chooses from a field that is searched by typing. */
async function search(
  page: Page,
  field: ReturnType<Page['getByRole']>,
  words: string,
  option: string,
) {
  await field.click()
  await field.fill(words)
  await page.getByRole('option', { name: option }).click()
}

test('money of several currencies, and the formats of an account', async ({
  page,
  enter,
  step,
  longStep,
  scan,
}) => {
  const { client } = await enter('/app/deals')
  await client.from('deals').insert({ name: 'Plain', value: 100 })

  await step(
    'a deal in another currency shows its own amount, and sums tell that it is missing',
    async () => {
      await button(page, 'Create Deal').first().click()
      const form = dialog(page, 'Create Deal')
      await form.getByLabel('Deal Name *').fill('Alpine')
      await search(
        page,
        form.getByRole('combobox', { name: 'Currency' }),
        'Swiss',
        'CHF – Swiss Franc',
      )
      await form.getByLabel('Value', { exact: true }).fill('1200')
      await expect(button(page, 'No rate for CHF yet: enter one')).toBeVisible()
      await scan(form)
      await form.getByRole('button', { name: 'Create Deal' }).click()
      await expect(form).toHaveCount(0)
      await expect(page.getByText('CHF 1,200', { exact: true })).toBeVisible()
      await expect(totals(page)).toContainText('$100 sum')
      await expect(page.getByText(missing)).toBeVisible()
    },
  )

  await longStep(
    'one rate for each currency, entered where it is missing and corrected in the settings',
    async () => {
      await button(page, 'Enter a rate for CHF').click()
      const rate = dialog(page, 'Rate of Swiss Franc')
      await rate.getByLabel('1 CHF in USD').fill('none')
      await rate.getByRole('button', { name: 'Save rate' }).click()
      await expect(rate.getByText('Enter a number above zero.')).toBeVisible()
      await rate.getByLabel('1 CHF in USD').fill('1.10')
      await rate.getByRole('button', { name: 'Save rate' }).click()
      await expect(totals(page)).toContainText('$1,420 sum')
      await expect(page.getByText(missing)).toHaveCount(0)

      await visit(page, '/app/settings')
      await expect(region(page, 'Money').getByText('1 CHF = 1.1 USD')).toBeVisible()
      await button(page, 'Change the rate of CHF').click()
      await dialog(page, 'Rate of Swiss Franc').getByLabel('1 CHF in USD').fill('2')
      await button(page, 'Save rate').click()
      await expect(region(page, 'Money').getByText('1 CHF = 2 USD')).toBeVisible()
      await visit(page, '/app/deals')
      await expect(totals(page)).toContainText('$2,500 sum')
    },
  )

  await longStep(
    'another currency of the account: deals without one stay in the old one',
    async () => {
      await visit(page, '/app/settings')
      const currency = region(page, 'Money').getByRole('combobox', {
        name: 'Currency',
        exact: true,
      })
      await search(page, currency, 'EUR', 'EUR – Euro')
      const question = dialog(page, 'Change currency to Euro')
      await expect(question.getByLabel('Stay in USD')).toBeChecked()
      await question.getByLabel('1 USD in EUR').fill('0.8')
      await scan(question)
      await question.getByRole('button', { name: 'Change currency' }).click()
      await expect(question).toHaveCount(0)
      await expect(region(page, 'Money').getByText('1 USD = 0.8 EUR')).toBeVisible()
      await expect(region(page, 'Money').getByText('1 CHF = 1.6 EUR')).toBeVisible()
      await visit(page, '/app/deals')
      await expect(totals(page)).toContainText('€2,000 sum')
      await expect(page.getByText('$100', { exact: true })).toBeVisible()
    },
  )

  await longStep(
    'numbers, days and times in the account’s formats, at once and after a reload',
    async () => {
      await visit(page, '/app/settings')
      const profile = region(page, 'Profile Information')
      await profile.getByRole('combobox', { name: 'Date format' }).click()
      await page.getByRole('option', { name: '15.11.2026' }).click()
      await expect(profile.getByText(/^Joined \d\d\.\d\d\.\d{4}$/)).toBeVisible()
      await profile.getByRole('combobox', { name: 'Number format' }).click()
      await page.getByRole('option', { name: '1.234,56' }).click()
      await profile.getByText('2:05 PM', { exact: true }).click()
      await expectNoSidewaysScroll(page)
      await scan(region(page, 'Money'))
      await visit(page, '/app/deals')
      await expect(totals(page)).toContainText('2.000 € sum')
      await page.reload()
      await expect(totals(page)).toContainText('2.000 € sum')
      await page.getByRole('link', { name: 'Alpine', exact: true }).click()
      await expect(region(page, 'Details').getByText('1.920 € (1 CHF = 1,6 EUR)')).toBeVisible()
      await expect(page.getByText(/\d\d\.\d\d\.\d{4}/).first()).toBeVisible()
    },
  )
})

test('on the phone: the page of a deal in another currency asks for the rate', {
  tag: ['@phone', '@long'],
}, async ({ page, enter, scan }) => {
  const { client } = await enter('/app/deals')
  const { data } = await client
    .from('deals')
    .insert({ name: 'Alpine', value: 1200, currency: 'CHF' })
    .select('id')
    .single()
  await visit(page, `/app/deals/${data?.id}`)
  await button(page, 'Enter a rate for CHF').click()
  const rate = dialog(page, 'Rate of Swiss Franc')
  await rate.getByLabel('1 CHF in USD').fill('1.10')
  await expectNoSidewaysScroll(page)
  await scan(rate)
  await rate.getByRole('button', { name: 'Save rate' }).click()
  await expect(region(page, 'Details').getByText('$1,320 (1 CHF = 1.1 USD)')).toBeVisible()
  await visit(page, '/app/deals')
  await expect(page.getByText('CHF', { exact: false }).first()).toBeVisible()
  await expectNoSidewaysScroll(page)
})
