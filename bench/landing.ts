import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startBuiltServer } from '../scripts/built-product.ts'
import { browserEnvironment, browserFlags, findBrowser } from '../scripts/find-browser.mjs'
import type { Figure } from './measure.ts'

// Fetched when it is needed: 185 MB, of use to this file alone. Later versions ask for a newer Node.
const lighthouse = 'lighthouse@12.8.2'
const goals = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 }

/** Lighthouse's marks for the landing page of the built product, as on a slow phone. */
export async function benchLanding(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-lighthouse-'))
  const { address, stop } = await startBuiltServer()
  const found = await findBrowser(console.error)
  const browser = spawn(
    found.executablePath,
    ['--headless', '--remote-debugging-port=0', `--user-data-dir=${folder}`, ...browserFlags],
    { stdio: 'ignore', env: { ...process.env, ...browserEnvironment(found) } },
  )
  try {
    const report = measured(address, await debuggingPort(folder), join(folder, 'report.json'))
    return Object.entries(goals).map(([name, goal]) => {
      const score = Math.round((report.categories[name]?.score ?? 0) * 100)
      return {
        what: `landing page, Lighthouse on a phone: ${name}, of 100`,
        rows: 0,
        ours: score,
        plain: null,
        isMet: score >= goal,
        goal: `≥ ${goal}`,
      }
    })
  } finally {
    const ended = new Promise((resolve) => browser.once('exit', resolve))
    browser.kill()
    await ended
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The browser writes down where it listens once it does. */
async function debuggingPort(folder: string): Promise<number> {
  for (let turn = 0; turn < 100; turn++) {
    try {
      return Number(readFileSync(join(folder, 'DevToolsActivePort'), 'utf8').split('\n')[0])
    } catch {
      await setTimeout(100)
    }
  }
  throw new Error('The browser did not start.')
}

type Report = { categories: Record<string, { score: number | null }> }

function measured(address: string, port: number, file: string): Report {
  const args = ['exec', '--yes', `--package=${lighthouse}`, '--', 'lighthouse', `${address}/`]
  const options = [`--port=${port}`, '--output=json', `--output-path=${file}`, '--quiet']
  const { status, stderr } = spawnSync('npm', [...args, ...options], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Lighthouse failed: ${stderr.slice(-2000)}`)
  return JSON.parse(readFileSync(file, 'utf8'))
}
