import type { Locator, Page } from '@playwright/test'
import { pressEverything } from './crawl.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { brokenAnswer, fail, settled } from './requests.ts'
import { addRow } from './rows.ts'

const path = '/app/settings/trash'
const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })
const lines = (page: Page) => page.getByRole('listitem')
const line = (page: Page, name: string) => lines(page).filter({ hasText: name })
const toast = (page: Page, message: string) => page.getByRole('alert').filter({ hasText: message })
const ask = (page: Page) => page.getByRole('dialog')

async function add(user: User, ...names: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const first_name of names) ids.push(await addRow(user, 'contacts', { first_name }))
  return ids
}

async function remove(user: User, ids: string[]): Promise<void> {
  const { error } = await user.client.from('contacts').delete().in('id', ids)
  expect(error).toBeNull()
}

/** Opens the trash with these contacts in it, deleted one by one, and these deleted together. */
async function open(
  {
    page,
    signUp,
    begin,
  }: {
    page: Page
    signUp: () => Promise<User>
    begin: (user: User, path: string) => Promise<void>
  },
  { single = [], together = [] }: { single?: string[]; together?: string[] },
): Promise<User> {
  const user = await signUp()
  for (const name of single) await remove(user, await add(user, name))
  if (together.length > 0) await remove(user, await add(user, ...together))
  await begin(user, path)
  for (const name of [...single, ...together]) await expect(line(page, name)).toBeVisible()
  return user
}

async function expectToast(page: Page, message: string): Promise<void> {
  await expect(toast(page, message)).toBeVisible()
}

async function contacts(user: User): Promise<string[]> {
  const { data } = await user.client.from('contacts').select('first_name').order('first_name')
  return (data ?? []).map(({ first_name }) => first_name ?? '')
}

// Some of what is asked for here is answered with an error.
test.use({ expectedErrors: failedRequests })

test('the trash', async ({ step, longStep, page, signUp, scan, begin }) => {
  await step(
    'what was deleted is restored one by one or by deletion, and that can be undone',
    async () => {
      const user = await open(
        { page, signUp, begin },
        { single: ['Ada'], together: ['Bob', 'Cleo', 'Dora'] },
      )
      await expect(page).toHaveTitle('Trash · Solo CRM')
      await expect(page.getByText('3 contacts deleted together', { exact: true })).toBeVisible()
      await expect(page.getByText('4 records', { exact: true })).toBeVisible()
      await test.step('the trash is accessible', () => scan())

      await button(page, 'Restore Cleo').click()
      await expectToast(page, 'Cleo restored')
      await expect(page.getByText('2 contacts deleted together', { exact: true })).toBeVisible()
      await expect.poll(() => contacts(user)).toEqual(['Cleo'])

      await button(page, 'Restore all 2').click()
      await expectToast(page, '2 records restored')
      await expect(lines(page)).toHaveCount(1)
      await expect.poll(() => contacts(user)).toEqual(['Bob', 'Cleo', 'Dora'])

      await button(toast(page, '2 records restored'), 'Undo').click()
      await expect(line(page, 'Dora')).toBeVisible()
      await expect(line(page, 'Bob')).toBeVisible()
      await expect.poll(() => contacts(user)).toEqual(['Cleo'])
    },
  )
  await longStep('it is searched by name and filtered by kind, in the address', async () => {
    const user = await signUp()
    await remove(user, await add(user, 'Ada', 'Bob'))
    const deal = await addRow(user, 'deals', { name: 'Adapter', value: 1200 })
    await user.client.from('deals').delete().eq('id', deal)
    await begin(user, path)
    await expect(lines(page)).toHaveCount(3)
    await page.getByPlaceholder('Search trash...').fill('ada')
    await expect(lines(page)).toHaveCount(2)
    await button(page, 'Filter').click()
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Deals' }).click()
    await expect(lines(page)).toHaveCount(1)
    await expect(line(page, 'Adapter')).toContainText('Deal · $1,200')
    await expect(page).toHaveURL(`${path}?q=ada&kind=deals`)
    // The list of kinds closes, then the filter.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('combobox', { name: 'Kind' })).toBeHidden()
    await visit(page, `${path}?q=zz`)
    await button(page, 'Clear search and filters').click()
    await expect(lines(page)).toHaveCount(3)
  })
  await step(
    'one is removed for good after a question, by key too, and then the whole trash',
    async () => {
      const user = await open({ page, signUp, begin }, { single: ['Ada', 'Bob', 'Cleo'] })
      await settled(page)
      await page.keyboard.press('j')
      await expect(button(page, 'Restore Cleo')).toBeFocused()
      await page.keyboard.press('j')
      await expect(button(page, 'Restore Bob')).toBeFocused()
      await page.keyboard.press('Delete')
      await expect(ask(page)).toContainText('Remove Bob for good?')
      await test.step('the question is accessible', () => scan(ask(page)))
      await button(ask(page), 'Cancel').click()
      await expect(line(page, 'Bob')).toBeVisible()
      await button(page, 'Remove Bob for good').click()
      await button(ask(page), 'Remove for good').click()
      await expectToast(page, 'Bob removed for good')
      await expect(lines(page)).toHaveCount(2)

      await button(page, 'Empty trash').click()
      await expect(ask(page)).toContainText('This removes 2 records for good.')
      await button(ask(page), 'Empty trash').click()
      await expectToast(page, '2 records removed for good')
      await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible()
      const { data } = await user.client.from('changes').select('label').not('label', 'is', null)
      expect(data).toEqual([])
    },
  )
  await longStep(
    'what cannot come back is said in words, and so is what another window was faster with',
    async () => {
      const user = await signUp()
      const [ada = '', bob = ''] = await add(user, 'Ada', 'Bob')
      const note = { body: 'Likes tea', contact_id: ada }
      const { data } = await user.client.from('notes').insert(note).select('id').single()
      await user.client
        .from('notes')
        .delete()
        .eq('id', data?.id ?? '')
      await remove(user, [ada])
      await remove(user, [bob])
      await begin(user, path)
      await expect(line(page, 'Likes tea')).toContainText('Note on Ada')
      await button(page, 'Restore Likes tea').click()
      await expectToast(page, 'Not restored: Likes tea (belongs to a deleted record).')
      await expect(line(page, 'Likes tea')).toBeVisible()

      await settled(page)
      const { data: batches } = await user.client
        .from('changes')
        .select('batch')
        .eq('row_id', bob)
        .eq('verb', 'delete')
      await user.client.rpc('undo_batch', { batch: batches?.[0]?.batch ?? '' })
      await button(page, 'Restore Bob').click()
      await expectToast(page, 'Failed to restore: This is no longer in the trash.')
      await expect(line(page, 'Bob')).toHaveCount(0)
    },
  )
  await longStep('a request that fails is told, and everything stays', async () => {
    await fail(page, '**/rpc/trash_page', 'POST', brokenAnswer.answer)
    const user = await signUp()
    await remove(user, await add(user, 'Ada', 'Bob'))
    await begin(user, path)
    await expect(page.getByText('The trash could not be loaded')).toBeVisible()
    await page.unroute('**/rpc/trash_page')
    await button(page, 'Try again').click()
    await expect(lines(page)).toHaveCount(2)
    const { answer, message } = brokenAnswer
    await fail(page, '**/rpc/restore_deleted', 'POST', answer)
    await button(page, 'Restore all 2').click()
    await expectToast(page, `Failed to restore: ${message}`)
    await expect(lines(page)).toHaveCount(2)
    await expect.poll(() => contacts(user)).toEqual([])
  })
})

