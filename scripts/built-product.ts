import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import type { Database } from '#lib/database.types.ts'
import { browserEnvironment, browserFlags, findBrowser } from './find-browser.mjs'

export type BuiltServer = { address: string; pid: number; stop: () => Promise<void> }

/** The built product on a free port, with a database of its own that is gone when it stops. */
export async function startBuiltServer(): Promise<BuiltServer> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-crm-stage-'))
  const server = await startBuiltServerOn(folder)
  return {
    ...server,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The same with a data folder that stays, and with further settings; `root` is the checkout whose build is served. */
export async function startBuiltServerOn(
  folder: string,
  settings: Record<string, string> = {},
  root = join(import.meta.dirname, '..'),
): Promise<BuiltServer> {
  const server = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: folder, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (text) => {
      const [, told] = /is ready at (\S+)/.exec(String(text)) ?? []
      if (told) resolve(told)
    })
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  return {
    address,
    pid: server.pid ?? 0,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
    },
  }
}

/** A new account of a running server, and a client that speaks for it. */
export async function signUpAt(address: string, email: string) {
  const html = await (await fetch(`${address}/auth`)).text()
  const [, settings = ''] = /id="settings">([^<]*)</.exec(html) ?? []
  const key: string = JSON.parse(settings).supabaseKey
  const client = createClient<Database>(address, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // The types of `ws` and of the client differ in their event handlers only.
    realtime: { transport: WebSocket as never },
  })
  const { data, error } = await client.auth.signUp({ email, password: 'a good password' })
  if (error) throw error
  if (!data.session) throw new Error('The sign-up gave no session: is CONFIRM_EMAIL set?')
  return { client, key, session: data.session }
}

/** The browser that the tests use as well. */
export async function launchBrowser(): Promise<Browser> {
  const found = await findBrowser(console.error)
  return chromium.launch({
    executablePath: found.executablePath,
    args: browserFlags,
    env: { ...process.env, ...browserEnvironment(found) },
  })
}
