import type { Page } from '@playwright/test'
import { expect, failedRequests, type User } from './fixtures.ts'
import { test } from './journey.ts'
import { fail, unreachable } from './requests.ts'
import { addRow } from './rows.ts'

const path = '/app/settings/history'
const entries = (page: Page) => page.getByRole('listitem')
const entry = (page: Page, words: string) => entries(page).filter({ hasText: words })
const undo = (page: Page, words: string) =>
  page.getByRole('button', { name: `Undo: ${words}`, exact: true })

/** A company that was added and renamed, and two contacts deleted at once. */
async function work(user: User): Promise<{ company: string; contacts: string[] }> {
  const company = await addRow(user, 'companies', { name: 'Acme' })
  await user.client.from('companies').update({ name: 'Acme Inc' }).eq('id', company)
  const contacts = [
    await addRow(user, 'contacts', { first_name: 'Ada' }),
    await addRow(user, 'contacts', { first_name: 'Bob' }),
  ]
  const { error } = await user.client.rpc('delete_contacts', { filter: { ids: contacts } })
  expect(error).toBeNull()
  return { company, contacts }
}

async function names(user: User): Promise<string[]> {
  const { data } = await user.client.from('contacts').select('first_name').order('first_name')
  return (data ?? []).map(({ first_name }) => first_name ?? '')
}

test.describe('the log', () => {
  test.use({ expectedErrors: failedRequests })
  test('the history', async ({ step, longStep, page, signUp, begin, scan }) => {
    await step(
      'what was done is told in words, leads to its record and is undone, and that again',
      async () => {
        const user = await signUp()
        const { company } = await work(user)
        await begin(user, '/app/settings')
        await page.getByRole('link', { name: 'Show history', exact: true }).click()
        await expect(page).toHaveTitle('History · Solo CRM')
        await expect(entries(page)).toHaveCount(5)
        await expect(entry(page, 'Deleted 2 contacts')).toContainText(/Ada and Bob|Bob and Ada/)
        await expect(entry(page, 'Changed company')).toContainText(
          'Name changed from Acme to Acme Inc',
        )
        await scan()

        // The newest stands first.
        await page.keyboard.press('j')
        await expect(undo(page, 'Deleted 2 contacts')).toBeFocused()
        await test.step('an undo that fails is told, and can be tried again', async () => {
          await fail(page, '**/rpc/undo_batch', 'POST', (route) => route.abort())
          await page.keyboard.press('Enter')
          await expect(
            page.getByRole('alert').filter({ hasText: `Failed to undo: ${unreachable}` }),
          ).toBeVisible()
          await page.unroute('**/rpc/undo_batch')
        })
        // By key again: a click would be aimed at the place where the next entry comes.
        await expect(undo(page, 'Deleted 2 contacts')).toBeEnabled()
        await undo(page, 'Deleted 2 contacts').press('Enter')
        await expect(entry(page, 'Undid: Deleted 2 contacts')).toBeVisible()
        await expect(entries(page).filter({ hasText: 'Undone' })).toHaveCount(1)
        await expect.poll(() => names(user)).toEqual(['Ada', 'Bob'])
        await undo(page, 'Undid: Deleted 2 contacts').click()
        // Its own entry pushes the others down: whoever clicks before that hits another one.
        await expect(entries(page)).toHaveCount(7)
        await expect(entries(page).filter({ hasText: 'Undone' })).toHaveCount(1)
        await expect.poll(() => names(user)).toEqual([])

        await entry(page, 'Changed company').getByRole('link', { name: 'Acme Inc' }).click()
        await expect(page).toHaveURL(`/app/companies/${company}`)
      },
    )
    await longStep(
      'it is filtered by action and period; what changed since is asked about',
      async () => {
        const user = await signUp()
        await work(user)
        const rows = [{ first_name: 'Cleo' }, { first_name: 'Dora' }]
        const { data } = await user.client.from('contacts').insert(rows).select('id, first_name')
        const dora = data?.find(({ first_name }) => first_name === 'Dora')?.id ?? ''
        await user.client.from('contacts').update({ last_name: 'Since' }).eq('id', dora)
        await begin(user, path)
        await expect(entries(page)).toHaveCount(7)
        await page.getByRole('combobox', { name: 'Action' }).click()
        await page.getByRole('option', { name: 'Added', exact: true }).click()
        await expect(entries(page)).toHaveCount(4)
        await expect(page).toHaveURL(`${path}?action=added`)
        await page.getByLabel('To', { exact: true }).fill('2020-01-01')
        await expect(page.getByText('No changes match these filters.')).toBeVisible()
        await page.getByRole('button', { name: 'Clear search and filters' }).click()
        await expect(entries(page)).toHaveCount(7)

        await undo(page, 'Added 2 contacts').click()
        const question = page.getByRole('dialog')
        await expect(question).toContainText('Dora (changed since)')
        await question.getByRole('button', { name: 'Undo the rest', exact: true }).click()
        await expect(entry(page, 'Undone in part')).toBeVisible()
        await expect.poll(() => names(user)).toEqual(['Dora'])
      },
    )
  })
})
