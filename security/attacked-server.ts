import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { ServerConnection } from '#server/backend/connections.ts'
import { keysInDatabase } from '#server/backend/keys.ts'
import { copyFolder } from '#server/test-copy-folder.ts'
import { withMigratedDatabase } from '../supabase/tests/server-database.ts'
import { keys } from '../supabase/tests/test-keys.ts'
import type { Catalogue } from './catalogue.ts'

/** The running server, seen from a test. */
export type Attacked = {
  address: string
  /** The folder in which it keeps its data; the client that it serves lies beside it. */
  dataDir: string
  /** What it wrote to its log. */
  logFile: string
  catalogue: Catalogue
}

declare module 'vitest' {
  interface ProvidedContext {
    attacked: Attacked
  }
}

/** Starts the one server of all attack tests, and stops it when they are done. */
export default async function startAttacked(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-attacked-'))
  const dataDir = join(folder, 'data')
  const logFile = join(folder, 'log')
  writeFolder(folder)
  const database = await newDatabase(project, dataDir)
  // As in server/test-process.ts.
  const command = ['--liftoff-only', 'scripts/run.mjs', 'security/server-process.ts']
  const child = spawn(process.execPath, command, {
    cwd: join(import.meta.dirname, '..'),
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      ...database,
      // Lets a test be as many clients as it needs, each with limits of its own.
      TRUST_PROXY: '1',
      LITE_AUTH_BCRYPT_COST: '4',
      RATE_LIMIT_ADDRESS: '10000000',
      RATE_LIMIT_ACCOUNT: '10000000',
    },
  })
  child.stderr.on('data', (data) => appendFileSync(logFile, data))
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  const [line] = await Promise.race([
    new Promise<string[]>((resolve) => {
      createInterface(child.stdout).once('line', (text) => resolve([text]))
    }),
    ended.then(() => {
      throw new Error(`The server to attack did not start; see ${logFile}`)
    }),
  ])
  const { address, catalogue } = JSON.parse(line ?? '')
  project.provide('attacked', { address, dataDir, logFile, catalogue })
  return async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * On the run's PostgreSQL server, where there is one: it answers in a third of the time. On PGlite where there is none, and
 * in the long run, which attacks both.
 */
async function newDatabase(project: TestProject, dataDir: string): Promise<NodeJS.ProcessEnv> {
  const { postgresUrl, embeddedTemplate } = project.getProvidedContext()
  if (postgresUrl && project.name === 'security') {
    const url = await withMigratedDatabase(postgresUrl, writeKeys)
    return { DATABASE_URL: url, MAIL_KEY: randomUUID() }
  }
  await copyFolder(embeddedTemplate, join(dataDir, 'database'))
  return {}
}

/** Known keys, where a server looks for them on such a database. */
async function writeKeys(url: string): Promise<string> {
  const connection = new ServerConnection(url)
  await keysInDatabase(connection)
  await sql`update solo_server.keys set keys = ${JSON.stringify(keys)}::text::jsonb`.execute(
    connection.kysely,
  )
  await connection.close()
  return url
}

/** Known keys, so that a test can sign a token; and a client in miniature, with something to steal beside it. */
function writeFolder(folder: string): void {
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  writeFileSync(join(folder, 'data/keys.json'), JSON.stringify(keys), { mode: 0o600 })
  writeFileSync(join(folder, 'log'), '')
  mkdirSync(join(folder, 'client/assets'), { recursive: true })
  for (const name of ['index', 'privacy', 'terms']) {
    writeFileSync(join(folder, `client/${name}.html`), `<h1>${name}</h1>`)
  }
  const settings = '<script type="application/json" id="settings">{}</script>'
  writeFileSync(join(folder, 'client/app.html'), settings)
  cpSync(join(folder, 'client/index.html'), join(folder, 'client/assets/plain-1a2b.html'))
}