test('every control of the trash and the history does something', async ({
  page,
  signUp,
  begin,
}) => {
  await open({ page, signUp, begin }, { single: ['Ada'], together: ['Bob', 'Cleo'] })
  // Asked, but not done: what one control takes away, the next could not be pressed on.
  const nothing = { batch: null, restored: 0, undone: 0, conflicts: [] }
  for (const name of ['restore_deleted', 'undo_batch']) {
    await page.route(`**/rpc/${name}`, (route) => route.fulfill({ json: nothing }))
  }
  const inTrash = await pressEverything(page, {
    address: `${path}?q=nope&kind=contacts`,
    ready: () => expect(page.getByText('Nothing found')).toBeVisible(),
  })
  expect(inTrash).toContain('Clear search and filters')
  const listed = await pressEverything(page, {
    address: path,
    ready: () => expect(lines(page)).toHaveCount(3),
  })
  expect(listed).toContain('Restore all 2')
  const done = await pressEverything(page, {
    address: '/app/settings/history?action=deleted',
    ready: () => expect(page.getByText('Deleted 2 contacts')).toBeVisible(),
  })
  expect(done).toContain('Undo: Deleted 2 contacts')
})

test('the trash and the history on the phone', { tag: ['@phone', '@long'] }, async ({
  page,
  step,
  signUp,
  begin,
  scan,
}) => {
  const long = `Maximiliane-Charlotte von und zu Hohenstein-Oberthal ${'x'.repeat(60)}`
  const user = await open({ page, signUp, begin }, { together: [long, 'Bob'] })
  await step('nothing sticks out, and it is restored', async () => {
    await expectNoSidewaysScroll(page)
    await scan()
    await button(page, `Restore ${long}`).click()
    await expectToast(page, `${long} restored`)
    await expect.poll(() => contacts(user)).toEqual([long])
  })
  await step('the history on the phone: nothing sticks out', async () => {
    await visit(page, '/app/settings/history')
    // Each added, both deleted, one restored.
    await expect(lines(page)).toHaveCount(4)
    await expectNoSidewaysScroll(page)
    await scan(page.getByRole('main'))
  })
})
