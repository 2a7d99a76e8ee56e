import type { Page, Route } from '@playwright/test'

export const unreachable = 'The server cannot be reached. Check your connection and try again.'
const broken = { message: 'The disk of the server is full.', code: '53100' }

/** Both ways in which a request fails, and what the user reads then. */
export const failures: {
  how: string
  answer: (route: Route) => Promise<void>
  message: string
}[] = [
  {
    how: 'is answered with 500',
    answer: (route) => route.fulfill({ status: 500, json: broken }),
    message: broken.message,
  },
  { how: 'loses its connection', answer: (route) => route.abort(), message: unreachable },
]

/** Answers the requests of one method to an address in this way. */
export async function fail(
  page: Page,
  url: string,
  method: string,
  answer: (route: Route) => Promise<void>,
): Promise<void> {
  await page.route(url, (route) =>
    route.request().method() === method ? answer(route) : route.fallback(),
  )
}

/** Answers nothing to requests of this address until told to. */
export async function hold(page: Page, url: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    await held
    await route.fallback()
  })
  return release
}
