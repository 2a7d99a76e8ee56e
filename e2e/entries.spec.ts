import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { button, edit, expectChange, expectValue, region, showEmptyFields } from './record-page.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const details = (page: Page) => region(page, 'Details')
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

test('Several addresses, numbers, places and links of a contact', {
  tag: ['@phone-long', '@long'],
}, async ({ page, enter, step, longStep, scan, isMobile }) => {
  const { client } = await enter('/app/contacts')
  const stored = async () => {
    const columns = 'id, email, phone_number, emails, phones, links, addresses'
    const { data } = await client.from('contacts').select(columns).single()
    return data
  }

  await step('a new contact: a row appears when it is wanted', async () => {
    await page.getByRole('button', { name: 'Add Contact' }).first().click()
    const form = dialog(page, 'Add Contact')
    await expect(box(page, 'Email 2')).toHaveCount(0)
    await form.getByLabel('First Name').fill('Ada')
    await button(form, 'Add email').click()
    // The first one has its place already.
    await expect(box(page, 'Email')).toBeFocused()
    await page.keyboard.type('ada@example.com')
    await form.getByRole('combobox', { name: 'Label of email', exact: true }).fill('Work')
    await button(form, 'Add email').click()
    await expect(box(page, 'Email 2')).toBeFocused()
    await page.keyboard.type('nobody')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Lake house')
    await button(form, 'Add link').click()
    await page.keyboard.type('linkedin.com/in/ada')
    await button(form, 'Add Contact').click()
    await expect(box(page, 'Email 2')).toBeFocused()
    await expect(box(page, 'Email 2')).toHaveAccessibleDescription(/Enter a valid email address/)
    await scan(form)
    await box(page, 'Email 2').fill('lake@example.com')
    await button(form, 'Add Contact').click()
    await expect(form).toBeHidden()
    await expect
      .poll(() => stored())
      .toMatchObject({
        email: 'ada@example.com',
        emails: [
          { label: 'work', value: 'ada@example.com' },
          { label: 'Lake house', value: 'lake@example.com' },
        ],
        links: [{ label: '', value: 'https://linkedin.com/in/ada' }],
      })
    if (isMobile) return
    await expect(page.getByText('+1', { exact: true })).toHaveAttribute(
      'title',
      'lake@example.com (Lake house)',
    )
  })

  await longStep(
    'details: another is the first, an address is added and found on a map',
    async () => {
      await visit(page, `/app/contacts/${(await stored())?.id}`)
      await expectValue(page, 'Email (Lake house)', 'lake@example.com')
      await button(page, 'Edit Email 2').click()
      await button(details(page), 'Make first').click()
      await expectValue(page, 'Email (Work)', 'ada@example.com')
      await expectValue(page, 'Email (Lake house)', 'lake@example.com')
      await expect.poll(async () => (await stored())?.email).toBe('lake@example.com')
      // The first is changed with its label, and the others stay.
      await details(page).getByRole('button', { name: 'Edit Email', exact: true }).click()
      await details(page)
        .getByRole('textbox', { name: 'Email', exact: true })
        .fill('first@example.com')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Desk')
      await page.keyboard.press('Enter')
      await expect
        .poll(async () => (await stored())?.emails)
        .toEqual([
          { label: 'Desk', value: 'first@example.com' },
          { label: 'work', value: 'ada@example.com' },
        ])
      await button(page, 'Add address').click()
      await expect(box(page, 'Address 1: Street')).toBeFocused()
      await page.keyboard.type('Main Street 1')
      await page.keyboard.press('Tab')
      await page.keyboard.type('10115')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Berlin')
      await scan()
      await page.keyboard.press('Enter')
      const map = details(page).getByRole('link', { name: 'Main Street 1, 10115 Berlin' })
      await expect(map).toHaveAttribute(
        'href',
        /^https:\/\/www\.openstreetmap\.org\/search\?query=/,
      )
      await expect(map).toHaveAttribute('rel', 'noopener noreferrer')
      await expect(button(page, 'Add address')).toBeFocused()
      await showEmptyFields(page, isMobile)
      await edit(page, 'Middle Name', 'Augusta')
      await expectValue(page, 'Middle Name', 'Augusta')
      await expectNoSidewaysScroll(page)
    },
  )
  // The rest is the same on the phone.
  if (isMobile) return

  await longStep(
    'typed and given up, or left: the history tells each, and undo takes it back',
    async () => {
      await button(page, 'Add phone').click()
      await page.keyboard.type('030 1')
      await page.keyboard.press('Escape')
      await expect(box(page, 'Phone 1')).toHaveCount(0)
      await button(page, 'Add phone').click()
      await page.keyboard.type('+49 30 1234567')
      await page.getByRole('heading', { level: 1 }).click()
      await expect.poll(async () => (await stored())?.phone_number).toBe('+49 30 1234567')
      await expectValue(page, 'Phone Number', '+49 30 1234567')
      await button(page, 'Edit Email 2').click()
      await button(details(page), 'Remove').click()
      await expect(details(page).getByText('ada@example.com')).toHaveCount(0)
      await expectChange(page, 'Email removed: ada@example.com')
    },
  )

  await longStep(
    'a slow save keeps what is typed; another window’s entry stays beside it',
    async () => {
      const number = '+49 30 7654321'
      let isHeld = true
      await page.route('**/rest/v1/contacts*', async (route) => {
        if (route.request().method() === 'PATCH') await expect.poll(() => isHeld).toBe(false)
        await route.continue()
      })
      const first = details(page).getByRole('textbox', { name: 'Phone Number', exact: true })
      await details(page).getByRole('button', { name: 'Edit Phone Number', exact: true }).click()
      await first.fill(number)
      await page.keyboard.press('Enter')
      await expect(button(details(page), 'Save')).toHaveAttribute('data-loading', 'true')
      await expect(first).toHaveValue(number)
      const phones = [
        { label: '', value: '+49 30 1234567' },
        { label: 'home', value: '089 1' },
      ]
      const written = await client.from('contacts').update({ phones }).not('id', 'is', null)
      expect(written.error).toBeNull()
      isHeld = false
      await expect(details(page).getByText(/^Changed in another window/)).toBeVisible()
      await expect(first).toHaveValue(number)
      await button(details(page), 'Save').click()
      await expectValue(page, 'Phone (Home)', '089 1')
      await expect
        .poll(async () => (await stored())?.phones)
        .toEqual([
          { label: '', value: number },
          { label: 'home', value: '089 1' },
        ])
    },
  )
})

