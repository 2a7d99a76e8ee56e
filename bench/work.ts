import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, CDPSession, Locator, Page } from '@playwright/test'
import { launchBrowser, startBuiltServerOn } from '../scripts/built-product.ts'
import { accountWith, rest, signedIn } from './browser.ts'
import { columns, fillDeals } from './deals.ts'
import { type Figure, middle } from './measure.ts'
import { noRateLimits } from './requests.ts'
import { fillTasks } from './tasks.ts'

/** What an account holds: contacts, half as many tasks, and so many cards in each column of the board. */
type Sizes = { contacts: number; cards: number }

/** In milliseconds. */
const frame = 50
const opened = 100
const wheelTurns = 50
const longTask = 50

declare global {
  interface Window {
    /** How long each key took to show, and each step between two frames, in milliseconds. */
    paints: number[]
    frameGaps: number[]
  }
}

type Work = {
  open: () => Promise<BrowserContext>
  figure: (what: string, ours: number, goal?: number, unit?: string) => Figure
}

let filled: { folder: string; session: string } | null = null

/** Filling takes minutes: the parts of a run share the account. */
async function account(sizes: Sizes): Promise<{ folder: string; session: string }> {
  if (filled) return filled
  const folder = mkdtempSync(join(tmpdir(), 'solo-bench-work-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const session = await accountWith(folder, sizes.contacts, async (query, id) => {
    await fillTasks(query, id, Math.ceil(sizes.contacts / 2))
    await fillDeals(query, id, columns * sizes.cards, sizes.cards)
  })
  filled = { folder, session }
  return filled
}

async function measured(sizes: Sizes, work: (work: Work) => Promise<Figure[]>): Promise<Figure[]> {
  const { folder, session } = await account(sizes)
  const server = await startBuiltServerOn(folder, noRateLimits)
  const browser = await launchBrowser()
  try {
    return await work({
      open: () => signedIn(browser, server.address, session),
      figure: (what, ours, goal, unit = ' ms') => ({
        what: `work: ${what}`,
        rows: sizes.contacts,
        ours,
        plain: null,
        isMet: goal === undefined ? null : ours <= goal,
        goal: goal === undefined ? '–' : `≤ ${goal}${unit}`,
      }),
    })
  } finally {
    await browser.close()
    await server.stop()
  }
}

const lists = {
  contacts: { path: '/app/contacts', first: 'tbody [data-row-link]' },
  tasks: { path: '/app/tasks', first: 'main [data-row-link]' },
  'a column of the board': { path: '/app/deals?view=board', first: '[data-card]' },
}

/** Fifty turns of the wheel over each long list. */
export function benchScrolling(sizes: Sizes): Promise<Figure[]> {
  return measured(sizes, async ({ open, figure }) => {
    const figures: Figure[] = []
    for (const [name, { path, first }] of Object.entries(lists)) {
      const context = await open()
      const page = await context.newPage()
      await show(page, path, first)
      figures.push(
        figure(`long tasks while ${name} settle on a first visit`, (await longTasks(page)).length),
      )
      await page.locator(first).first().hover()
      await turnWheel(page, wheelTurns)
      const tasks = await longTasks(page)
      figures.push(
        figure(`long tasks in fifty turns of the wheel, ${name}`, tasks.length, 0, ''),
        figure(`the longest of them, ${name}`, Math.max(0, ...tasks), longTask),
      )
      await context.close()
    }
    return figures
  })
}

/** Each key of a word, until it is painted: in the search of the list, everywhere, in a form, in the details. */
export function benchTyping(sizes: Sizes): Promise<Figure[]> {
  return measured(sizes, async ({ open, figure }) => {
    const context = await open()
    const page = await context.newPage()
    await show(page, '/app/contacts', lists.contacts.first)
    const dialog = page.getByRole('dialog')
    const fields: Record<string, () => Promise<Locator>> = {
      'search of the list': async () => page.getByRole('main').getByRole('searchbox'),
      'search everywhere': async () => {
        await page.getByRole('button', { name: 'Search', exact: true }).click()
        return dialog.getByRole('combobox')
      },
      'a field of a form': async () => {
        await page.getByRole('button', { name: 'Add Contact' }).first().click()
        return dialog.getByLabel('First Name')
      },
      'a field of the details': async () => {
        await page.goto('/app/contacts')
        await page.locator(lists.contacts.first).first().click()
        await page
          .getByRole('button', { name: /^(Edit )?Role Title/ })
          .first()
          .click()
        return page.getByRole('textbox', { name: /Role Title/ })
      },
    }
    const figures: Figure[] = []
    for (const [name, reach] of Object.entries(fields)) {
      const field = await reach()
      await field.focus()
      const paints = await keyPaints(page, 'Person 12 of Berlin')
      figures.push(
        figure(`key to paint, ${name}, the middle`, middle(paints), frame),
        figure(`key to paint, ${name}, the longest`, Math.max(...paints), frame),
      )
      await field.fill('')
      await page.keyboard.press('Escape')
    }
    await context.close()
    return figures
  })
}

