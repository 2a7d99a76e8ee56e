import type { Page } from '@playwright/test'
import type { ViewScreen } from '#domain/saved-view.ts'
import { button, dialog, expectToast, test } from './contact-list.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { visit } from './journey.ts'
import { brokenAnswer, fail, loseFirstAnswer, unreachable } from './requests.ts'
import { keepToasts } from './toasts.ts'

const people = ['Ada', 'Bob'].map((first_name) => ({ first_name }))
const rest = '**/rest/v1/saved_views*'

/** A view that is there before the screen is opened. */
function view(name: string, query: string, screen: ViewScreen = 'contacts') {
  return async ({ client }: User): Promise<void> => {
    expect((await client.from('saved_views').insert({ name, query, screen })).error).toBeNull()
  }
}

async function stored({ client }: User): Promise<Record<string, string>> {
  const { data } = await client.from('saved_views').select('name, query').eq('screen', 'contacts')
  return Object.fromEntries(data?.map(({ name, query }) => [name, query]) ?? [])
}

const menuButton = (page: Page) => page.getByRole('button', { name: /^Views(:|$)/ })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const nameField = (page: Page) => page.getByLabel('Name', { exact: true })

async function choose(page: Page, name: string): Promise<void> {
  await menuButton(page).click()
  await item(page, name).click()
}

async function sortBy(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Sort:/ }).click()
  await page.getByRole('menuitemradio', { name, exact: true }).click()
  await page.keyboard.press('Escape')
}

async function save(page: Page, name: string): Promise<void> {
  await choose(page, 'Save view')
  await nameField(page).fill(name)
  await button(dialog(page, 'Save view'), 'Save').click()
}

// Some of what is asked for here is answered with an error.
test.use({ expectedErrors: failedRequests })

