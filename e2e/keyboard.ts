import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** More stops than any screen of a test has. */
const mostStops = 80

/** Presses Tab until a control has the focus, as somebody without a mouse would. */
export async function tabTo(page: Page, control: Locator, key = 'Tab'): Promise<void> {
  await expect(control).toBeAttached()
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(control, `reached by ${key}`).toBeFocused()
}

export async function tabAndPress(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press(key)
}

/** Types into the field that has the focus. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await expect(field).toBeFocused()
  await page.keyboard.type(text)
}
