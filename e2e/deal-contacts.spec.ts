import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { expectChange, region } from './record-page.ts'
import { addRow } from './rows.ts'

const people = (page: Page) => region(page, 'Contacts')
const line = (page: Page, name: string) =>
  people(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) })

async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('several contacts on a deal, each with a role', { tag: ['@phone-long', '@long'] }, async ({
  page,
  enter,
  step,
  longStep,
  scan,
}) => {
  const user = await enter('/app/deals')
  const ada = await addRow(user, 'contacts', { first_name: 'Ada' })
  await addRow(user, 'contacts', { first_name: 'Bob' })
  const deal = await addRow(user, 'deals', { name: 'Renewal', value: 900, contact_id: ada })

  await step('the main contact is there; another one is added with a role', async () => {
    await visit(page, `/app/deals/${deal}`)
    await expect(line(page, 'Ada').getByText('Main', { exact: true })).toBeVisible()
    // What is typed right after the first press is not lost.
    await people(page).getByRole('button', { name: 'Add contact' }).click()
    await page.keyboard.type('Bo')
    const dialog = page.getByRole('dialog', { name: 'Add contact to deal' })
    const contact = dialog.getByRole('combobox', { name: 'Contact' })
    await expect(contact).toHaveValue('Bo')
    await contact.fill('')
    await dialog.getByRole('button', { name: 'Add contact' }).click()
    await expect(dialog.getByText('Choose a contact.')).toBeVisible()
    await contact.fill('Bob')
    await page.getByRole('option', { name: 'Bob', exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Role' }).fill('Pays')
    await scan(dialog)
    await dialog.getByRole('button', { name: 'Add contact' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(line(page, 'Bob')).toContainText('Pays')
    await expectNoSidewaysScroll(page)
    await scan(people(page))
  })

  await step('roles change, a word of one’s own too; the history tells it', async () => {
    await act(page, 'Ada', 'Decision maker')
    await expect(line(page, 'Ada')).toContainText('Decision maker')
    await act(page, 'Bob', 'Other role...')
    const dialog = page.getByRole('dialog', { name: 'Bob’s role' })
    await dialog.getByRole('combobox', { name: 'Role' }).fill('Signs')
    await dialog.getByRole('button', { name: 'Save role' }).click()
    await expect(line(page, 'Bob')).toContainText('Signs')
    await expectChange(page, 'Contact “Bob on Renewal”: role changed from Pays to Signs')
  })

  await step('another one becomes the main one, and the old one stays', async () => {
    await act(page, 'Bob', 'Make main contact')
    await expect(line(page, 'Bob').getByText('Main', { exact: true })).toBeVisible()
    await expect(line(page, 'Ada')).toContainText('Decision maker')
    await expect(people(page).getByRole('listitem').first()).toContainText('Bob')
  })

  await step('the page of a further contact shows the deal and the role', async () => {
    await visit(page, `/app/contacts/${ada}`)
    await expect(region(page, 'Deals').getByRole('listitem')).toContainText('$900 · Decision maker')
    await visit(page, `/app/deals?contact=${ada}`)
    await expect(page.getByRole('link', { name: 'Renewal', exact: true })).toBeVisible()
  })

  await step(
    'the form holds everyone, asks what was half typed, and saves it in one go',
    async () => {
      await visit(page, '/app/deals')
      await page.getByRole('button', { name: 'Edit Renewal' }).first().click()
      const form = page.getByRole('dialog', { name: 'Edit Deal' })
      const box = (name: string) => form.getByRole('combobox', { name, exact: true })
      await expect(box('Contact')).toHaveValue('Bob')
      await expect(box('Role')).toHaveValue('Signs')
      await expect(box('Contact 2')).toHaveValue('Ada')
      await box('Role of contact 2').fill('Pays')
      await form.getByRole('button', { name: 'Add contact' }).click()
      await expect(box('Contact 3')).toBeFocused()
      await page.keyboard.type('Bob')
      await page.getByRole('option', { name: 'Bob', exact: true }).click()
      await expect(form.getByText('Bob is already on this deal.')).toBeVisible()
      await box('Contact 3').fill('Kim')
      await box('Role of contact 3').fill('Uses')
      await form.getByRole('button', { name: 'Save Changes' }).click()
      await expect(form.getByText('No contact named “Kim”.')).toBeVisible()
      await form.getByRole('button', { name: 'Create Kim' }).click()
      await expect(form).toHaveCount(0)
      await visit(page, `/app/deals/${deal}`)
      await expect(line(page, 'Bob').getByText('Main', { exact: true })).toBeVisible()
      await expect(line(page, 'Ada')).toContainText('Pays')
      await expect(line(page, 'Kim')).toContainText('Uses')
    },
  )

  await longStep('a new deal has its contacts from the start', async () => {
    await visit(page, '/app/deals')
    await page.getByRole('button', { name: 'Create Deal' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create Deal' })
    const box = (name: string) => form.getByRole('combobox', { name, exact: true })
    await form.getByLabel('Deal Name').fill('Second')
    await box('Contact').fill('Ada')
    await page.getByRole('option', { name: 'Ada', exact: true }).click()
    await box('Role').fill('Decision maker')
    await form.getByRole('button', { name: 'Add contact' }).click()
    await page.keyboard.type('Bob')
    await page.getByRole('option', { name: 'Bob', exact: true }).click()
    await scan(form)
    await form.getByRole('button', { name: 'Create Deal' }).click()
    await expect(form).toHaveCount(0)
    await page.getByRole('link', { name: 'Second', exact: true }).click()
    await expect(line(page, 'Ada')).toContainText('Decision maker')
    await expect(line(page, 'Bob')).toBeVisible()
  })

  await step('someone is taken off the deal, and undo brings them back', async () => {
    await visit(page, `/app/deals/${deal}`)
    await act(page, 'Ada', 'Remove from deal')
    await expect(line(page, 'Ada')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(line(page, 'Ada')).toContainText('Pays')
  })
})
