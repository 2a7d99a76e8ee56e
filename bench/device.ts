import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { launchBrowser, startBuiltServerOn } from '../scripts/built-product.ts'
import { accountWith, signedIn } from './browser.ts'
import { type Figure, middle } from './measure.ts'

const rounds = 5
/** In milliseconds. */
const goals = { write: 2000, search: 20 }

/** What a device keeps of an account with so many contacts: the built product in a real browser. */
export async function benchDevice(contacts: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-bench-device-'))
  try {
    const session = await accountWith(folder, contacts)
    const account: string = JSON.parse(session).user.id
    const server = await startBuiltServerOn(folder)
    const browser = await launchBrowser()
    const open = () => signedIn(browser, server.address, session)
    const figure = (what: string, ours: number, goal?: number): Figure => ({
      what: `device: ${what}`,
      rows: contacts,
      ours,
      plain: null,
      isMet: goal === undefined ? null : ours <= goal,
      goal: goal === undefined ? '–' : `${goal} ms`,
    })
    try {
      const context = await open()
      const began = performance.now()
      const page = await context.newPage()
      await page.goto('/app/contacts')
      await isKept(page, account, 'kept:contacts')
      const read = performance.now() - began
      // The last that is kept of the account.
      await isKept(page, account, 'kept:read')
      const write = await written(page, account)
      const { load, common, search, list } = await searched(page, account)
      await page.close()
      const { without, warm } = await warmRows(await open(), context, account)
      return [
        figure('first contact row, warm visit, nothing kept', without),
        figure('first contact row, warm visit', warm),
        figure('all contacts read and kept after the first screen', read),
        figure('all contacts written', write, goals.write),
        figure('all contacts loaded and folded, before the first search', load),
        figure('a search among them', search, goals.search),
        figure('a search that finds nearly all', common, goals.search),
        figure('the first page of the list of all', list),
      ]
    } finally {
      await browser.close()
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function isKept(page: Page, account: string, key: string): Promise<void> {
  // Not `waitForFunction`: it takes a promise for a yes.
  while (!(await hasKey(page, account, key))) await new Promise((after) => setTimeout(after, 100))
}

function hasKey(page: Page, account: string, key: string) {
  return page.evaluate(
    ([name, wanted]) =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open(name)
        // The app has not created the database yet, and this must not create it.
        opening.onupgradeneeded = () => opening.transaction?.abort()
        opening.onerror = () => resolve(false)
        opening.onsuccess = () => {
          const asked = opening.result.transaction('kept').objectStore('kept').getKey(wanted)
          asked.onsuccess = () => resolve(asked.result !== undefined)
          opening.result.close()
        }
      }),
    [`solo-${account}`, key] as const,
  )
}

/** The parts as the app has written them, written once more by one transaction, as the app does. */
function written(page: Page, account: string) {
  return page.evaluate(async (name) => {
    const settled = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const kept = await settled(indexedDB.open(name))
    const store = kept.transaction('kept').objectStore('kept')
    const range = IDBKeyRange.bound('kept:contacts:', 'kept:contacts:~')
    const texts: string[] = await settled(store.getAll(range))
    const rows = texts.flatMap((text) => JSON.parse(text))
    const opening = indexedDB.open('bench')
    opening.onupgradeneeded = () => opening.result.createObjectStore('kept')
    const bench = await settled(opening)
    const start = performance.now()
    // In parts, as they come from the server.
    const parts = Array.from({ length: Math.ceil(rows.length / 1000) }, (_, place) =>
      JSON.stringify(rows.slice(place * 1000, (place + 1) * 1000)),
    )
    const transaction = bench.transaction('kept', 'readwrite')
    for (const [place, text] of parts.entries())
      transaction.objectStore('kept').put(text, `kept:contacts:${place}`)
    await new Promise((resolve) => {
      transaction.oncomplete = resolve
    })
    return performance.now() - start
  }, `solo-${account}`)
}

/** Where the build has put the app's answers without a network, and under which name. */
function answering(): { file: string; name: string } {
  const folder = join(import.meta.dirname, '../dist/client/assets')
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.js')) continue
    const text = readFileSync(join(folder, file), 'utf8')
    // The file that defines them: it names what it answers as keys of an object.
    if (!/contact_count:/.test(text) || !/search_everything:/.test(text)) continue
    const exported = /export\{([^}]*)\}/.exec(text)?.[1]?.split(',') ?? []
    const [, name] =
      exported
        .map((each) => / as ([\w$]+)$/.exec(each.trim()) ?? [each, each.trim()])
        .find(([, given]) => given === 'answerOf') ?? []
    if (name) return { file, name }
    throw new Error(`${file} exports ${exported.join()}, not answerOf.`)
  }
  throw new Error('The build has no answers for a device without a network.')
}

/** By the app's own code: the first search loads the contacts, the others look through them, as the search of the app does. */
async function searched(page: Page, account: string) {
  const { file, name } = answering()
  // As text: the tool that runs this file would put an import of its own in place of the browser's.
  const times: number[] = await page.evaluate(`(async () => {
    const { ${name}: answerOf } = await import('/assets/${file}')
    const measured = []
    // The first word finds nearly all, the others few.
    for (const words of ['person', 'person', 'person', ...Array.from({ length: ${rounds} }, (_, round) => 'person9' + round)]) {
      const began = performance.now()
      const found = await answerOf('${account}', 'search_everything', { words })
      measured.push(performance.now() - began)
      // A search in nothing takes no time.
      if (!found?.answer.length) throw new Error('The device has found nothing.')
    }
    const began = performance.now()
    await answerOf('${account}', 'contact_page', { filter: {}, sort: 'created', descending: true })
    measured.push(performance.now() - began)
    return measured
  })()`)
  return {
    load: times[0] ?? 0,
    common: middle(times.slice(1, 3)),
    search: middle(times.slice(3, -1)),
    list: times.at(-1) ?? 0,
  }
}

/** In turn, so that other work of the machine meets both alike. */
async function warmRows(bare: BrowserContext, keeping: BrowserContext, account: string) {
  await bare.addInitScript(() => localStorage.setItem('solo-keep-data', 'no'))
  const without: number[] = []
  const warm: number[] = []
  // The first visit of each fills the browser's cache.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [context, times] of [
      [bare, without],
      [keeping, warm],
    ] as const) {
      const page = await context.newPage()
      await page.goto('/app/contacts')
      await page.waitForFunction(() => window.firstRow !== undefined)
      if (round > 0) times.push(await page.evaluate(() => window.firstRow ?? 0))
      if (context === keeping) await isKept(page, account, 'seen:/app/contacts')
      await page.close()
    }
  }
  return { without: middle(without), warm: middle(warm) }
}
