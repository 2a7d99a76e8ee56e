import type { Page } from '@playwright/test'
import { button, expectToast } from './contact-list.ts'
import { addDeals, stagesOf, storedDeals } from './deal-list.ts'
import { expect } from './fixtures.ts'
import { test } from './journey.ts'
import { tabAndPress, tabTo, typeInto } from './keyboard.ts'
import { settled } from './requests.ts'
import { addRow } from './rows.ts'

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const field = (page: Page) => dialog(page, 'Quick Actions').getByRole('combobox')
const selected = (page: Page) => page.getByRole('region', { name: 'Selection' }).getByRole('status')
const nav = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name })

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

test('keys in lists, grids and forms', { tag: '@long' }, async ({
  step,
  longStep,
  page,
  signUp,
  begin,
  enter,
  scan,
}) => {
  await step(
    'In lists: up, down, open, select, edit, delete by key; Back keeps the row',
    async () => {
      const user = await signUp()
      const names = Array.from({ length: 100 }, (_, index) => `P${String(index).padStart(3, '0')}`)
      await user.client.from('contacts').insert(names.map((first_name) => ({ first_name })))
      await begin(user, '/app/contacts?sort=name')
      await expect(link(page, 'P000')).toBeVisible()
      await settled(page)

      await press(page, 'ArrowDown')
      await expect(link(page, 'P000')).toBeFocused()
      await press(page, 'j', 'j', 'k')
      await expect(link(page, 'P001')).toBeFocused()
      await press(page, 'x', 'Shift+ArrowDown')
      await expect(selected(page)).toHaveText('2 selected')
      await press(page, 'Space')
      await expect(selected(page)).toHaveText('1 selected')
      await press(page, 'k', 'x')
      await expect(page.getByRole('region', { name: 'Selection' })).toHaveCount(0)

      await press(page, 'e')
      await expect(dialog(page, 'Edit Contact').getByLabel('First Name')).toBeFocused()
      await press(page, 'Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(link(page, 'P001')).toBeFocused()

      await press(page, 'Delete')
      await expect(link(page, 'P001')).toHaveCount(0)
      await expect(link(page, 'P002')).toBeFocused()
      await expectToast(page, 'Contact deleted successfully')
      await button(page, 'Undo').click()
      await expect(link(page, 'P001')).toBeVisible()

      // Far beyond what is in the document, and back from there.
      await link(page, 'P002').focus()
      for (let row = 3; row <= 30; row += 1) await press(page, 'ArrowDown')
      await expect(link(page, 'P030')).toBeFocused()
      await expect(link(page, 'P030')).toBeInViewport()
      await press(page, 'Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'P030' })).toBeVisible()
      await page.goBack()
      await expect(link(page, 'P030')).toBeFocused()
      await expect(link(page, 'P030')).toBeInViewport()
      // Tab goes through the row and then past the list, however long it is.
      await press(page, 'x')
      await tabTo(page, button(page, 'Clear selection'))
      await press(page, 'Enter', 'Home')
      await press(page, 'j')
      await expect(link(page, 'P031')).toBeFocused()
      await press(page, 'Home')
      await expect(link(page, 'P000')).toBeFocused()
    },
  )
  await longStep(
    'In a grid the arrows go by where a card stands; what is deleted is asked for and the next card is active',
    async () => {
      const user = await signUp()
      for (const name of ['A', 'B', 'C', 'D', 'E']) await addRow(user, 'companies', { name })
      await begin(user, '/app/companies?sort=name')
      await expect(link(page, 'E')).toBeVisible()
      await settled(page)
      await press(page, 'ArrowDown')
      await expect(link(page, 'A')).toBeFocused()
      await press(page, 'ArrowRight', 'ArrowDown')
      await expect(link(page, 'E')).toBeFocused()
      await press(page, 'ArrowLeft', 'ArrowUp')
      await expect(link(page, 'A')).toBeFocused()
      await press(page, 'ArrowRight', 'Delete')
      await expect(button(dialog(page, 'Delete B?'), 'Cancel')).toBeFocused()
      await press(page, 'Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(link(page, 'B')).toBeFocused()
      await press(page, 'Backspace')
      await expect(button(dialog(page, 'Delete B?'), 'Cancel')).toBeFocused()
      await press(page, 'Tab', 'Enter')
      await expect(link(page, 'B')).toHaveCount(0)
      await expect(link(page, 'C')).toBeFocused()
    },
  )
  await longStep(
    'In forms Control-Enter saves from any field, Escape closes after asking',
    async () => {
      await enter('/app/tasks')
      await settled(page)
      // From the field where one begins, one that breaks lines, and one that offers choices.
      for (const [index, label] of ['Title', 'Description', 'Priority'].entries()) {
        await press(page, 'Control+k')
        await expect(field(page)).toBeFocused()
        await press(page, '3')
        const form = dialog(page, 'Create New Task')
        await typeInto(page, form.getByLabel('Title', { exact: true }), `Task ${index}`)
        await tabTo(
          page,
          form.getByRole(label === 'Priority' ? 'combobox' : 'textbox', { name: label }),
        )
        await press(page, index === 1 ? 'Meta+Enter' : 'Control+Enter')
        await expect(page.getByRole('dialog')).toHaveCount(0)
        await expect(page.getByRole('article', { name: `Task ${index}` })).toBeVisible()
      }
      await press(page, 'j', 'Enter')
      const form = dialog(page, 'Edit Task')
      await typeInto(page, form.getByLabel('Title', { exact: true }), ' again')
      await press(page, 'Escape')
      await expect(button(dialog(page, 'Discard changes?'), 'Keep editing')).toBeFocused()
      await press(page, 'Escape')
      await expect(dialog(page, 'Discard changes?')).toHaveCount(0)
      await expect(form).toBeVisible()
      await expect(form.getByLabel('Title', { exact: true })).toBeFocused()
      await press(page, 'Escape')
      await expect(button(dialog(page, 'Discard changes?'), 'Keep editing')).toBeFocused()
      await press(page, 'Tab', 'Enter')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(button(page, 'Task 2')).toBeFocused()
    },
  )
  await step('? opens the help sheet, Escape gives the focus back', async () => {
    const user = await signUp()
    await addRow(user, 'companies', { name: 'Acme' })
    await begin(user, '/app/companies')
    await expect(link(page, 'Acme')).toBeVisible()
    await settled(page)
    await press(page, 'j', '?')
    const sheet = dialog(page, 'Keyboard shortcuts')
    await expect(button(sheet, 'Close')).toBeFocused()
    for (const name of ['Anywhere', 'In lists', 'On the board', 'In forms', 'In the search']) {
      await expect(sheet.getByRole('heading', { name, exact: true })).toBeVisible()
    }
    await expect(sheet).toContainText('Quick actionsCtrlK')
    await test.step('is accessible', () => scan(sheet))
    // What stands over the page has the keyboard for itself.
    await press(page, 'e', 'Control+k')
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await press(page, 'Escape')
    await expect(sheet).toHaveCount(0)
    await expect(link(page, 'Acme')).toBeFocused()
  })
})

// Signing in by keyboard alone: e2e/auth.spec.ts.
test('By keyboard alone', { tag: '@long' }, async ({ step, page, enter }) => {
  const user = await enter()
  await addRow(user, 'tasks', { title: 'Call Ada' })
  const { Lead } = await stagesOf(user)
  await addDeals(user, { name: 'Engine', stage_id: Lead ?? null })
  await step('By keyboard alone: complete a task, move a card on the board', async () => {
    await tabAndPress(page, nav(page, 'Tasks'))
    await expect(button(page, 'Call Ada')).toBeVisible()
    await settled(page)
    await press(page, 'j')
    await expect(button(page, 'Call Ada')).toBeFocused()
    await press(page, 'c')
    await expect(page.getByText('Task Completed!')).toBeVisible()
    const { data: tasks } = await user.client.from('tasks').select('completed')
    expect(tasks).toEqual([{ completed: true }])

    await tabAndPress(page, nav(page, 'Deals'))
    await tabTo(page, page.getByRole('radio', { name: 'List' }))
    await press(page, 'ArrowRight')
    const handle = button(page, 'Move Engine')
    await tabTo(page, handle)
    await press(page, 'Space')
    const spoken = page.locator('[aria-live=assertive]')
    await expect(spoken).toHaveText('Lifted Engine. Lead, 1 of 1.')
    await press(page, 'ArrowRight')
    await expect(spoken).toHaveText('Qualified, 1 of 1.')
    await press(page, 'Space')
    await expect(page.getByRole('alert').getByText('Moved to Qualified')).toBeVisible()
    await expect.poll(() => storedDeals(user)).toMatchObject([{ stage: 'Qualified' }])
    await expect(handle).toBeFocused()
  })
  await step(
    'By keyboard alone: create a contact and a deal by quick actions, find the contact by search, write a note, sign out',
    async () => {
      const { client } = user
      await settled(page)
      await press(page, 'Control+k')
      await expect(field(page)).toBeFocused()
      await press(page, '1')
      await typeInto(page, dialog(page, 'Add Contact').getByLabel('First Name'), 'Ada')
      await tabTo(page, dialog(page, 'Add Contact').getByLabel('Last Name'))
      await page.keyboard.type('Lovelace')
      await press(page, 'Control+Enter')
      await expectToast(page, 'Contact created successfully')
      await expect(page.getByRole('dialog')).toHaveCount(0)

      await press(page, 'Control+k')
      await expect(field(page)).toBeFocused()
      await press(page, '4')
      await typeInto(page, dialog(page, 'Create Deal').getByLabel('Deal Name *'), 'Mill')
      await press(page, 'Control+Enter')
      await expectToast(page, 'Deal created successfully')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      const { data: deals } = await client.from('deals').select('name').order('name')
      expect(deals).toEqual([{ name: 'Engine' }, { name: 'Mill' }])

      await press(page, '/')
      await typeInto(page, page.getByRole('combobox', { name: 'Search' }), 'lovel')
      await expect(page.getByRole('option', { name: /Ada Lovelace/ })).toHaveAttribute(
        'aria-selected',
        'true',
      )
      await press(page, 'Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()

      const note = page.getByRole('textbox', { name: 'Write a note' })
      await tabTo(page, note)
      await page.keyboard.type('Knows engines')
      await press(page, 'Control+Enter')
      // The field keeps what was typed until it is saved.
      await expect(note).toHaveValue('')
      await expect(page.getByRole('listitem').getByText('Knows engines')).toBeVisible()
      await tabTo(page, note)
      await page.keyboard.type('Half a thought')
      await press(page, 'Escape')
      await expect(button(dialog(page, 'Discard changes?'), 'Keep editing')).toBeFocused()
      await press(page, 'Tab', 'Enter')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(note).toHaveValue('')

      await tabAndPress(page, page.getByRole('banner').getByRole('button', { name: 'Sign Out' }))
      await expect(page).toHaveURL('/auth')
    },
  )
})
