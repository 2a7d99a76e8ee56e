import type { Locator, Page } from '@playwright/test'
import { button, dialog, expectToast, select, showAllActions, test } from './contact-list.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { brokenAnswer, fail, hold, settled } from './requests.ts'
import { keepToasts } from './toasts.ts'

const people = ['Ada', 'Bob', 'Cleo'].map((first_name) => ({ first_name }))

/** A collection with the first so many of the contacts. */
function collection(name: string, size: number) {
  return async ({ client }: User, ids: string[]): Promise<void> => {
    const filter = { ids: ids.slice(0, size) }
    expect((await client.rpc('create_collection', { name, filter })).error).toBeNull()
  }
}

async function stored({ client }: User): Promise<Record<string, number | null>> {
  const { data } = await client.from('collection_counts').select('name, contacts')
  return Object.fromEntries(data?.map(({ name, contacts }) => [name, contacts]) ?? [])
}

/** Counts the requests of this name that the page makes from now on. */
function countRequests(page: Page, name: string): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.url().includes(name) && request.method() === 'POST') count += 1
  })
  return () => count
}

/** The panel beside the list. On a phone it is a drawer, which a button opens. */
class Panel {
  readonly page: Page
  readonly isMobile: boolean
  readonly root: Locator
  constructor(page: Page, isMobile: boolean) {
    this.page = page
    this.isMobile = isMobile
    this.root = isMobile
      ? dialog(page, 'Collections')
      : page.getByRole('complementary', { name: 'Collections' })
  }
  async open(): Promise<void> {
    if (this.isMobile && !(await this.root.isVisible())) {
      const more = button(this.page, 'More options')
      if ((await more.getAttribute('aria-expanded')) !== 'true') await more.click()
      // Behind the filter and the button that was pressed.
      await this.page
        .getByRole('main')
        .locator('[aria-haspopup=dialog]:visible:not([aria-hidden])')
        .nth(2)
        .click()
    }
    await expect(this.root).toBeVisible()
  }
  async close(): Promise<void> {
    if (!this.isMobile || !(await this.root.isVisible())) return
    await button(this.root, 'Close').click()
    await expect(this.root).toBeHidden()
  }
  entry(name: string): Locator {
    return this.root.getByRole('button', { name: new RegExp(`^${name}(, |$)`) })
  }
  async choose(name: string): Promise<void> {
    await this.open()
    await this.entry(name).click()
    if (this.isMobile) await expect(this.root).toBeHidden()
  }
  async act(name: string, action: string): Promise<void> {
    await this.open()
    await this.root.getByRole('listitem').filter({ hasText: name }).hover()
    await button(this.root, `Actions for ${name}`).click()
    await this.page.getByRole('menuitem', { name: action, exact: true }).click()
  }
  /** Names and counts, in order. */
  async expect(entries: string[]): Promise<void> {
    await this.open()
    const shown = this.root.locator('li > button[aria-label*=contact]')
    await expect
      .poll(() => shown.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))))
      .toEqual(entries)
    await this.close()
  }
}

const withPanel = test.extend<{ panel: Panel }>({
  panel: async ({ page, isMobile }, use) => use(new Panel(page, isMobile)),
})

