import { expect, type Locator, type Page } from '@playwright/test'

/** A field of the forms on /auth, by its whole label. The form of the tab just left may still be there. */
export function field(page: Page, label: string): Locator {
  return page.getByRole('main').getByLabel(label, { exact: true }).filter({ visible: true })
}

export async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await field(page, label).fill(value)
}

export function submit(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

/** The message stands at its field, for the eye and for a screen reader. */
export async function expectFieldError(page: Page, label: string, message: string): Promise<void> {
  await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, label)).toHaveAccessibleDescription(message)
  await expect(page.getByText(message, { exact: true })).toBeVisible()
}

/** The message of the whole form, and the reason below it where there is one. */
export async function expectFailure(page: Page, message: string, reason = ''): Promise<void> {
  await expect(page.getByRole('alert')).toHaveText(message + reason)
}

export async function expectToast(page: Page, title: string, message: string): Promise<void> {
  const toast = page.getByRole('alert').filter({ hasText: message })
  await expect(toast).toBeVisible()
  await expect(toast.getByText(title, { exact: true })).toBeVisible()
  await expect(toast.getByText(message, { exact: true })).toBeVisible()
}
