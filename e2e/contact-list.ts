import type { Locator, Page } from '@playwright/test'
import { expect, type User } from './fixtures.ts'
import { test as base } from './journey.ts'

export type NewContact = {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
}

export const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

export async function expectToast(page: Page, message: string): Promise<void> {
  await expect(page.getByRole('alert').getByText(message, { exact: true })).toBeVisible()
}

async function addContacts(user: User, contacts: NewContact[]): Promise<string[]> {
  const { data, error } = await user.client.from('contacts').insert(contacts).select('id')
  expect(error).toBeNull()
  return data?.map(({ id }) => id) ?? []
}

/** Ticks contacts of the list by their names. */
export async function select(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await page.getByLabel(`Select ${name}`, { exact: true }).check()
}

/** On a phone the bar of a selection is one row, and most of its actions are behind a button. */
export async function showAllActions(page: Page, isMobile: boolean): Promise<void> {
  if (isMobile) await button(page, 'More actions').click()
}

/** Opens the contacts, sorted by name, with some there already. */
export const test = base.extend<{
  open: (
    contacts: NewContact[],
    prepare?: (user: User, ids: string[]) => Promise<void>,
  ) => Promise<User>
}>({
  open: async ({ page, signUp, begin }, use) => {
    await use(async (contacts, prepare) => {
      const user = await signUp()
      const ids = await addContacts(user, contacts)
      await prepare?.(user, ids)
      await begin(user, '/app/contacts?sort=name')
      // Thousands of them, on a busy machine, take their time.
      await expect(page.getByText(/^[\d,]+ contacts?$/)).toBeVisible({ timeout: 20_000 })
      return user
    })
  },
})
