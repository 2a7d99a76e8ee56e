import type { Page } from '@playwright/test'
import { expect, sessionKey, test as signedIn, type User } from './fixtures.ts'
import { idle } from './requests.ts'

/**
 * For journeys: the first step loads the page, and in each later one another account takes over in it. That
 * isolates the steps as well as tests of their own, for a tenth of the time.
 */
export const test = signedIn.extend<{
  /** Opens an address of the workspace as this user. */
  begin: (user: Pick<User, 'session'>, path: string) => Promise<void>
}>({
  begin: async ({ page, signIn }, use) => {
    await use(async (user, path) => {
      if (page.url() !== 'about:blank') return takeOver(page, user, path)
      await signIn(user)
      await page.goto(path)
    })
  },

  enter: async ({ page, signUp, begin }, use) => {
    await use(async (path = '/app/dashboard') => {
      const user = await signUp()
      await begin(user, path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      return user
    })
  },
})

/**
 * Another account takes over the open page, as by a sign-in in another tab, and the app goes to `path`. The app first
 * clears the screen of the former account. The navigation happens at that moment: later, the app would load the former
 * screen for the new account, for nothing.
 */
async function takeOver(
  page: Page,
  { session }: Pick<User, 'session'>,
  path: string,
): Promise<void> {
  const isInApp = new URL(page.url()).pathname.startsWith('/app')
  const email = session.user.email ?? ''
  await page.evaluate(
    async ([key, value, title, isShown]) => {
      localStorage.setItem(key, value)
      const others = new BroadcastChannel(key)
      others.postMessage({ event: 'SIGNED_IN', session: JSON.parse(value) })
      others.close()
      if (!isShown) return
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(look)
        function look(): void {
          const titles = [...document.querySelectorAll('[title]')].map((each) =>
            each.getAttribute('title'),
          )
          if (document.querySelector('header') && !titles.includes(title)) return
          observer.disconnect()
          resolve()
        }
        observer.observe(document, { childList: true, subtree: true, attributeFilter: ['title'] })
        look()
      })
    },
    [sessionKey, JSON.stringify(session), email, isInApp] as const,
  )
  if (!isInApp) {
    await page.goto(path)
    return
  }
  await follow(page, path)
  // The foot of the sidebar says who is signed in, which the phone keeps in a drawer.
  await expect(page.getByTitle(email).first()).toBeAttached()
  await arrive(page, path)
}

/** Goes to an address of the workspace as a link of the app does, and waits for it: the page stays. */
export async function visit(page: Page, path: string): Promise<void> {
  await follow(page, path)
  await arrive(page, path)
}

async function arrive(page: Page, path: string): Promise<void> {
  const [, section] = /^(\/app\/\w+)/.exec(path) ?? []
  // It is there once the sidebar says so, and has the keyboard a moment later.
  const entry = `nav a[aria-current=page]:is([href="${section}"], [href^="${section}?"])`
  await expect(page.locator(entry).first()).toBeAttached()
  await idle(page)
}

/** Goes to an address as a link of the app does, wherever that leads. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    const state = { usr: null, key: address, idx: (history.state?.idx ?? 0) + 1 }
    history.pushState(state, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state }))
  }, path)
}
