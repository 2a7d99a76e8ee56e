import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { sql } from 'kysely'
import { EmbeddedConnection } from '#server/backend/connections.ts'
import { launchBrowser, signUpAt, startBuiltServerOn } from '../scripts/built-product.ts'
import type { Bench } from './bench.ts'
import { fillContacts } from './contacts.ts'
import { type Figure, middle } from './measure.ts'

const screens = ['dashboard', 'contacts', 'companies', 'deals', 'tasks', 'reports', 'settings']
const ourRoot = join(import.meta.dirname, '..')
const rounds = 5

declare global {
  interface Window {
    /** When the first row stood on the screen, in milliseconds since the page was asked for. */
    firstRow?: number
    longTasks: number[]
  }
}

/** What the user sees of an account with so many contacts: the built product in a real browser. */
export async function benchBrowser(contacts: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-bench-browser-'))
  try {
    const session = await accountWith(folder, contacts)
    const server = await startBuiltServerOn(folder)
    const browser = await launchBrowser()
    const open = () => signedIn(browser, server.address, session)
    const figure = (what: string, ours: number): Figure => ({
      what: `browser: ${what}`,
      rows: contacts,
      ours,
      plain: null,
      isMet: null,
      goal: '–',
    })
    try {
      const scripts: Figure[] = []
      for (const screen of screens) {
        scripts.push(
          figure(`JavaScript of a cold ${screen}, kB gzip`, await scriptsOf(open, screen)),
        )
      }
      const visits = await firstRows(open)
      const search = await keystrokes(open, contacts)
      return [
        ...scripts,
        figure('first contact row, cold visit', visits.cold),
        figure('first contact row, warm visit', visits.warm),
        figure('keystroke to row, search of the list, with its pause', search.list),
        figure('keystroke to result, search everywhere, with its pause', search.everywhere),
      ]
    } finally {
      await browser.close()
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An account made by the server itself, filled behind its back. */
export async function accountWith(
  folder: string,
  contacts: number,
  more?: (query: Bench['query'], id: string) => Promise<void>,
): Promise<string> {
  const server = await startBuiltServerOn(folder)
  const { session } = await signUpAt(server.address, 'alex@example.com')
  await server.stop()
  const connection = new EmbeddedConnection(join(folder, 'database'))
  const query = (statement: string) => sql.raw(statement).execute(connection.kysely)
  await query(`select set_config('solo.silent', 'on', false)`)
  await fillContacts(query, session.user.id, contacts)
  await more?.(query, session.user.id)
  await query('analyze')
  await connection.close()
  return JSON.stringify(session)
}

export async function signedIn(browser: Browser, baseURL: string, session: string) {
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } })
  await context.addInitScript((value) => {
    localStorage.setItem('sb-127-auth-token', value)
    window.longTasks = []
    new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration))
    }).observe({ type: 'longtask' })
    const watchRows = () => {
      if (document.querySelector('tbody [data-row-link]')) window.firstRow = performance.now()
      else requestAnimationFrame(watchRows)
    }
    watchRows()
  }, session)
  return context
}

/** Waits until a page has asked for nothing and was not busy for a second; for a minute at most. */
export async function rest(page: Page): Promise<void> {
  const activity = () =>
    page.evaluate(() => {
      performance.setResourceTimingBufferSize(100_000)
      return performance.getEntriesByType('resource').length + window.longTasks.length
    })
  let before = await activity()
  for (let second = 0; second < 60; second++) {
    await page.waitForTimeout(1000)
    const now = await activity()
    if (now === before) return
    before = now
  }
}

type Open = () => Promise<BrowserContext>

async function scriptsOf(open: Open, screen: string): Promise<number> {
  const context = await open()
  const page = await context.newPage()
  await page.goto(`/app/${screen}`, { waitUntil: 'networkidle' })
  const names = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
  await context.close()
  return gzippedSize(ourRoot, [...new Set(names.filter((name) => name.endsWith('.js')))])
}

/** In kB, of files of a build; what the browser says of itself is the size in brotli. */
export function gzippedSize(root: string, names: string[]): number {
  const sizes = names.map((name) => statSync(join(root, 'dist/client', `${name}.gz`)).size)
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

async function firstRows(open: Open): Promise<{ cold: number; warm: number }> {
  const cold: number[] = []
  const warm: number[] = []
  for (let round = 0; round < rounds; round++) {
    const context = await open()
    for (const visits of [cold, warm]) {
      const page = await context.newPage()
      await page.goto('/app/contacts')
      await page.waitForFunction(() => window.firstRow !== undefined)
      visits.push(await page.evaluate(() => window.firstRow ?? 0))
      await page.close()
    }
    await context.close()
  }
  return { cold: middle(cold), warm: middle(warm) }
}

async function keystrokes(open: Open, contacts: number) {
  const context = await open()
  const page = await context.newPage()
  await page.goto('/app/contacts', { waitUntil: 'networkidle' })
  const list: number[] = []
  const everywhere: number[] = []
  for (let round = 0; round < rounds; round++) {
    const name = `person${contacts - 10 - round}`
    await page.getByRole('main').getByRole('searchbox').fill(name.slice(0, -1))
    await page.waitForLoadState('networkidle')
    list.push(await typed(page, name, 'tbody [data-row-link]'))
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const field = page.getByRole('dialog').getByRole('combobox')
    await field.fill(`x${name.slice(0, -1)}`)
    await field.fill(name.slice(0, -1))
    everywhere.push(await typed(page, name, '[role=dialog] [role=option] mark'))
    await page.keyboard.press('Escape')
    await page.getByRole('main').getByRole('searchbox').focus()
  }
  await context.close()
  return { list: middle(list), everywhere: middle(everywhere) }
}

/** Types the last letter where the focus is, and tells how long it took until the only hit was shown. */
async function typed(page: Page, text: string, selector: string): Promise<number> {
  await page.evaluate(
    ([wanted, shown]) => {
      document.addEventListener(
        'keydown',
        () => {
          const pressed = performance.now()
          const watch = () => {
            const texts = [...document.querySelectorAll(shown)].map(
              ({ textContent }) => textContent,
            )
            if (texts.some((each) => each.toLowerCase().includes(wanted))) {
              document.body.dataset.took = String(performance.now() - pressed)
            } else requestAnimationFrame(watch)
          }
          watch()
        },
        { once: true, capture: true },
      )
    },
    [text, selector] as const,
  )
  await page.keyboard.press(text.at(-1) ?? '')
  await page.waitForFunction(() => document.body.dataset.took)
  return page.evaluate(() => {
    const took = Number(document.body.dataset.took)
    delete document.body.dataset.took
    return took
  })
}
