import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { browserEnvironment, browserFlags, findBrowser } from './scripts/find-browser.mjs'

// Each worker reads this file again and inherits the environment, so what is found once is found.
process.env.E2E_PORT ??= String(await freePort())
process.env.E2E_BROWSER ??= JSON.stringify(await findBrowser(console.error))
process.env.E2E_DATA_DIR ??= temporaryFolder()

const address = `http://127.0.0.1:${process.env.E2E_PORT}`
const browser = JSON.parse(process.env.E2E_BROWSER)
const use = {
  baseURL: address,
  trace: 'retain-on-failure',
  screenshot: 'only-on-failure',
  launchOptions: {
    executablePath: browser.executablePath,
    args: browserFlags,
    env: { ...process.env, ...browserEnvironment(browser) },
  },
} as const

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use,
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'phone',
      // What has no screen is the same on every screen.
      testIgnore: 'backend.spec.ts',
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    },
  ],
  webServer: {
    command: 'node dist/server/main.js',
    url: `${address}/health`,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'pipe',
    env: {
      PORT: process.env.E2E_PORT,
      DATA_DIR: process.env.E2E_DATA_DIR,
      // Every test makes its own user from the same address.
      RATE_LIMIT_SIGN_IN: '100000',
      RATE_LIMIT_SIGN_UP: '100000',
      RATE_LIMIT_MAIL: '100000',
    },
  },
})

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const bound = server.address()
      server.close(() => resolve(typeof bound === 'object' && bound ? bound.port : 0))
    })
  })
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'solo-crm-e2e-'))
  // At the very end, when the server that writes to it has stopped.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
