import { type Browser, type BrowserContext, test as base } from '@playwright/test'
import { countOpenRequests } from './requests.ts'

/**
 * The tests of a worker use one browser context after the other: the browser keeps the process, the files and the
 * compiled code of the app, which are a third of what a page costs. Each test has a page of its own, and with it
 * routes, listeners, init scripts, sizes and colours of its own; what belongs to the context is emptied between two
 * tests. What cannot be emptied spends the context, and the next test gets a new one: a clock, a script for every
 * page, a lost connection, a test that failed.
 */
type Shared = {
  context: BrowserContext
  /** What it was made with. */
  options: string
  /** Where its pages have been: what they stored there is deleted. */
  origins: Set<string>
  isSpent: boolean
}

/** Calls that leave behind what cannot be taken back. */
const spending = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'routeWebSocket',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setHTTPCredentials',
  'setOffline',
] as const
const clockCalls = [
  'install',
  'fastForward',
  'pauseAt',
  'runFor',
  'setFixedTime',
  'setSystemTime',
] as const

const stored = 'cookies,local_storage,indexeddb,cache_storage,service_workers,file_systems'

type Options = {
  /** Whether pages fetch ahead what will be opened: work for nothing on one that is left at once. */
  fetchesAhead: boolean
}

/** The context of the worker's tests, if there is one that was not spent. */
type Holder = { browser: Browser; shared: Shared | null }

export const test = base.extend<Options, { holder: Holder }>({
  fetchesAhead: [false, { option: true }],

  holder: [
    async ({ browser }, use) => {
      const holder: Holder = { browser, shared: null }
      await use(holder)
      await holder.shared?.context.close()
    },
    { scope: 'worker' },
  ],

  context: async (
    {
      holder,
      baseURL,
      colorScheme,
      contextOptions,
      fetchesAhead,
      hasTouch,
      isMobile,
      locale,
      serviceWorkers,
      timezoneId,
      viewport,
    },
    use,
    info,
  ) => {
    const options = JSON.stringify({
      baseURL,
      colorScheme,
      contextOptions,
      fetchesAhead,
      hasTouch,
      isMobile,
      locale,
      serviceWorkers,
      timezoneId,
      viewport,
    })
    if (holder.shared?.options !== options) {
      await holder.shared?.context.close()
      // Playwright applies the options of the test to a new context by itself.
      const context = await holder.browser.newContext()
      await context.addInitScript(countOpenRequests)
      if (!fetchesAhead) await context.addInitScript(saveData)
      holder.shared = await share(context, options, baseURL ?? '')
    }
    const { shared } = holder
    await use(shared.context)
    if (shared.isSpent || info.status !== info.expectedStatus) {
      holder.shared = null
      await shared.context.close()
    } else await empty(shared)
  },
})

/** In the page: as the browser of a user who pays for every byte. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
}

async function share(context: BrowserContext, options: string, baseURL: string): Promise<Shared> {
  const shared: Shared = { context, options, origins: new Set(), isSpent: false }
  function spend(): void {
    shared.isSpent = true
  }
  // As long as a page of the address is open, the browser keeps its process.
  const keeper = await context.newPage()
  await keeper.goto(`${baseURL}/health`)
  keeper.on('close', spend)
  context.on('page', (page) => {
    page.on('framenavigated', (frame) => shared.origins.add(new URL(frame.url()).origin))
  })
  tellCalls(context, spending, spend)
  tellCalls(context.clock, clockCalls, spend)
  return shared
}

/** Tells when one of these methods is called, and does what it does. */
function tellCalls<Target extends object>(
  target: Target,
  names: readonly (keyof Target)[],
  tell: () => void,
): void {
  for (const name of names) {
    const call = target[name]
    if (typeof call !== 'function') continue
    Object.assign(target, {
      [name]: (...args: unknown[]) => {
        tell()
        return call.apply(target, args)
      },
    })
  }
}

async function empty({ context, origins }: Shared): Promise<void> {
  const [keeper, ...pages] = context.pages()
  await Promise.all(pages.map((page) => page.close()))
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.unrouteAll()])
  if (!keeper) return
  const session = await context.newCDPSession(keeper)
  for (const origin of origins) {
    if (origin !== 'null')
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: stored })
  }
  await session.detach()
  origins.clear()
}
