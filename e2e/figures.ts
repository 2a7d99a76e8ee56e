import type { Locator, Page } from '@playwright/test'
import { expect, type User } from './fixtures.ts'
import { test as base } from './journey.ts'

export const main = (page: Page) => page.getByRole('main')
export const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })
/** A part of the screen, by its title. */
export const region = (page: Page, name: string) =>
  main(page).getByRole('region', { name, exact: true })
/** A card with a figure. */
export const card = (page: Page, name: string) =>
  main(page).getByRole('group', { name, exact: true })

type Open = (make?: (user: User) => Promise<unknown>, address?: string) => Promise<User>

/** Opens a screen of figures with what a test has made before. */
export function onScreen(path: string, firstCard: string) {
  return base.extend<{ open: Open }>({
    open: async ({ page, signUp, begin }, use) => {
      await use(async (make, address = path) => {
        const user = await signUp()
        await make?.(user)
        await begin(user, address)
        await expect(card(page, firstCard)).toContainText(/\d/)
        return user
      })
    },
  })
}
