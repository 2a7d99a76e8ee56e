import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

export const button = (scope: Page | Locator, name: string | RegExp) =>
  scope.getByRole('button', { name, exact: true })

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** A field of the details that is being edited. */
export const input = (page: Page, label: string) =>
  region(page, 'Details').getByRole('textbox', { name: label, exact: true })

/** What begins the editing of a field: its value, or the pencil beside it. */
export const editButton = (page: Page, label: string) =>
  region(page, 'Details').getByRole('button', { name: new RegExp(`^Edit ${label}(:|$)`) })

/** On a phone the fields that hold nothing are behind a button. */
export async function showEmptyFields(page: Page, isMobile: boolean): Promise<void> {
  if (isMobile) await button(page, 'Show empty fields').click()
}

/** What a field of the details shows; empty when there is nothing. */
export async function expectValue(page: Page, label: string, value: string): Promise<void> {
  const row = region(page, 'Details')
    .locator('div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .last()
    .locator('..')
  await expect(row).toContainText(value || 'Empty')
}

export async function edit(page: Page, label: string, text: string, end = 'Enter'): Promise<void> {
  const field = input(page, label)
  // The field that was edited before closes when it is saved, and this one moves, maybe from under the pointer.
  await expect(async () => {
    if (!(await field.isVisible())) await editButton(page, label).click({ timeout: 1000 })
    await expect(field).toBeVisible({ timeout: 1000 })
  }).toPass()
  await field.fill(text)
  await field.press(end)
}

/** Typed into the details, each of these values stays there with its message, and is not stored. */
export async function expectRefused(
  page: Page,
  values: readonly (readonly [label: string, value: string, message: string])[],
): Promise<void> {
  for (const [label, value, message] of values) {
    await edit(page, label, value)
    await expect(input(page, label)).toHaveAccessibleDescription(message)
    // Looking away neither saves nor loses it.
    await page.getByRole('heading', { level: 1 }).click()
    await expect(input(page, label)).toHaveValue(value)
    await input(page, label).press('Escape')
    await expect(input(page, label)).toHaveCount(0)
  }
}

export const composer = (page: Page) => page.getByRole('form', { name: 'New entry' })

/** The entries of the timeline, newest first. */
export const entries = (page: Page) => region(page, 'Timeline').locator('ol > li')

export const entry = (page: Page, text: string | RegExp) => entries(page).filter({ hasText: text })

/** A change of a field is told; several in a row are folded into one line. */
export async function expectChange(page: Page, text: string): Promise<void> {
  const folded = region(page, 'Timeline').getByRole('button', {
    name: / changes$/,
    expanded: false,
  })
  const told = entry(page, text)
  await expect(async () => {
    if ((await told.count()) === 0) await folded.first().click({ timeout: 1000 })
    await expect(told).toBeVisible({ timeout: 1000 })
  }).toPass()
}

export async function write(page: Page, text: string): Promise<void> {
  await composer(page).getByRole('textbox', { name: 'Write a note' }).fill(text)
  await button(composer(page), 'Add note').click()
}