const nameField = (page: Page) => page.getByLabel('Name', { exact: true })
const total = (page: Page, text: string) => page.getByText(text, { exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const option = (page: Page, name: RegExp) => page.getByRole('option', { name })

withPanel(
  'the panel',
  { tag: '@phone-long' },
  async ({ step, longStep, isMobile, page, open, panel }) => {
    const first = ['Berlin 9, 1 contact', 'berlin 10, 0 contacts', 'VIP, 2 contacts']
    const user = await open(people, async (owner, ids) => {
      await collection('VIP', 2)(owner, ids)
      await collection('berlin 10', 0)(owner, ids)
      await collection('Berlin 9', 1)(owner, ids)
    })
    await step(
      'Collections: listed with their counts in a panel beside the list, and filtered by',
      async () => {
        await panel.expect(first)
        await panel.open()
        await expect(panel.entry('All contacts')).toHaveAttribute('aria-current', 'true')
        await panel.choose('VIP')
        await expect(page).toHaveURL(/[?&]collection=[\da-f-]{36}/)
        await expect(total(page, '2 contacts')).toBeVisible()
        await page.reload()
        await expect(total(page, '2 contacts')).toBeVisible()
        await panel.open()
        await expect(panel.entry('VIP')).toHaveAttribute('aria-current', 'true')
        await panel.choose('All contacts')
        await expect(total(page, '3 contacts')).toBeVisible()
        await page.goBack()
        await expect(total(page, '2 contacts')).toBeVisible()
      },
    )
    // The rest is the same on the phone.
    if (isMobile) return
    await step('made, and undone', async () => {
      await panel.open()
      await button(panel.root, 'Create new collection').click()
      await expect(nameField(page)).toBeFocused()
      await nameField(page).fill('  Later  ')
      await button(page, 'Create').click()
      await expectToast(page, 'Later created')
      await panel.expect([...first.slice(0, 2), 'Later, 0 contacts', 'VIP, 2 contacts'])
      await button(page, 'Undo').click()
      await panel.expect(first)
    })
    await longStep(
      'renamed; a name that is missing, too long or taken is said at the field',
      async () => {
        await panel.act('VIP', 'Rename')
        const form = dialog(page, 'Rename collection')
        for (const [name, message] of [
          ['   ', 'Name is required.'],
          ['x'.repeat(201), 'Name can have at most 200 characters.'],
          ['Berlin 9', 'A collection with this name already exists.'],
        ] as const) {
          await nameField(page).fill(name)
          await button(form, 'Rename').click()
          await expect(nameField(page)).toHaveAccessibleDescription(message)
          await expect(nameField(page)).toHaveValue(name)
        }
        await nameField(page).fill('Very important')
        await button(form, 'Rename').click()
        await expectToast(page, 'Collection renamed')
        await panel.expect([...first.slice(0, 2), 'Very important, 2 contacts'])
      },
    )
    await longStep('emptied, and Undo fills it again', async () => {
      await panel.act('Very important', 'Remove all contacts')
      await expectToast(page, '2 contacts removed from Very important')
      await panel.expect([...first.slice(0, 2), 'Very important, 0 contacts'])
      await button(page, 'Undo').click()
      await panel.expect([...first.slice(0, 2), 'Very important, 2 contacts'])
    })
    await longStep(
      'deleted: it asks, its contacts stay, and Undo brings it back with them',
      async () => {
        await expect(total(page, '2 contacts')).toBeVisible()
        await panel.act('Very important', 'Delete')
        const question = dialog(page, 'Delete Very important?')
        await expect(question).toContainText('Its 2 contacts are kept.')
        await page.keyboard.press('Escape')
        await expect(question).toBeHidden()
        await panel.act('Very important', 'Delete')
        await button(question, 'Delete').click()
        await expectToast(page, 'Very important deleted')
        // It was chosen: nothing of it is left to be shown.
        await expect(total(page, '3 contacts')).toBeVisible()
        await expect(page).not.toHaveURL(/collection=/)
        await expect.poll(() => stored(user)).toEqual({ 'berlin 10': 0, 'Berlin 9': 1 })
        await button(page, 'Undo').click()
        await panel.expect([...first.slice(0, 2), 'Very important, 2 contacts'])
      },
    )
  },
)

withPanel('selected contacts', { tag: '@long' }, async ({ step, longStep, page, open, panel }) => {
  await keepToasts(page)
  const user = await open(people, async (owner, ids) => {
    await collection('VIP', 2)(owner, ids)
    await collection('Newsletter', 0)(owner, ids)
  })
  await step('Create new collection: one request, the toast with Undo', async () => {
    const requests = countRequests(page, 'create_collection')
    await select(page, 'Ada', 'Cleo')
    await button(bar(page), 'Create new collection').click()
    const form = dialog(page, 'Create new collection')
    await expect(form.getByText('With 2 contacts.')).toBeVisible()
    await nameField(page).fill('New')
    await button(form, 'Create').click()
    await expectToast(page, 'New created with 2 contacts')
    await panel.expect(['New, 2 contacts', 'Newsletter, 0 contacts', 'VIP, 2 contacts'])
    expect(requests()).toBe(1)
    await button(page, 'Undo').click()
    await panel.expect(['Newsletter, 0 contacts', 'VIP, 2 contacts'])
  })
  await step(
    'Add to collection: searched, one request, those in it already stay in it once, Undo',
    async () => {
      const requests = countRequests(page, 'add_to_collection')
      await select(page, 'Bob', 'Cleo')
      await button(page, 'Add to collection').click()
      const search = page.getByPlaceholder('Search collections...')
      await expect(search).toBeFocused()
      await search.fill('vi')
      await expect(page.getByRole('option')).toHaveText([/^VIP/, 'Create “vi”'])
      await option(page, /^VIP/).click()
      await expectToast(page, '1 contact added to VIP')
      await panel.expect(['Newsletter, 0 contacts', 'VIP, 3 contacts'])
      expect(requests()).toBe(1)
      await button(page, 'Add to collection').click()
      await option(page, /^VIP/).click()
      await expectToast(page, 'All of them are already in VIP')
      await button(page, 'Undo').click()
      await panel.expect(['Newsletter, 0 contacts', 'VIP, 2 contacts'])
      await expect.poll(() => stored(user)).toEqual({ Newsletter: 0, VIP: 2 })
      await button(page, 'Clear selection').click()
    },
  )
  await longStep(
    'a name that is not found can be made into a collection, by keyboard too',
    async () => {
      await select(page, 'Cleo')
      await button(page, 'Add to collection').focus()
      await page.keyboard.press('Enter')
      await expect(page.getByPlaceholder('Search collections...')).toBeFocused()
      await page.keyboard.type('Fair')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(nameField(page)).toHaveValue('Fair')
      await expect(nameField(page)).toBeFocused()
      await page.keyboard.press('Enter')
      await expectToast(page, 'Fair created with 1 contact')
      await panel.expect(['Fair, 1 contact', 'Newsletter, 0 contacts', 'VIP, 2 contacts'])
    },
  )
  await step('Remove from collection, and Undo', async () => {
    await panel.choose('VIP')
    // Read again: a box ticked before would be another one a moment later.
    await expect(page).toHaveURL(/[?&]collection=/)
    await expect(total(page, '2 contacts')).toBeVisible()
    await settled(page)
    // The last click was on this spot, when another row lay there: one that comes at once is taken for a slip.
    await page.getByRole('link', { name: 'Ada', exact: true }).hover()
    await select(page, 'Ada')
    await button(page, 'Remove from collection').click()
    await expectToast(page, '1 contact removed from VIP')
    await expect(total(page, '1 contact')).toBeVisible()
    await button(page, 'Undo').click()
    await expect(total(page, '2 contacts')).toBeVisible()
    await panel.choose('All contacts')
    await expect(total(page, '3 contacts')).toBeVisible()
    await settled(page)
  })
  await longStep('every write shows at once', async () => {
    const release = await hold(page, '**/rest/v1/{collections?*,rpc/*_collection}')
    await select(page, 'Cleo')
    await button(page, 'Add to collection').click()
    await option(page, /^VIP/).click()
    await panel.expect(['Fair, 1 contact', 'Newsletter, 0 contacts', 'VIP, 3 contacts'])
    await panel.act('Newsletter', 'Delete')
    await button(page, 'Delete').click()
    await panel.expect(['Fair, 1 contact', 'VIP, 3 contacts'])
    await button(bar(page), 'Create new collection').click()
    await nameField(page).fill('Newer')
    await button(page, 'Create').click()
    await expect(button(page, 'Saving...')).toBeVisible()
    await expect(panel.root.locator('[aria-label="Newer, 1 contact"]')).toBeAttached()
    release()
    await expectToast(page, 'Newer created with 1 contact')
    await panel.expect(['Fair, 1 contact', 'Newer, 1 contact', 'VIP, 3 contacts'])
  })
})

test.describe('failures', () => {
  test.use({ expectedErrors: failedRequests })
  withPanel(
    'collections that cannot be read, and other windows: nothing is lost',
    { tag: '@long' },
    async ({ step, page, open, panel }) => {
      const { how, answer, message } = brokenAnswer
      await open(people)
      // None yet: they are behind a button.
      await expect(button(page, 'Collections')).toBeVisible()
      await expect(panel.root).toBeHidden()
      const user = await open(people, collection('VIP', 0))
      await panel.expect(['VIP, 0 contacts'])
      await step(
        `'Failed to fetch collections: {message}' when it ${how}, and Try again helps`,
        async () => {
          const counts = '**/rest/v1/collection_counts?*'
          await fail(page, counts, 'GET', answer)
          await page.reload()
          await expectToast(page, `Failed to fetch collections: ${message}`)
          await page.unroute(counts)
          await button(panel.root, 'Try again').click()
          await panel.expect(['VIP, 0 contacts'])
        },
      )
      await step(
        'a collection deleted in another window is said in words, and the typed text stays',
        async () => {
          await panel.act('VIP', 'Rename')
          await nameField(page).fill('Typed')
          await user.client.from('collections').delete().eq('name', 'VIP')
          await button(page, 'Rename').click()
          const gone = 'This collection no longer exists.'
          await expectToast(page, `Failed to rename collection: ${gone}`)
          await expect(nameField(page)).toHaveValue('Typed')
        },
      )
    },
  )
})

withPanel(
  'script tags, right-to-left text and 200 letters show as they were typed, and nothing sticks out',
  { tag: ['@phone', '@long'] },
  async ({ page, open, panel }) => {
    await page.setViewportSize({ width: 360, height: 800 })
    const names = ['<img src=x onerror=alert(1)>', 'عملاء مهمون', 'x'.repeat(200)]
    await open(people, async (user, ids) => {
      for (const name of names) await collection(name, 1)(user, ids)
    })
    await panel.open()
    for (const name of names) await expect(panel.root.getByText(name)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await panel.choose('x{200}')
    await expect(total(page, '1 contact')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await select(page, 'Ada')
    await showAllActions(page, true)
    await button(page, 'Add to collection').click()
    await expect(option(page, /^x+/)).toBeVisible()
    await expectNoSidewaysScroll(page)
  },
)

withPanel(
  'collections are accessible with everything open, light and dark',
  { tag: '@long' },
  async ({ page, isMobile, open, panel, scan }) => {
    test.slow() // three scans
    await open(people, collection('VIP', 2))
    await panel.open()
    await panel.root.getByRole('listitem').filter({ hasText: 'VIP' }).hover()
    await button(panel.root, 'Actions for VIP').click()
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
    await test.step('the panel and the menu of a collection', () => scan())
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await nameField(page).fill('')
    await button(page, 'Rename').click()
    await expect(nameField(page)).toHaveAttribute('aria-invalid', 'true')
    await test.step('a form with a message', () => scan(dialog(page, 'Rename collection')))
    await nameField(page).fill('VIP')
    await button(dialog(page, 'Rename collection'), 'Cancel').click()
    await panel.close()
    await select(page, 'Ada')
    await showAllActions(page, isMobile)
    await button(page, 'Add to collection').click()
    await expect(option(page, /^VIP/)).toBeVisible()
    await test.step('the collections to choose from', () => scan())
  },
)
