import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { createClient, type Session, type SupabaseClient } from '@supabase/supabase-js'
import axe from 'axe-core'
import { WebSocket } from 'ws'
import type { Database } from '#lib/database.types.ts'
import type { PageSettings } from '#lib/page-settings.ts'
import { isLong } from './is-long.ts'
import { followRequests, idle, waitForRoutes } from './requests.ts'
import { test as base } from './shared-context.ts'

export type User = {
  email: string
  password: string
  session: Session
  /** Speaks to the backend as this user, for what a test needs before its journey begins. */
  client: SupabaseClient<Database>
}

declare global {
  interface Window {
    axe: typeof axe
  }
}

type Fixtures = {
  /** Texts of console errors that this one test expects. */
  expectedErrors: RegExp[]
  /**
   * Whether the page receives live news of its account (e2e/live.spec.ts). All other tests switch them off: they write
   * through the client while a page is open, and decide themselves when it reads again.
   */
  isLive: boolean
  /** Whether the page keeps what it shows on the device, and begins with it (e2e/offline.spec.ts). */
  keepsData: boolean
  /** Makes a user of this test's own. */
  signUp: () => Promise<User>
  /** Opens every page from now on as this user. */
  signIn: (user: Pick<User, 'session'>) => Promise<void>
  /** Opens a page of the workspace as a user of this test's own, and waits for its heading. */
  enter: (path?: string) => Promise<User>
  /**
   * Expects no accessibility violation on the page, or on a part of it, such as a menu, whose screen was scanned before.
   * Parts and contrasts are checked in the long run only; the short run has `src/ui/tokens.test.ts` for the colours.
   * Contrasts of a page are checked in light and dark, those of a part in light, and only when asked for.
   */
  scan: (part?: Locator, options?: { contrast?: boolean }) => Promise<void>
  /**
   * A step of a journey: one page, one user, several facts. At its end routes are off and toasts are closed,
   * so that the next one meets nothing but what is stored and where the page stands.
   */
  step: Step
  /** A step that a lower test stands for in the short run; nothing after it needs what it does. */
  longStep: Step
}

type Step = (title: string, body: () => Promise<void>) => Promise<void>

/** What the browser and the client library themselves log about a request that failed. */
export const failedRequests = [
  /Failed to load resource|TypeError: Failed to fetch|An unknown error occurred when fetching the script/,
]

/** The name under which supabase-js keeps the session of an address of this machine. */
export const sessionKey = 'sb-127-auth-token'

/** The public key of each server, which it tells in its pages. */
const keys = new Map<string | undefined, string>()

/** Our `test`: also fails on a request to another host, a console error or a page error. */
export const test = base.extend<Fixtures>({
  expectedErrors: [[], { option: true }],
  isLive: [false, { option: true }],
  keepsData: [false, { option: true }],

  page: async ({ page, baseURL, expectedErrors, isLive, keepsData }, use) => {
    if (!isLive) await page.addInitScript(neverConnect)
    if (!keepsData) await page.addInitScript(() => localStorage.setItem('solo-keep-data', 'no'))
    await farFrom('day')
    followRequests(page)
    waitForRoutes(page)
    const problems: string[] = []
    const own = new URL(baseURL ?? '').host
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url())
      // What the page holds itself, and what is handed to another program.
      const isLocal = ['data:', 'blob:', 'mailto:', 'tel:'].includes(protocol)
      if (!isLocal && host !== own) {
        problems.push(`request to another host: ${request.url()}`)
      }
    })
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
    await use(page)
    const unexpected = problems.filter((text) => !expectedErrors.some((each) => each.test(text)))
    expect(unexpected, 'the page must stay quiet and at home').toEqual([])
  },

  signUp: async ({ baseURL, request }, use) => {
    await use(async () => {
      const key =
        keys.get(baseURL) ?? settingsIn(await (await request.get('/auth')).text()).supabaseKey
      keys.set(baseURL, key)
      const client = createClient<Database>(baseURL ?? '', key, {
        auth: { persistSession: false, autoRefreshToken: false },
        // Node 20 has no WebSocket of its own.
        realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
      })
      const email = `${randomUUID()}@example.com`
      const password = randomUUID()
      const { data, error } = await client.auth.signUp({ email, password })
      if (error) throw error
      if (!data.session) throw new Error('The sign-up gave no session: is CONFIRM_EMAIL set?')
      return { email, password, session: data.session, client }
    })
  },

  signIn: async ({ page }, use) => {
    await use(async ({ session }) => {
      await page.addInitScript(
        ([key, value]) => {
          // Only once: a sign-out in the journey must last.
          if (sessionStorage.getItem('signed-in-by-test')) return
          sessionStorage.setItem('signed-in-by-test', 'yes')
          localStorage.setItem(key, value)
        },
        [sessionKey, JSON.stringify(session)] as const,
      )
    })
  },

  enter: async ({ page, signUp, signIn }, use) => {
    await use(async (path = '/app/dashboard') => {
      const user = await signUp()
      await signIn(user)
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      return user
    })
  },

  scan: async ({ page, isMobile }, use) => {
    let isDark = false
    await use(async (part, { contrast = !part } = {}) => {
      if (part && !isLong) {
        // A dialog or menu takes the focus a moment after it opens, and the next key of the test may need it there.
        await settle(page)
        return idle(page)
      }
      if (isDark) await page.emulateMedia({ colorScheme: 'light' })
      isDark = false
      await settle(page)
      // To reckon contrasts takes four fifths of the time. The colours of the phone are those of the desktop.
      const withContrast = isLong && contrast && !isMobile
      const rules = { 'color-contrast': { enabled: withContrast } }
      expect(await violations(page, part, { rules }), 'accessibility').toEqual([])
      if (part || !withContrast) return
      isDark = true
      await page.emulateMedia({ colorScheme: 'dark' })
      await settle(page)
      const found = await violations(page, part, { runOnly: ['color-contrast'] })
      expect(found, 'contrast in the dark').toEqual([])
    })
  },

  step: async ({ page }, use) => {
    await use((title, body) =>
      test.step(title, async () => {
        await body()
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await closeToasts(page)
      }),
    )
  },

  longStep: async ({ step }, use) => {
    await use((title, body) => (isLong ? step(title, body) : Promise.resolve()))
  },
})

