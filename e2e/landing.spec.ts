import { gzipSync } from 'node:zlib'
import type { Locator, Page } from '@playwright/test'
import { plan } from '#domain/plan.ts'
import { expect, expectNoSidewaysScroll, test } from './fixtures.ts'

const header = (page: Page) => page.getByRole('banner')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Demo of Solo CRM' })

/** Everything that the page has asked for so far, by path. */
function follow(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  return paths
}

test('the landing page at every size', { tag: '@both' }, async ({
  step,
  isMobile,
  page,
  request,
  scan,
}) => {
  await step(
    'Anchor links (features, pricing, customers, company), on the phone behind a menu',
    async () => {
      await page.goto('/')
      for (const name of ['Features', 'Pricing', 'Customers', 'Company']) {
        if (isMobile) await header(page).locator('summary').click()
        await header(page).getByRole('link', { name }).locator('visible=true').click()
        await expect(page).toHaveURL(`/#${name.toLowerCase()}`)
        await expect(page.locator(`section#${name.toLowerCase()}`)).toBeInViewport()
      }
    },
  )
  await step(
    'every picture is there, of the desktop or of the phone, in light and dark, and says what it shows',
    async () => {
      const pictures = page.locator('picture')
      const chosen = (image: Locator) => image.evaluate((it: HTMLImageElement) => it.currentSrc)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const kind = isMobile ? `phone-${colorScheme}` : colorScheme
        const first = pictures.first().locator('img')
        await expect.poll(() => chosen(first)).toMatch(new RegExp(`/[^/-]+-${kind}-[^/]*\\.webp$`))
        await expect
          .poll(() => first.evaluate((it: HTMLImageElement) => it.complete && it.naturalWidth))
          .toBeGreaterThan(700)
      }
      // To draw all of them in every look takes seconds: that they are there is enough.
      if (isMobile) return
      const { files, words } = await pictures.evaluateAll((all) => ({
        files: all.flatMap((each) => [
          ...[...each.querySelectorAll('source')].map(({ srcset }) => srcset),
          each.querySelector('img')?.getAttribute('src') ?? '',
        ]),
        words: all.map((each) => each.querySelector('img')?.alt),
      }))
      expect(new Set(files).size).toBe(words.length * 4)
      for (const file of files) {
        const answer = await request.get(file)
        expect([file, answer.status(), answer.headers()['content-type']]).toEqual([
          file,
          200,
          'image/webp',
        ])
      }
      for (const each of words) expect(each).toMatch(/\w{3}/)
    },
  )
  await step('the landing page is accessible, light and dark', () => scan())
  await step('from 360 to 2560 px nothing sticks out', async () => {
    for (const width of isMobile ? [360] : [360, 768, 1440, 2560]) {
      await page.setViewportSize({ width, height: 900 })
      await expectNoSidewaysScroll(page)
    }
  })
})

