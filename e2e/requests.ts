import type { Page, Request, Route } from '@playwright/test'

export const unreachable = 'The server can’t be reached. Check your connection and try again.'
const broken = { message: 'The server’s disk is full.', code: '53100' }

/** A way in which a request fails, and what the user reads then. */
type Failure = { how: string; answer: (route: Route) => Promise<void>; message: string }

export const brokenAnswer: Failure = {
  how: 'is answered with 500',
  answer: (route) => route.fulfill({ status: 500, json: broken }),
  message: broken.message,
}

export const lostConnection: Failure = {
  how: 'loses its connection',
  answer: (route) => route.abort(),
  message: unreachable,
}

/**
 * Both ways. A screen does not know which it was, it is given the words: a few tests go through both, the
 * others through one. The words for each are tested in `src/lib/errors.test.ts`.
 */
export const failures = [brokenAnswer, lostConnection]

const probe = '/health?is-intercepted'

/**
 * Chromium confirms a route before the process of the page knows of it: on a busy machine the page's next request would
 * still reach the server. So `page.route` resolves only when a request of the page itself was intercepted.
 */
export function waitForRoutes(page: Page): void {
  const setRoute = page.route.bind(page)
  page.route = async (...route) => {
    const set = await setRoute(...route)
    if (!page.url().startsWith('http')) return set
    await setRoute(`**${probe}`, (met) => met.fulfill({ status: 202, body: '' }))
    await page.evaluate(async (address) => {
      const deadline = Date.now() + 10_000
      while (Date.now() < deadline) {
        const answer = await fetch(address).catch(() => null)
        if (answer?.status === 202) return
      }
    }, probe)
    await page.unroute(`**${probe}`)
    return set
  }
}

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

/** As when the connection breaks while the answer is on its way: the server has done it. */
export async function loseAnswer(route: Route): Promise<void> {
  try {
    await route.fetch()
    await route.abort()
  } catch {
    // The route was taken off meanwhile, and the request went on without it.
  }
}

/** The answer to the first request of one method to an address gets lost. */
export async function loseFirstAnswer(page: Page, url: string, method: string): Promise<void> {
  let isFirst = true
  await fail(page, url, method, (route) => {
    if (!isFirst) return route.fallback()
    isFirst = false
    return loseAnswer(route)
  })
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

/** As in a browser that has never been here: all code comes over the network. */
export async function emptyCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await session.detach()
}

/** What a page has asked for and not been answered yet, who waits for that, and what ends a request. */
type Traffic = { open: Set<Request>; waiting: (() => void)[]; end: (request: Request) => void }

const traffic = new WeakMap<Page, Traffic>()

/** How long the rest of an answer that has begun may take, in milliseconds. */
const restOfAnswer = 5000

/** From now on `settled` knows this page. Every page of a test is followed from its beginning. */
export function followRequests(page: Page): void {
  const open = new Set<Request>()
  const waiting: (() => void)[] = []
  traffic.set(page, { open, waiting, end })
  /** What an earlier document of the page still asks for. */
  let earlier: Request[] = []
  function end(request: Request): void {
    if (open.delete(request) && open.size === 0) for (const goOn of waiting.splice(0)) goOn()
  }
  page.on('request', (request) => {
    if (opensDocument(page, request)) earlier = [...open]
    open.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  // Chromium does not say that an answer has ended which nobody in the page reads to its end.
  page.on('response', (response) => {
    setTimeout(() => end(response.request()), restOfAnswer).unref()
  })
  // Nor always what becomes of the requests of a document that the next one replaces.
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) for (const request of earlier.splice(0)) end(request)
  })
}

function opensDocument(page: Page, request: Request): boolean {
  try {
    return request.isNavigationRequest() && request.frame() === page.mainFrame()
  } catch {
    // The first request of a page that another one has just opened has no frame yet.
    return false
  }
}

/** Waits until the page has drawn and has nothing more to do: what stands on it has its listeners then. */
export async function idle(page: Page): Promise<void> {
  // A task of the lowest priority, not `requestIdleCallback`: after a turn of the wheel, a headless browser may not
  // call that before the next frame.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => scheduler.postTask(resolve, { priority: 'background' }))
      }),
  )
}

/** Longer than anything that a page of a test asks for, in milliseconds. */
const longestWait = 60_000

/** A wait that says what it waited for, where the time of the whole test would end it without a word. */
async function within(wait: Promise<void>, what: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The page ${what()}.`)), longestWait)
  })
  try {
    await Promise.race([wait, tooLong])
  } finally {
    clearTimeout(timer)
  }
}

/** In the page, before anything else runs there: counts what it has asked for and heard nothing of yet. */
export function countOpenRequests(): void {
  // A long journey loads more than the usual 250.
  performance.setResourceTimingBufferSize(10_000)
  const ask = window.fetch
  window.openRequests = 0
  window.fetch = async (...request) => {
    window.openRequests += 1
    try {
      return await ask(...request)
    } finally {
      window.openRequests -= 1
    }
  }
}

declare global {
  interface Window {
    openRequests: number
  }
}

/** After how long the page is asked, in milliseconds: nearly always Playwright has told by then. */
const soon = 2000

/**
 * Playwright may miss the end of a request that was made while routes were removed. The page knows it: finished requests
 * are among its resource timings, and it counts its own open fetches.
 */
async function endWhatHasCome(page: Page, { open, end }: Traffic): Promise<void> {
  const { come, isAsking } = await page.evaluate(() => ({
    come: performance.getEntriesByType('resource').map(({ name }) => name),
    isAsking: window.openRequests > 0,
  }))
  for (const request of open) {
    const isFetched = ['fetch', 'xhr'].includes(request.resourceType())
    if (isFetched ? !isAsking : come.includes(request.url())) end(request)
  }
}

/**
 * Waits until the page asks for nothing more. The browser's own 'networkidle' tells that only once,
 * after the page has loaded.
 */
export async function settled(page: Page): Promise<void> {
  const known = traffic.get(page)
  if (!known) throw new Error('This page is not followed.')
  const { open, waiting } = known
  const ask = () => endWhatHasCome(page, known).catch(() => {})
  // Twice in a row: an answer may lead to the next question.
  for (let quiet = 0; quiet < 2; ) {
    if (open.size > 0) {
      const asking = setInterval(ask, soon)
      await within(
        new Promise<void>((resolve) => waiting.push(resolve)),
        () => `still asks for ${[...open].map((each) => each.url()).join(', ')}`,
      ).finally(() => clearInterval(asking))
    }
    await within(idle(page), () => 'does not become idle')
    // With routes, Playwright reports a request only once the browser has intercepted it: later than the page knows of it.
    const isAsking = await page.evaluate(() => window.openRequests > 0)
    quiet = open.size === 0 && !isAsking ? quiet + 1 : 0
  }
}

/** Which of these functions and tables the page has asked for since, each as often as it did. */
export function askedFor(page: Page, these: RegExp): () => string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname.split('/rest/v1/')[1]
    if (path && these.test(path)) paths.push(path)
  })
  return () => paths.toSorted()
}