test('saved views', async ({ step, longStep, page, open, scan }) => {
  await keepToasts(page)
  const user = await open(people, view('Not here', 'sort=name', 'companies'))
  await step(
    'saved views under a name: saved, opened again, and known after a reload',
    async () => {
      await menuButton(page).click()
      await expect(page.getByText(/^No views yet/)).toBeVisible()
      await page.keyboard.press('Escape')
      await save(page, '  By name  ')
      await expectToast(page, 'View saved')
      await expect(menuButton(page)).toHaveAccessibleName('Views: By name')
      await expect.poll(() => stored(user)).toEqual({ 'By name': 'sort=name' })
      await visit(page, '/app/contacts')
      await expect(menuButton(page)).toHaveAccessibleName('Views')
      await choose(page, 'By name')
      await expect(page).toHaveURL('/app/contacts?sort=name')
      await expect(menuButton(page)).toHaveAccessibleName('Views: By name')
      await page.reload()
      await expect(menuButton(page)).toHaveAccessibleName('Views: By name')
      await page.goBack()
      await expect(page).toHaveURL('/app/contacts')
      await expect(menuButton(page)).toHaveAccessibleName('Views')
    },
  )
  await longStep('updated when the list was changed since', async () => {
    await choose(page, 'By name')
    await expect(menuButton(page)).toHaveAccessibleName('Views: By name')
    await menuButton(page).click()
    await expect(item(page, 'Rename “By name”')).toBeVisible()
    await expect(item(page, 'Update “By name”')).toBeHidden()
    await page.keyboard.press('Escape')
    await sortBy(page, 'Email')
    await expect(menuButton(page)).toHaveAccessibleName('Views: By name, changed')
    await menuButton(page).click()
    await expect(item(page, 'Update “By name”')).toBeVisible()
    await test.step('the menu is accessible', () => scan(page.getByRole('menu')))
    await item(page, 'Update “By name”').click()
    await expectToast(page, 'View updated')
    await expect(menuButton(page)).toHaveAccessibleName('Views: By name')
    await expect.poll(() => stored(user)).toEqual({ 'By name': 'sort=email' })
    // The list as it is by default is no change of the view.
    await visit(page, '/app/contacts')
    await expect(menuButton(page)).toHaveAccessibleName('Views')
  })
  await longStep('renamed and deleted, with Undo', async () => {
    await choose(page, 'By name')
    await choose(page, 'Rename “By name”')
    await nameField(page).fill('Ours')
    await button(dialog(page, 'Rename view'), 'Rename').click()
    await expectToast(page, 'View renamed')
    await expect(menuButton(page)).toHaveAccessibleName('Views: Ours')
    await choose(page, 'Delete “Ours”')
    await expectToast(page, 'View Ours deleted')
    await expect(menuButton(page)).toHaveAccessibleName('Views')
    await expect.poll(() => stored(user)).toEqual({})
    await button(page, 'Undo').click()
    await expect(menuButton(page)).toHaveAccessibleName('Views: Ours')
    await expect.poll(() => stored(user)).toEqual({ Ours: 'sort=email' })
  })
  await longStep('a name that is missing, too long or taken is said at the field', async () => {
    await choose(page, 'Save view')
    await expect(nameField(page)).toBeFocused()
    for (const [name, message] of [
      ['   ', 'Name is required.'],
      ['x'.repeat(201), 'Name can have at most 200 characters.'],
      ['Ours', 'A view with this name already exists.'],
    ] as const) {
      await nameField(page).fill(name)
      await button(page, 'Save').click()
      await expect(nameField(page)).toHaveAccessibleDescription(message)
      await expect(nameField(page)).toHaveValue(name)
    }
    await test.step('is accessible', () => scan(dialog(page, 'Save view')))
    await page.keyboard.press('Escape')
    await button(dialog(page, 'Discard changes?'), 'Discard').click()
    await expect(nameField(page)).toBeHidden()
    await expect.poll(() => stored(user)).toEqual({ Ours: 'sort=email' })
  })
  await longStep(
    'Undo of a view whose name was given to another since is answered in words',
    async () => {
      await choose(page, 'Delete “Ours”')
      await expectToast(page, 'View Ours deleted')
      await save(page, 'Ours')
      await expectToast(page, 'View saved')
      await button(page, 'Undo').click()
      const question = dialog(page, 'Undo the rest?')
      await expect(question).toContainText('Ours (its name is taken)')
      await button(question, 'Cancel').click()
      await expect(question).toBeHidden()
    },
  )
  await longStep(
    "'Failed to save view: {message}' when its answer gets lost: what was typed stays, and it is not made twice",
    async () => {
      await loseFirstAnswer(page, rest, 'POST')
      await save(page, 'Mine')
      await expectToast(page, `Failed to save view: ${unreachable}`)
      await expect(nameField(page)).toHaveValue('Mine')
      await nameField(page).fill('Mine too')
      await button(page, 'Save').click()
      await expectToast(page, 'View saved')
      await expect
        .poll(() => stored(user))
        .toEqual({ Ours: 'sort=email', 'Mine too': 'sort=email' })
    },
  )
  await longStep(
    'views that could not be loaded are said in words, and can be asked for again',
    async () => {
      await fail(page, rest, 'GET', brokenAnswer.answer)
      await page.reload()
      await expectToast(page, `Failed to fetch views: ${brokenAnswer.message}`)
      await page.unroute(rest)
      await menuButton(page).click()
      await page.getByRole('menuitem', { name: /^The views could not be loaded/ }).click()
      await expect(item(page, 'Ours')).toBeVisible()
    },
  )
})

test('names show as they were typed, and nothing sticks out', { tag: ['@phone', '@long'] }, async ({
  page,
  open,
  scan,
}) => {
  const names = ['<b>bold</b>', 'عرض', 'x'.repeat(200)]
  await page.setViewportSize({ width: 360, height: 640 })
  await open(people, async (user) => {
    for (const name of names) await view(name, name.length === 200 ? 'sort=name' : 'q=x')(user)
  })
  await page.getByRole('button', { name: 'More options' }).click()
  await menuButton(page).click()
  for (const name of names) await expect(item(page, name)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await test.step('the menu is accessible', () => scan(page.getByRole('menu')))
})
