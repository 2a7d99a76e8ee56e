// `npm run landing:pictures`: the pictures of the landing page, taken from the running product with
// sample data, light and dark, wide and narrow; the icons, and the picture for links to the page.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ffmpeg } from './ffmpeg.ts'
import { openStage } from './stage.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'src/features/landing/pictures')
const icons = join(root, 'public/icons')

const whole = { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1.5 }
// Shown at half the width of the page, and still to be read.
const close = { viewport: { width: 1200, height: 750 }, deviceScaleFactor: 1.8 }
const phone = {
  viewport: { width: 390, height: 600 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** What is shown, and what tells that it is all there. */
const scenes = [
  {
    name: 'dashboard',
    path: '/app/dashboard',
    view: whole,
    ready: (page: Page) => page.getByText('Recent Activity').waitFor(),
  },
  {
    name: 'contacts',
    path: '/app/contacts',
    view: close,
    ready: (page: Page) => page.getByRole('checkbox').nth(3).waitFor(),
  },
  {
    name: 'board',
    path: '/app/deals?view=board',
    view: close,
    ready: (page: Page) => page.getByText('Proposal').first().waitFor(),
  },
  {
    name: 'tasks',
    path: '/app/tasks',
    view: close,
    ready: (page: Page) => page.getByText('Completion Rate').waitFor(),
  },
  {
    name: 'reports',
    path: '/app/reports',
    view: close,
    ready: async (page: Page) => {
      const chart = page.getByRole('heading', { name: 'Pipeline by stage' })
      await chart.evaluate((heading) => {
        heading.scrollIntoView()
        scrollBy(0, -140)
      })
    },
  },
]

mkdirSync(folder, { recursive: true })
mkdirSync(icons, { recursive: true })
const stage = await openStage()
for (const { name, path, view, ready } of scenes) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [device, options] of [['', view] as const, ['phone-', phone] as const]) {
      const page = await stage.open({ ...options, colorScheme, reducedMotion: 'reduce' })
      await page.goto(path)
      await ready(page)
      await page.waitForLoadState('networkidle')
      // What is said about the samples is not what a month's work looks like.
      await page.addStyleTag({ content: '[class*="_samples_"]{display:none}' })
      await savePicture(page, `${name}-${device}${colorScheme}`)
      await page.context().close()
    }
  }
}
await drawIcons()
await drawLinkPicture()
await stage.close()
process.exit(0)

async function savePicture(page: Page, name: string): Promise<void> {
  const picture = join(folder, `${name}.png`)
  await page.screenshot({ path: picture })
  ffmpeg('-i', picture, '-c:v', 'libwebp', '-quality', '82', join(folder, `${name}.webp`))
  rmSync(picture)
}

/** The product's mark in the sizes that a home screen asks for. */
async function drawIcons(): Promise<void> {
  const mark = readFileSync(join(root, 'src/ui/product-mark.svg'), 'utf8')
  const page = await stage.browser.newPage()
  const draw = async (name: string, size: number, part: number, ground: string) => {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(
      `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${ground}">${mark}`,
    )
    await page.addStyleTag({ content: `svg{width:${size * part}px;height:${size * part}px}` })
    await page.screenshot({ path: join(icons, `${name}.png`), omitBackground: true })
  }
  await draw('icon-192', 192, 1, 'transparent')
  await draw('icon-512', 512, 1, 'transparent')
  // The system cuts its own shape out of these.
  await draw('icon-maskable', 512, 0.8, '#5b5bd6')
  await draw('apple-touch-icon', 180, 1, '#5b5bd6')
  await page.close()
}

/** Shown where a link to the page is posted. */
async function drawLinkPicture(): Promise<void> {
  const page = await stage.browser.newPage({ viewport: { width: 1200, height: 630 } })
  await page.goto(`${stage.address}/`)
  const shot = readFileSync(join(folder, 'dashboard-light.webp')).toString('base64')
  const mark = readFileSync(join(root, 'src/ui/product-mark.svg'), 'utf8')
  await page.evaluate(
    ([markup = '', picture = '']) => {
      document.body.innerHTML = `
        <div style="position:fixed;inset:0;z-index:9;overflow:hidden;background:var(--solo-page)">
          <div style="display:flex;gap:16px;align-items:center;margin:64px 0 0 72px;font-weight:600;font-size:28px">${markup}Solo CRM</div>
          <h1 style="max-width:460px;margin:56px 0 0 72px;font-size:68px">The CRM for a team of one.</h1>
          <img style="position:absolute;left:600px;top:96px;width:900px;border-radius:12px;box-shadow:0 24px 64px rgb(20 20 60 / 24%)" src="data:image/webp;base64,${picture}">
        </div>`
    },
    [mark, shot],
  )
  await page
    .locator('img')
    .last()
    .evaluate((image: HTMLImageElement) => image.decode())
  await page.screenshot({ path: join(root, 'public/open-graph.png') })
  await page.close()
}