test('Several numbers, e-mail addresses and places of a company', { tag: '@long' }, async ({
  page,
  enter,
  step,
  scan,
}) => {
  const { client } = await enter('/app/companies')
  const stored = async () => {
    const { data } = await client.from('companies').select('id, emails, phones, addresses').single()
    return data
  }

  await step('typed in the form, several pasted at once', async () => {
    await page.getByRole('button', { name: 'Add Company' }).first().click()
    const form = dialog(page, 'Add Company')
    await form.getByLabel('Company Name').fill('Acme')
    await button(form, 'Add email').click()
    await box(page, 'Email 1').evaluate((input) => {
      const data = new DataTransfer()
      data.setData('text', 'Front desk <info@acme.test>, sales@acme.test')
      input.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    })
    await expect(box(page, 'Email 1')).toHaveValue('info@acme.test')
    await expect(box(page, 'Email 2')).toHaveValue('sales@acme.test')
    await button(form, 'Add phone').click()
    await page.keyboard.type('030 1234567')
    await button(form, 'Remove email 2').click()
    await expect(button(form, 'Add email')).toBeFocused()
    await scan(form)
    await button(form, 'Add Company').click()
    await expect(form).toBeHidden()
    await expect
      .poll(() => stored())
      .toMatchObject({
        emails: [{ label: 'Front desk', value: 'info@acme.test' }],
        phones: [{ label: '', value: '030 1234567' }],
      })
  })

  await step('and on its page', async () => {
    await visit(page, `/app/companies/${(await stored())?.id}`)
    await expect(details(page).getByRole('link', { name: '030 1234567' })).toHaveAttribute(
      'href',
      'tel:0301234567',
    )
    await button(page, 'Edit Phone 1').click()
    await page.getByRole('combobox', { name: 'Label of phone 1' }).click()
    await page.getByRole('option', { name: 'Mobile' }).click()
    await button(details(page), 'Save').click()
    await expectValue(page, 'Phone (Mobile)', '030 1234567')
    await expect
      .poll(() => stored())
      .toMatchObject({ phones: [{ label: 'mobile', value: '030 1234567' }] })
  })
})
