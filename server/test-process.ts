import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { inject, onTestFinished } from 'vitest'
import WebSocket from 'ws'
import { copyFolder } from './test-copy-folder.ts'
import { temporaryFolder } from './test-server.ts'

type Ended = { code: number | null; out: string; err: string }
type RunningProcess = {
  child: ChildProcess
  /** Its port, once it serves. */
  ready: Promise<number>
  ended: Promise<Ended>
  /** Resolves when its output has these words. */
  says(words: string): Promise<void>
}

/**
 * A server that a test starts lives for seconds: compiling its database a second time, for speed, would be
 * two fifths of the work of its start.
 */
const compiledOnce = '--liftoff-only'

/** Runs a built server as a process of its own, with no settings but these; it never outlives the test. */
export function runServer(script: string, env: Record<string, string>): RunningProcess {
  const child = spawn(process.execPath, [compiledOnce, script], {
    env: { PATH: process.env.PATH, ...env },
  })
  try {
    onTestFinished(() => void child.kill('SIGKILL'))
  } catch {
    // Started for a whole file: whoever started it ends it.
  }
  let out = ''
  let err = ''
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }))
  })
  const ready = new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data
      const port = /^Solo CRM is ready at http:\/\/127\.0\.0\.1:(\d+)$/m.exec(out)?.[1]
      if (port) resolve(Number(port))
    })
    ended.then(() => reject(new Error(`The server ended before it was ready: ${err}`)))
  })
  // Whoever only waits for the end need not care that it was never ready.
  ready.catch(() => {})
  child.stderr.on('data', (data) => {
    err += data
  })
  const says = (words: string) =>
    new Promise<void>((resolve) => {
      const look = () => out.includes(words) && resolve()
      child.stdout.on('data', look)
      look()
    })
  return { child, ready, ended, says }
}

/** A data folder with a new, migrated database: copied, because making one takes longer than starting on it. */
export async function newDataFolder(dataDir = join(temporaryFolder(), 'data')): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await copyFolder(inject('embeddedTemplate'), join(dataDir, 'database'))
  return dataDir
}

const builtScript = join(import.meta.dirname, '../dist/server/main.js')

/** Every built server runs under a guard that ends it when it leaves this machine. */
const guard = pathToFileURL(join(import.meta.dirname, 'test-no-network.mjs')).href

/** Runs the server of `npm run build` on a data folder, on a free port. */
export function runBuilt(dataDir: string, env: Record<string, string> = {}): RunningProcess {
  if (!existsSync(builtScript)) throw new Error('This runs the built server: npm run build')
  const NODE_OPTIONS = `--import ${guard}`
  // Nobody steals these passwords: the fewest rounds of hashing.
  const LITE_AUTH_BCRYPT_COST = '4'
  const usual = { PORT: '0', DATA_DIR: dataDir, NODE_OPTIONS, LITE_AUTH_BCRYPT_COST }
  return runServer(builtScript, { ...usual, ...env })
}

/** A client as the page of that server would make it. */
export async function connectTo(port: number): Promise<SupabaseClient> {
  const address = `http://127.0.0.1:${port}`
  const page = await (await fetch(`${address}/app`)).text()
  const [, key = ''] = /"supabaseKey":"([^"]+)"/.exec(page) ?? []
  return createClient(address, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  })
}