async function closeToasts(page: Page): Promise<void> {
  const close = () =>
    page.evaluate(() => {
      const crosses = document.querySelectorAll<HTMLElement>('[aria-label="Close notification"]')
      for (const each of crosses) each.click()
      return crosses.length
    })
  // Most steps leave none; a page that is just being left cannot be asked.
  if ((await close().catch(() => null)) === 0) return
  // Behind those that are shown others may wait, and take their places.
  await expect(async () => expect(await close()).toBe(0)).toPass({ intervals: [50] })
}

/** Runs in the page: its sockets stay on their way for ever. */
function neverConnect(): void {
  window.WebSocket = new Proxy(window.WebSocket, {
    construct: () => ({ readyState: 0, bufferedAmount: 0, close() {}, send() {} }),
  })
}

const spans = { hour: 3_600_000, day: 86_400_000 }

/** A test that would run across the end of an hour or a day waits for it first: what is today changes then. */
export async function farFrom(end: keyof typeof spans): Promise<void> {
  const left = spans[end] - (Date.now() % spans[end])
  if (left > 90_000) return
  test.setTimeout(test.info().timeout + left)
  await new Promise((resolve) => setTimeout(resolve, left))
}

/** Waits for CSS transitions: a colour half-way between two states would fail the contrast check. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
    const running = document.getAnimations().filter((each) => each instanceof CSSTransition)
    await Promise.allSettled(running.map(({ finished }) => finished))
  })
}

/** What axe finds in the page as it stands. The page has no frames, so it looks from within. */
async function violations(page: Page, part: Locator | undefined, options: axe.RunOptions) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return (part ?? page.locator('html')).evaluate(
    async (root, chosen) => {
      const isWhole = root === document.documentElement
      const { violations: found } = await window.axe.run(isWhole ? document : root, chosen)
      return found.map(({ id, help, nodes }) => ({
        id,
        help,
        at: nodes.map((node) => node.target.join(' ')),
      }))
    },
    { ...options, resultTypes: ['violations'] } satisfies axe.RunOptions,
  )
}

/** The settings block of app.html, as the server sent it. */
export function settingsIn(html: string): PageSettings {
  const [, json] =
    /<script type="application\/json" id="settings">([^<]*)<\/script>/.exec(html) ?? []
  return JSON.parse(json ?? '')
}

/** Nothing may stick out at the side, once the page has taken its new width. */
export async function expectNoSidewaysScroll(page: Page) {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow).toBe(0)
}

/** On the phone: the first record is there without scrolling, and search, filter and the rest stand in one row. */
export async function expectFirstOnScreen(page: Page, first: Locator) {
  await expect(first).toBeInViewport({ ratio: 1 })
  // Nothing lies over it, such as the navigation at the foot.
  await first.click({ trial: true })
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  const more = page.getByRole('button', { name: 'More options', exact: true })
  const search = page.getByRole('main').getByPlaceholder(/^Search /)
  const tops = [await more.boundingBox(), await search.boundingBox()].map((box) =>
    box ? box.y + box.height / 2 : Number.NaN,
  )
  expect(Math.abs((tops[0] ?? 0) - (tops[1] ?? 0))).toBeLessThan(8)
}

export { expect }