/** From the click on a contact in the list until its page shows what the list knows: its name and its email. */
export function benchOpening(sizes: Sizes, times = 10): Promise<Figure[]> {
  return measured(sizes, async ({ open, figure }) => {
    const context = await open()
    const page = await context.newPage()
    // Contacts with an email: those of the deals have none.
    await show(page, '/app/contacts?q=example', lists.contacts.first)
    const rows = page.locator('tbody tr').filter({ hasText: '@' })
    const took: number[] = []
    for (let time = 0; time < times; time++) {
      const row = rows.nth(time)
      const link = row.locator('[data-row-link]')
      const name = ((await link.textContent()) ?? '').trim()
      const email = ((await row.getByText('@').first().textContent()) ?? '').trim()
      // As a hand comes over the row before it presses.
      await link.hover()
      await page.waitForTimeout(200)
      await watchOpening(page, name, email)
      await link.click()
      await page.waitForFunction(() => document.body.dataset.took, null, { timeout: 20_000 })
      took.push(await takeTime(page))
      await page.goBack()
      await row.waitFor()
      await rest(page)
    }
    await context.close()
    return [
      figure('a contact opened from the list, the first', took[0] ?? 0, opened),
      figure('a contact opened from the list, the middle', middle(took), opened),
      figure('a contact opened from the list, the longest', Math.max(...took), opened),
    ]
  })
}

/** A card carried over all columns of a board that has loaded its longest column as far as one scrolls. */
export function benchDragging(sizes: Sizes): Promise<Figure[]> {
  return measured(sizes, async ({ open, figure }) => {
    const context = await open()
    const page = await context.newPage()
    const { path, first } = lists['a column of the board']
    await show(page, path, first)
    await page.locator(first).first().hover()
    const turns = Math.ceil((sizes.cards * 120) / 3000)
    await turnWheel(page, turns)
    const card = page.locator(`${first}:visible`).nth(5)
    await card.scrollIntoViewIfNeeded()
    const box = await card.boundingBox()
    if (!box) throw new Error('There is no card to drag.')
    const [left, top] = [box.x + box.width / 2, box.y + box.height / 2]
    await rest(page)
    await watchFrames(page)
    await page.mouse.move(left, top)
    await page.mouse.down()
    for (let step = 1; step <= 100; step++) {
      // Over the columns and back, up and down in each.
      const along = 1 - Math.abs(1 - step / 50)
      const x = left + along * (1300 - left)
      const y = 300 + 250 * (1 + Math.sin(step / 4))
      await page.mouse.move(x, y)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    }
    const isLifted = await page.locator('[data-held]').count()
    if (isLifted === 0) throw new Error('Nothing was dragged.')
    await page.mouse.up()
    await rest(page)
    const frames = await page.evaluate(() => window.frameGaps)
    const tasks = await longTasks(page)
    await context.close()
    return [
      figure(
        `longest frame of a drag, ${sizes.cards} cards in a column`,
        Math.max(...frames),
        frame,
      ),
      figure('long tasks of the drag', tasks.length, 0, ''),
    ]
  })
}

/** Companies show cards at first. */
const anyRow = 'main [data-row-link]'
const screensOfAnHour = ['contacts', 'companies', 'deals'] as const

/**
 * So many records opened from their lists, which are scrolled now and then, with the clock of the page put forward by
 * five seconds each: what is forgotten after minutes is forgotten here too.
 */
export function benchMemory(sizes: Sizes, records = 500): Promise<Figure[]> {
  return measured(sizes, async ({ open, figure }) => {
    const context = await open()
    const page = await context.newPage()
    const developer = await context.newCDPSession(page)
    await page.clock.install()
    await show(page, '/app/contacts', anyRow)
    let done = 0
    async function work(until: number): Promise<void> {
      while (done < until) {
        const list = screensOfAnHour[Math.floor(done / 10) % screensOfAnHour.length] ?? 'contacts'
        await goTo(page, list)
        if (done % 10 === 0) {
          await page.locator(anyRow).first().hover()
          await turnWheel(page, 20)
        }
        await openShownRow(page, done)
        await page.clock.fastForward(5000)
        done += 1
      }
    }
    async function memory() {
      await goTo(page, 'settings')
      // Longer than answers are kept that no screen shows.
      for (let minute = 0; minute < 12; minute++) await page.clock.fastForward(60_000)
      return heap(page, developer)
    }
    // By then all code is loaded, and each kind of record was shown.
    await work(Math.min(30, Math.ceil(records / 2)))
    const before = await memory()
    await work(records)
    const after = await memory()
    await context.close()
    const growth = (after.megabytes / before.megabytes - 1) * 100
    const lines = `${before.megabytes.toFixed(1)} MB, then ${after.megabytes.toFixed(1)} MB`
    return [
      figure(`growth of the memory of scripts after ${records} records, %`, growth, 20, ' %'),
      figure(`memory of scripts after ${records} records: ${lines}`, after.megabytes),
      figure(`elements held after them, ${before.nodes} before`, after.nodes),
    ]
  })
}

