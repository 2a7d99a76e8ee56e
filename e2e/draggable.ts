import { expect, type Page } from '@playwright/test'

/** Waits for the code that drags, which comes after what it drags. */
export async function expectDraggable(page: Page): Promise<void> {
  await expect(page.locator('[data-dnd-overlay]')).toBeAttached()
}
