import { expect, test } from './fixtures.ts'

// One worker, one context, one after the other: the first leaves behind all that it can.
test.describe.configure({ mode: 'serial' })

let last: unknown
const year = () => new Date().getFullYear()

test('what a test leaves behind in the context that all share', { tag: '@long' }, async ({
  page,
  context,
  enter,
}) => {
  last = context
  await enter()
  await context.addCookies([{ name: 'left', value: 'yes', url: page.url() }])
  await context.grantPermissions(['clipboard-read'])
  await context.route('**/health', (route) => route.fulfill({ body: 'left' }))
  await page.route('**/auth', (route) => route.fulfill({ body: 'left' }))
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 500, height: 500 })
  await page.addInitScript(() => Object.assign(window, { left: 'yes' }))
  await page.evaluate(async () => {
    localStorage.setItem('left', 'yes')
    await caches.open('left')
    await new Promise((resolve) => {
      indexedDB.open('left').onsuccess = resolve
    })
  })
  const other = await context.newPage()
  await other.goto('/auth')
})

test('the next one meets nothing of it', { tag: '@long' }, async ({ page, context, viewport }) => {
  expect(context, 'the same context').toBe(last)
  await page.goto('/auth')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const met = await page.evaluate(async () => ({
    stored: Object.keys(localStorage).filter((key) => /left|auth/.test(key)),
    session: Object.keys(sessionStorage),
    cookies: document.cookie,
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName }))
      .state,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    width: innerWidth,
    script: 'left' in window,
  }))
  expect(met).toEqual({
    stored: [],
    session: [],
    cookies: '',
    databases: [],
    caches: [],
    clipboard: 'prompt',
    isDark: false,
    width: viewport?.width,
    script: false,
  })
  expect(await page.evaluate(async () => (await fetch('/health')).text())).not.toBe('left')
})

test('a clock spends the context', { tag: '@long' }, async ({ page, context }) => {
  last = context
  await page.clock.setFixedTime('2001-01-01')
  await page.goto('/auth')
  expect(await page.evaluate(year)).toBe(2001)
})

test('and the next one has a new context with the right time', { tag: '@long' }, async ({
  page,
  context,
}) => {
  expect(context).not.toBe(last)
  await page.goto('/auth')
  expect(await page.evaluate(year)).toBe(year())
})
