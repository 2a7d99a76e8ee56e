import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import {
  type BuiltServer,
  launchBrowser,
  signUpAt,
  startBuiltServerOn,
} from '../scripts/built-product.ts'
import { gzippedSize, rest, signedIn } from './browser.ts'
import { type Figure, middle } from './measure.ts'

const contacts = 500
const ourRoot = join(import.meta.dirname, '..')
/** Shares of what the other build takes; null where nothing was promised. */
const goals = { cold: 0.58, warm: 0.52, blocking: 0.75 }
const slowdowns = [1, 4]

type Visit = { row: number; blocking: number; scripts: number }
type Build = { root: string; server: BuiltServer; session: string; visits: Map<string, Visit[]> }

/**
 * The first row of contacts in two builds in turn: ours, and the one of another commit, whose checkout is given and was
 * built by `npm run build`. Both serve a copy of the same data folder. Without a checkout, ours alone.
 */
export async function benchFirstScreen(otherRoot: string | null, rounds = 5): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-bench-first-screen-'))
  const browser = await launchBrowser()
  const builds: Build[] = []
  try {
    // The older build makes the data: the newer one brings its schema up to date.
    const roots = otherRoot ? [ourRoot, resolve(otherRoot)] : [ourRoot]
    const session = await filledBy(roots.at(-1) ?? ourRoot, join(folder, 'made'))
    for (const [place, root] of roots.entries()) {
      const data = join(folder, String(place))
      cpSync(join(folder, 'made'), data, { recursive: true })
      builds.push({
        root,
        server: await startBuiltServerOn(data, {}, root),
        session,
        visits: new Map(),
      })
    }
    for (const slowdown of slowdowns) {
      // The first round wakes both servers, and does not count.
      for (let round = 0; round <= rounds; round++) {
        for (const build of builds) {
          const { cold, warm } = await visitTwice(browser, build, slowdown)
          if (round === 0) continue
          for (const [kind, visit] of Object.entries({ cold, warm })) {
            const key = `${kind} ${slowdown}`
            build.visits.set(key, [...(build.visits.get(key) ?? []), visit])
          }
        }
      }
    }
    return slowdowns.flatMap((slowdown) => figuresOf(builds, slowdown))
  } finally {
    await browser.close()
    for (const { server } of builds) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function figuresOf(builds: Build[], slowdown: number): Figure[] {
  const slowed = slowdown === 1 ? '' : `, processor slowed down ${slowdown} times`
  function figure(
    what: string,
    kind: string,
    value: (visit: Visit) => number,
    goal?: number,
  ): Figure {
    const [ours = 0, other = null] = builds.map(({ visits }) =>
      middle((visits.get(`${kind} ${slowdown}`) ?? []).map(value)),
    )
    return {
      what: `first screen, beside the earlier build: ${what}${slowed}`,
      rows: contacts,
      ours,
      plain: other,
      isMet: goal === undefined || other === null ? null : ours <= goal * other,
      goal: goal === undefined ? '–' : `≤ ${goal} × earlier`,
    }
  }
  const scripts = (visit: Visit) => visit.scripts
  const blocking = (visit: Visit) => visit.blocking
  return [
    figure('first contact row, cold visit', 'cold', ({ row }) => row, goals.cold),
    figure('first contact row, warm visit', 'warm', ({ row }) => row, goals.warm),
    figure('blocking, cold visit', 'cold', blocking, goals.blocking),
    figure('blocking, warm visit', 'warm', blocking, goals.blocking),
    ...(slowdown === 1
      ? [figure('JavaScript loaded before the row, cold, kB gzip', 'cold', scripts)]
      : []),
  ]
}

/** An account with some contacts, made through the protocol, which both builds speak. */
async function filledBy(root: string, folder: string): Promise<string> {
  const server = await startBuiltServerOn(folder, {}, root)
  try {
    const { client, session } = await signUpAt(server.address, 'alex@example.com')
    const rows = Array.from({ length: contacts }, (_, n) => ({
      first_name: ['Ada', 'Grace', 'Alan', 'Edsger'][n % 4] ?? '',
      last_name: `Person${n}`,
      email: `person${n}@example${n % 97}.com`,
      phone_number: `+49 30 ${1_000_000 + n}`,
    }))
    const { error } = await client.from('contacts').insert(rows)
    if (error) throw error
    return JSON.stringify(session)
  } finally {
    await server.stop()
  }
}

async function visitTwice(
  browser: Browser,
  { root, server, session }: Build,
  slowdown: number,
): Promise<{ cold: Visit; warm: Visit }> {
  const context = await signedIn(browser, server.address, session)
  try {
    const cold = await visit(context, root, slowdown)
    return { cold, warm: await visit(context, root, slowdown) }
  } finally {
    await context.close()
  }
}

async function visit(context: BrowserContext, root: string, slowdown: number): Promise<Visit> {
  const page = await context.newPage()
  const developer = await context.newCDPSession(page)
  await developer.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto('/app/contacts')
  await page.waitForFunction(() => window.firstRow !== undefined)
  // What comes after the row blocks as well.
  await rest(page)
  const { scripts, ...measured } = await page.evaluate(() => {
    const row = window.firstRow ?? 0
    const before = performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(
        ({ name, responseEnd }) => new URL(name).pathname.endsWith('.js') && responseEnd < row,
      )
    return {
      row,
      blocking: window.longTasks.reduce((sum, duration) => sum + duration - 50, 0),
      scripts: [...new Set(before.map(({ name }) => new URL(name).pathname))],
    }
  })
  await developer.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await isInstalled(page)
  await page.close()
  return { ...measured, scripts: gzippedSize(root, scripts) }
}

/** A warm visit is one with the files on the device, where the app keeps them there. */
async function isInstalled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    if (!(await navigator.serviceWorker.getRegistration())) return
    await Promise.race([
      navigator.serviceWorker.ready,
      new Promise((resolve) => setTimeout(resolve, 10_000)),
    ])
  })
}
