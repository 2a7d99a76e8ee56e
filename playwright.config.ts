import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { fillDataFolder } from './e2e/data-folder.ts'
import { freePort } from './e2e/free-port.ts'
import { isLong } from './e2e/is-long.ts'
import { browserEnvironment, browserFlags, findBrowser } from './scripts/find-browser.mjs'

// Each worker reads this file again and inherits the environment, so what is found once is found.
process.env.E2E_PORT ??= String(await freePort())
process.env.E2E_CONFIRMING_PORT ??= String(await freePort())
process.env.E2E_BROWSER ??= JSON.stringify(await findBrowser(console.error))
process.env.E2E_DATA_DIR ??= temporaryFolder()

const folder = process.env.E2E_DATA_DIR
const address = `http://127.0.0.1:${process.env.E2E_PORT}`
// Here a new address has to be confirmed from a mail.
process.env.E2E_CONFIRMING_URL = `http://127.0.0.1:${process.env.E2E_CONFIRMING_PORT}`
process.env.E2E_OUTBOX = join(folder, 'confirming', 'outbox')

const browser = JSON.parse(process.env.E2E_BROWSER)
// No link of a page leads out of this machine. A route would do the same, but a page with routes has
// no cache.
const flags = [
  ...browserFlags,
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  // The page of a test has the process of the one before, with the compiled code: see e2e/shared-context.ts.
  '--process-per-site',
]
const use = {
  baseURL: address,
  // A trace of every test costs a quarter of the time; `--trace on` makes one where it is needed.
  trace: 'off',
  screenshot: 'only-on-failure',
  actionTimeout: 60_000,
  // Nobody waits for something to slide in; what moves has a test of its own.
  contextOptions: { reducedMotion: 'reduce' },
  // It would fetch every file of the app for each new context; it has a journey of its own.
  serviceWorkers: 'block',
  // The same for all, so that one context does for all.
  timezoneId: 'UTC',
  launchOptions: {
    executablePath: browser.executablePath,
    args: flags,
    env: { ...process.env, ...browserEnvironment(browser) },
  },
} as const

const desktop = { viewport: { width: 1440, height: 900 } }

// `@both` marks what the size of the screen or a finger may change: looks, drawers, scrolling, and one
// journey through each screen; `@phone-long` the same, on the phone in the long run only. `@phone` marks what only a phone has. How requests fail and what is stored
// is the same everywhere, and tested on the desktop alone.
const onThePhone = /@(phone|both|phone-long)\b/

// Presses every control of a screen, each on a page of its own: a tenth of the whole time, so these run by
// `npm run test:crawl` and not with every change.
const crawls = /does something(?!.*accessib)/

// The journey on PostgreSQL and on a hosted project: by `npm run test:long`.
const ways = /live in every window: /

// What is long, and what the phone shows as the desktop does: by `npm run test:long`, where everything runs.
const kept = isLong ? [] : [/@long/]
const keptOnThePhone = isLong ? [] : [/@long/, /@phone-long/]

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // One more than the processors: a test often waits for a server or for the screen.
  workers: 3,
  retries: 0,
  // A busy machine is no failure; a journey of many steps that passes never takes this long.
  timeout: 300_000,
  // What is tried again until it passes, and a press on what never comes, fail long before the test does. A restore took 15 s
  // where others had most of the processors.
  expect: { timeout: 30_000, toPass: { timeout: 60_000 } },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use,
  projects: [
    { name: 'desktop', use: desktop, grepInvert: [/@phone(?!-long)/, crawls, ways, ...kept] },
    { name: 'crawl', use: desktop, grep: crawls },
    { name: 'ways', use: desktop, grep: ways },
    {
      name: 'phone',
      grep: onThePhone,
      grepInvert: [crawls, ...keptOnThePhone],
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
  ],
  webServer: [
    server(address, { DATA_DIR: join(folder, 'plain') }),
    server(process.env.E2E_CONFIRMING_URL, {
      DATA_DIR: join(folder, 'confirming'),
      CONFIRM_EMAIL: 'true',
      // As in server/test-process.ts: it answers too little to be worth compiling for speed.
      NODE_FLAGS: '--liftoff-only',
    }),
  ],
})

function server(publicUrl: string, { NODE_FLAGS = '', ...env }: Record<string, string>) {
  return {
    command: `node ${NODE_FLAGS} dist/server/main.js`,
    url: `${publicUrl}/health`,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'pipe',
    env: {
      PORT: new URL(publicUrl).port,
      PUBLIC_URL: publicUrl,
      // Every test makes its own user from the same address.
      RATE_LIMIT_SIGN_IN: '100000',
      RATE_LIMIT_SIGN_UP: '100000',
      RATE_LIMIT_MAIL: '100000',
      RATE_LIMIT_ADDRESS: '10000000',
      // Nobody steals these passwords: a hash of one for the fewest rounds, for each test's own user.
      LITE_AUTH_BCRYPT_COST: '4',
      ...env,
    },
  } as const
}

function temporaryFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'solo-crm-e2e-'))
  for (const name of ['plain', 'confirming']) fillDataFolder(join(made, name))
  // At the very end, when the servers that write to it have stopped.
  process.on('exit', () => rmSync(made, { recursive: true, force: true }))
  return made
}