test('Landing page', async ({ step, longStep, page, request, baseURL, scan, signUp, signIn }) => {
  const paths = follow(page)
  await step(
    '14-day free trial, no credit card, cancel anytime; 10k+ users, 99.9% uptime, $2.4B, 150+ countries',
    async () => {
      await page.goto('/')
      await expect(
        page.getByText('14-day free trial · No credit card · Cancel anytime'),
      ).toHaveCount(3)
      for (const figure of ['10k+', '99.9%', '$2.4B', '150+']) {
        await expect(page.getByText(figure, { exact: true })).toBeVisible()
      }
      await expect(page.locator('#customers blockquote')).toHaveCount(3)
    },
  )
  await step('Pro Plan at $29 per month with its six features in the pricing section', async () => {
    const pricing = page.locator('#pricing')
    await expect(pricing.getByRole('heading', { name: 'Pro Plan' })).toBeVisible()
    await expect(pricing.getByText('$29 per month')).toBeVisible()
    await expect(pricing.getByRole('listitem')).toHaveText([...plan.features])
  })
  await step(
    'title, description, picture for links, manifest, icons; canonical and sitemap',
    async () => {
      await expect(page).toHaveTitle(/^Solo CRM/)
      const content = (selector: string) => page.locator(selector).getAttribute('content')
      expect((await content('meta[name=description]'))?.length).toBeGreaterThan(50)
      const own = await page.locator('link[rel=canonical]').getAttribute('href')
      expect(own).toBe(`${baseURL}/`)
      const picture = (await content('meta[property="og:image"]')) ?? ''
      expect(picture).toBe(`${baseURL}/open-graph.png`)
      const manifest = await (await request.get('/manifest.webmanifest')).json()
      const icons = manifest.icons.map(({ src }: { src: string }) => src)
      for (const path of [picture, ...icons, '/icons/apple-touch-icon.png']) {
        const answer = await request.get(path)
        expect(answer.status()).toBe(200)
        expect(answer.headers()['content-type']).toBe('image/png')
      }
      expect(await (await request.get('/sitemap.xml')).text()).toContain(
        `<loc>${baseURL}/privacy</loc>`,
      )
      expect(await (await request.get('/robots.txt')).text()).toContain(
        `Sitemap: ${baseURL}/sitemap.xml`,
      )
    },
  )
  await step(
    'a Watch demo button and a video: opened by keyboard, loaded only then, silent once closed',
    async () => {
      const button = page.getByRole('button', { name: 'Watch demo' })
      await button.focus()
      expect(paths.filter((path) => /\.(webm|mp4|vtt)$/.test(path))).toEqual([])
      await page.keyboard.press('Enter')
      await expect(dialog(page)).toBeVisible()
      const video = page.locator('#demo-dialog video')
      await expect(video).toBeFocused()
      await expect
        .poll(() => video.evaluate((it: HTMLVideoElement) => it.currentTime))
        .toBeGreaterThan(0)
      await expect
        .poll(() => video.evaluate((it: HTMLVideoElement) => it.textTracks[0]?.mode))
        .toBe('showing')
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeHidden()
      await expect(button).toBeFocused()
      // The dialog tells of its closing a moment after it is hidden.
      await expect.poll(() => video.evaluate((it: HTMLVideoElement) => it.paused)).toBe(true)
      await page.keyboard.press('Enter')
      await dialog(page).getByRole('button', { name: 'Close' }).click()
      await expect(dialog(page)).toBeHidden()
    },
  )
  await step('Log in and Sign up buttons that go to /auth, a Start free trial button', async () => {
    await page.goto('/')
    const link = (name: string) => page.getByRole('link', { name }).first()
    await expect(link('Sign up')).toHaveAttribute('href', '/auth?tab=signup')
    for (const [name, target, tab] of [
      ['Log in', '/auth', /^log ?in$/i],
      ['Start free trial', '/auth?tab=signup', /^sign ?up$/i],
    ] as const) {
      await page.goto('/')
      await link(name).click()
      await expect(page).toHaveURL(target)
      await expect(page.getByRole('tab', { selected: true })).toHaveText(tab)
    }
  })
  await longStep('privacy and terms are behind the links of the footer', async () => {
    await page.goto('/')
    for (const name of ['Privacy', 'Terms']) {
      await page.getByRole('contentinfo').getByRole('link', { name }).click()
      await expect(page).toHaveURL(`/${name.toLowerCase()}`)
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
      await expectNoSidewaysScroll(page)
      // Both are set in the same way; the words differ.
      await test.step(`${name} is accessible`, () =>
        name === 'Privacy' ? scan() : scan(page.getByRole('main')))
      await page.getByRole('banner').getByRole('link', { name: 'Solo CRM' }).click()
      await expect(page).toHaveURL('/')
    }
  })
  await step('a visitor with a session sees "Open app"', async () => {
    await page.goto('/')
    await expect(header(page).getByRole('link', { name: 'Open app' })).toBeHidden()
    await signIn(await signUp())
    await page.goto('/')
    await expect(header(page).getByRole('link', { name: 'Log in' })).toBeHidden()
    await header(page).getByRole('link', { name: 'Open app' }).click()
    await expect(page).toHaveURL('/app/dashboard')
  })
})

test.describe('Landing page', () => {
  test('without JavaScript the video plays in place, and everything leads on', async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL })
    const page = await context.newPage()
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Watch demo' })).toBeHidden()
    await page.getByRole('link', { name: 'Watch demo' }).click()
    await expect(page).toHaveURL('/#demo')
    const video = page.getByLabel('Demo of Solo CRM', { exact: true }).and(page.locator('video'))
    await expect(video).toBeInViewport()
    await expect(video).toHaveAttribute('controls')
    await page.getByRole('link', { name: 'Sign up' }).first().click()
    await expect(page).toHaveURL('/auth?tab=signup')
    await context.close()
  })
})

test('few bytes: scripts at most 3 kB, HTML and CSS at most 30 kB gzip; only the style sheet blocks', async ({
  page,
  request,
}) => {
  await page.goto('/', { waitUntil: 'networkidle' })
  const resources = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => ({
      path: new URL(entry.name).pathname,
      // Known to Chromium, not to the types.
      isBlocking: 'renderBlockingStatus' in entry && entry.renderBlockingStatus === 'blocking',
    })),
  )
  const size = async (paths: string[]) => {
    const bodies = await Promise.all(paths.map(async (path) => (await request.get(path)).body()))
    return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
  }
  const ending = (suffix: string) =>
    resources.map(({ path }) => path).filter((path) => path.endsWith(suffix))
  expect(ending('.css')).toHaveLength(1)
  expect(ending('.js')).toHaveLength(1)
  expect(await size(ending('.js'))).toBeLessThan(3000)
  expect(await size(['/', ...ending('.css')])).toBeLessThan(30_000)
  expect(resources.filter(({ isBlocking }) => isBlocking).map(({ path }) => path)).toEqual(
    ending('.css'),
  )
})

test('nothing moves while the page loads and is scrolled to its end', {
  tag: ['@both', '@long'],
}, async ({ page, signUp, signIn }) => {
  await signIn(await signUp())
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // Known to Chromium, not to the types.
        if ('value' in entry) shifts.push(Number(entry.value))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  for (const id of ['features', 'demo', 'customers', 'pricing', 'company']) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded()
    await expect(page.locator(`#${id}`)).toBeInViewport()
  }
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([])
})