async function show(page: Page, path: string, first: string): Promise<void> {
  await page.goto(path)
  await page.locator(first).first().waitFor({ timeout: 60_000 })
  // The device reads all contacts once the screen stands, for seconds: that is measured by `device`.
  await rest(page)
}

async function goTo(page: Page, screen: string): Promise<void> {
  await page.locator(`nav a[href^="/app/${screen}"]`).first().click()
  if (screen === 'settings') return void (await page.waitForURL('**/app/settings'))
  // The list of deals opens as it was left, and an earlier part has left a board.
  await page.waitForURL(`**/app/${screen}*`)
  if (page.url().includes('view=board')) {
    await page.getByRole('main').getByText('List', { exact: true }).click()
  }
  try {
    await page.locator(anyRow).first().waitFor({ timeout: 60_000 })
  } catch {
    const text = (await page.getByRole('main').textContent()) ?? ''
    throw new Error(`No row of ${screen} at ${page.url()}: ${text.slice(0, 500)}`)
  }
}

/** Opens one of the rows that are on the screen, and waits for its page. */
async function openShownRow(page: Page, place: number): Promise<void> {
  const links = page.locator(anyRow)
  const count = await links.count()
  const link = links.nth(place % Math.max(1, Math.min(count, 12)))
  await link.click()
  // Not by its name: a row may be another one by the time of the click.
  await page.waitForURL(/\/app\/\w+\/[\da-f-]{36}/, { timeout: 60_000 })
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor({ timeout: 60_000 })
  await page.waitForTimeout(300)
}

async function turnWheel(page: Page, turns: number): Promise<void> {
  await longTasks(page)
  for (let turn = 0; turn < turns; turn++) {
    await page.mouse.wheel(0, 3000)
    // Ten turns a second are what a hand does.
    await page.waitForTimeout(100)
  }
}

/** Those since it was asked last. */
function longTasks(page: Page): Promise<number[]> {
  return page.evaluate(() => window.longTasks.splice(0))
}

/** Types the words where the focus is; from each key until the frame after it has been painted. */
async function keyPaints(page: Page, words: string): Promise<number[]> {
  await page.evaluate(() => {
    window.paints = []
    if (document.body.dataset.watched) return
    document.body.dataset.watched = 'yes'
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.onmessage = () => window.paints.push(performance.now() - timeStamp)
          channel.port2.postMessage(null)
        }),
      { capture: true },
    )
  })
  for (const key of words) {
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    // Over the pause after which a search is sent, too: some keys meet its answer.
    await page.waitForTimeout(120)
  }
  await page.waitForTimeout(500)
  return page.evaluate(() => window.paints)
}

async function watchOpening(page: Page, name: string, email: string): Promise<void> {
  await page.evaluate(
    ([wanted, known]) => {
      document.addEventListener(
        'click',
        ({ timeStamp }) => {
          const watch = () => {
            const main = document.querySelector('main')
            const isShown =
              main?.querySelector('h1')?.textContent.includes(wanted) &&
              main.textContent.includes(known)
            if (!isShown) return void requestAnimationFrame(watch)
            const channel = new MessageChannel()
            channel.port1.onmessage = () => {
              document.body.dataset.took = String(performance.now() - timeStamp)
            }
            channel.port2.postMessage(null)
          }
          watch()
        },
        { once: true, capture: true },
      )
    },
    [name, email] as const,
  )
}

function takeTime(page: Page): Promise<number> {
  return page.evaluate(() => {
    const took = Number(document.body.dataset.took)
    delete document.body.dataset.took
    return took
  })
}

async function watchFrames(page: Page): Promise<void> {
  await longTasks(page)
  await page.evaluate(() => {
    window.frameGaps = []
    let last = performance.now()
    const next = () => {
      const now = performance.now()
      window.frameGaps.push(now - last)
      last = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
}

async function heap(page: Page, developer: CDPSession) {
  await page.waitForTimeout(500)
  await developer.send('HeapProfiler.enable')
  for (let turn = 0; turn < 3; turn++) await developer.send('HeapProfiler.collectGarbage')
  const { usedSize } = await developer.send('Runtime.getHeapUsage')
  const { nodes } = await developer.send('Memory.getDOMCounters')
  return { megabytes: usedSize / 2 ** 20, nodes }
}
