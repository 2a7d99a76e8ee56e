import type { Page } from '@playwright/test'
import { button } from './contact-list.ts'
import { pressEverything } from './crawl.ts'
import { expect, expectNoSidewaysScroll } from './fixtures.ts'
import { isLong } from './is-long.ts'
import { test } from './journey.ts'
import { idle, settled } from './requests.ts'
import { addRow } from './rows.ts'

const drawer = (page: Page) => page.getByRole('dialog', { name: 'Quick Actions' })
const input = (page: Page) => drawer(page).getByRole('combobox')
const form = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

test('Quick Actions', async ({ step, longStep, page, enter, scan }) => {
  await step(
    'Quick Actions drawer: opens from the sidebar (hint shows a command-K shortcut) with five cards: Add Contact (shortcut 1), Add Company (2), Create Task (3), Create Deal (4), View Reports (5; navigates to /app/reports and closes)',
    async () => {
      await enter('/app/contacts')
      const opener = page.getByRole('navigation').getByRole('button', { name: 'Quick Actions' })
      await expect(opener).toContainText('Ctrl K')
      await opener.click()
      const cards = drawer(page).locator('button[aria-keyshortcuts]')
      await expect(cards).toHaveText([
        /^Add Contact.*1$/,
        /^Add Company.*2$/,
        /^Create Task.*3$/,
        /^Create Deal.*4$/,
        /^View Reports.*5$/,
      ])
      await expect(input(page)).toBeFocused()
      await test.step('the drawer is accessible', () => scan(drawer(page)))
      await page.keyboard.press('Escape')
      await expect(drawer(page)).toHaveCount(0)
      await expect(opener).toBeFocused()
      for (const key of ['Control+k', 'Meta+k']) {
        await page.keyboard.press(key)
        await expect(drawer(page)).toBeVisible()
        await expect(input(page)).toBeFocused()
        await page.keyboard.press('Escape')
        await expect(drawer(page)).toHaveCount(0)
      }
      await page.keyboard.press('Control+k')
      await expect(input(page)).toBeFocused()
      await page.keyboard.press('5')
      await expect(page).toHaveURL('/app/reports')
      await expect(drawer(page)).toHaveCount(0)
      await expect(page.getByRole('main')).toBeFocused()
    },
  )
  await step(
    'The first four open their create form in an overlay; after a successful create, the form and drawer close',
    async () => {
      const { client } = await enter('/app/dashboard')
      const opener = page.getByRole('link', { name: 'Tasks', exact: true }).first()
      await opener.focus()
      const forms = [
        {
          key: '1',
          title: 'Add Contact',
          field: 'First Name',
          toast: 'Contact created successfully',
        },
        {
          key: '2',
          title: 'Add Company',
          field: 'Company Name *',
          toast: 'Company created successfully',
        },
        { key: '3', title: 'Create New Task', field: 'Title', toast: 'Task created successfully' },
        {
          key: '4',
          title: 'Create Deal',
          field: 'Deal Name *',
          toast: 'Deal created successfully',
        },
      ]
      // One form stands for the four; the long run opens each.
      const tried = isLong ? forms : forms.slice(1, 2)
      for (const { key, title, field: label, toast } of tried) {
        await page.keyboard.press('Control+k')
        await expect(input(page)).toBeFocused()
        await page.keyboard.press(key)
        await expect(form(page, title).getByLabel(label).first()).toBeFocused()
        // Digits go into the field.
        await page.keyboard.type('Acme 5')
        await page.keyboard.press('Enter')
        await expect(page.getByText(toast, { exact: true })).toBeVisible()
        await expect(page.getByRole('dialog')).toHaveCount(0)
        await expect(opener).toBeFocused()
        await expect(page).toHaveURL('/app/dashboard')
      }
      const { data } = await client.from('companies').select('name')
      expect(data).toEqual([{ name: 'Acme 5' }])

      // Closed without a new record, the form leaves the drawer open.
      await page.keyboard.press('Control+k')
      await drawer(page)
        .getByRole('button', { name: /^Add Company/ })
        .click()
      await expect(form(page, 'Add Company').getByLabel('Company Name *')).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(form(page, 'Add Company')).toHaveCount(0)
      await expect(drawer(page)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(opener).toBeFocused()
    },
  )
  await longStep(
    'In a field only Ctrl K fires, which closes what it opened; over another dialog nothing does',
    async () => {
      await enter('/app/companies')
      const search = page.getByPlaceholder('Search companies...')
      await search.focus()
      await page.keyboard.type('j?/')
      await page.keyboard.press('Control+k')
      await expect(input(page)).toBeFocused()
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(search).toBeFocused()
      await expect(search).toHaveValue('j?/')
      await search.clear()
      await button(page, 'Add your first company').click()
      await expect(form(page, 'Add Company').getByLabel('Company Name *')).toBeFocused()
      await button(form(page, 'Add Company'), 'Cancel').focus()
      await page.keyboard.press('Control+k')
      await expect(drawer(page)).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      // Nor over a form that was opened from it.
      await page.keyboard.press('Control+k')
      await expect(input(page)).toBeFocused()
      await page.keyboard.press('2')
      await form(page, 'Add Company').getByLabel('Company Name *').fill('Typed')
      await page.keyboard.press('Control+k')
      await expect(form(page, 'Add Company').getByLabel('Company Name *')).toHaveValue('Typed')
      await expect(drawer(page)).toHaveCount(1)
    },
  )
  await longStep(
    'By arrow keys from the field over the cards to the list; what is typed on a card goes into the field',
    async () => {
      const user = await enter('/app/dashboard')
      await addRow(user, 'contacts', { first_name: 'Maria', last_name: 'Keller' })
      await page.keyboard.press('Control+k')
      await expect(input(page)).toBeFocused()
      await expect(drawer(page).getByRole('option', { name: /^Maria Keller/ })).toBeVisible()
      const cards = drawer(page).locator('button[aria-keyshortcuts]')
      await page.keyboard.press('ArrowDown')
      await expect(cards.first()).toBeFocused()
      await page.keyboard.press('ArrowUp')
      await expect(input(page)).toBeFocused()
      await page.keyboard.press('ArrowUp')
      await expect(cards.last()).toBeFocused()
      await page.keyboard.press('ArrowDown')
      await expect(input(page)).toBeFocused()
      await expect(drawer(page).getByRole('option', { name: /^Maria Keller/ })).toHaveAttribute(
        'aria-selected',
        'true',
      )
      await page.keyboard.press('ArrowUp')
      await expect(cards.last()).toBeFocused()

      // After any other character the digits are text.
      await page.keyboard.type('call maria keller 20.11. 15:00 !whenever')
      await expect(input(page)).toHaveValue('call maria keller 20.11. 15:00 !whenever')
      await expect(cards).toHaveCount(0)
      const plan = drawer(page).getByRole('group', { name: 'Create all' })
      await expect(plan.getByRole('option')).toHaveText(
        /^Maria KellerExisting contactCall Maria KellerNov 20, 15:00New task“!whenever”.*Not understood$/,
      )
      await scan(drawer(page), { contrast: true })
      // Closed by mistake, the line is there again.
      await page.keyboard.press('Escape')
      await expect(drawer(page)).toHaveCount(0)
      await page.keyboard.press('/')
      await expect(input(page)).toBeFocused()
      await drawer(page)
        .getByRole('option', { name: /^call maria keller/ })
        .click()
      await expect(plan.getByRole('option')).toHaveText(/Existing contact.*New task/)
      await page.keyboard.press('Enter')
      await expect(page.getByText('Task created successfully')).toBeVisible()
      await expect(drawer(page)).toHaveCount(0)
      const tasks = async () => (await user.client.from('tasks').select('title')).data
      await expect.poll(tasks).toEqual([{ title: 'Call Maria Keller' }])
      await page.keyboard.press('Control+z')
      await expect(page.getByText('Undone: Added task Call Maria Keller')).toBeVisible()
      expect(await tasks()).toEqual([])
    },
  )
  await longStep(
    'N creates what the screen is about; Control+Z in a field is the field’s',
    async () => {
      await enter('/app/dashboard')
      await settled(page)
      await page.keyboard.press('n')
      await expect(drawer(page)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(drawer(page)).toHaveCount(0)
      await page.goto('/app/companies')
      await expect(page.getByRole('heading', { name: 'Companies', level: 1 })).toBeVisible()
      await settled(page)
      await page.keyboard.press('n')
      const name = form(page, 'Add Company').getByLabel('Company Name *')
      await expect(name).toBeFocused()
      await page.keyboard.type('Nnn')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Company created successfully')).toBeVisible()
      const search = page.getByPlaceholder('Search companies...')
      await search.fill('Nn')
      await page.keyboard.press('Control+z')
      await expect(search).toHaveValue('')
      await expect(page.getByRole('link', { name: 'Nnn' })).toBeVisible()
    },
  )
})

test('Quick Actions and the help sheet on the phone', { tag: ['@phone', '@long'] }, async ({
  page,
  enter,
  scan,
  step,
}) => {
  await step('the drawer is accessible, and nothing sticks out', async () => {
    await enter('/app/companies')
    await button(page, 'Open menu').click()
    await page.getByRole('button', { name: 'Quick Actions' }).click()
    await expect(drawer(page)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await scan(drawer(page))
    await expectNoSidewaysScroll(page)
    await drawer(page)
      .getByRole('button', { name: /^Create Deal/ })
      .click()
    await expect(form(page, 'Create Deal').getByLabel('Deal Name *')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(form(page, 'Create Deal')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await step('The help sheet is accessible, on a phone with a keyboard too', async () => {
    await page.keyboard.press('?')
    await expect(form(page, 'Keyboard shortcuts')).toBeVisible()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await scan(form(page, 'Keyboard shortcuts'))
    await expectNoSidewaysScroll(page)
  })
})

test('every control of Keyboard shortcuts does something', async ({ page, enter }) => {
  const address = '/app/companies'
  test.slow()
  const within = form(page, 'Keyboard shortcuts')
  async function ready(): Promise<void> {
    await expect(page.getByRole('heading', { name: 'Companies', level: 1 })).toBeVisible()
    await idle(page)
    await page.keyboard.press('?')
    await expect(within).toBeVisible()
  }
  await enter(address)
  expect(await pressEverything(page, { address, within, ready })).toHaveLength(1)
})
