import type { Page } from '@playwright/test'

/** From the next page on, a toast with something to do about it waits for the test, however busy the machine. */
export async function keepToasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const later = window.setTimeout
    window.setTimeout = ((run: () => void, delay?: number) =>
      later(run, delay === 10_000 ? 600_000 : delay)) as typeof window.setTimeout
  })
}
