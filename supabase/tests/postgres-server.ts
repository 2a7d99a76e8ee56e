import { execFile, execFileSync, spawn } from 'node:child_process'
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'

const run = promisify(execFile)

declare module 'vitest' {
  interface ProvidedContext {
    /** Administrator's address of the run's own PostgreSQL server, or null where none is installed. */
    postgresUrl: string | null
  }
}

/** The run's own PostgreSQL server, where one is installed. The closing lines of `npm test` tell whether. */
export default async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  // Several projects ask for it, one after the other, each with this module loaded anew: the first one starts it.
  if (process.env.RUNS_POSTGRES !== undefined) {
    project.provide('postgresUrl', process.env.RUNS_POSTGRES || null)
    return async () => {}
  }
  const server = await startPostgres()
  await mkdir('.cache', { recursive: true })
  await writeFile('.cache/postgres-status', server ? 'run' : 'absent')
  process.env.RUNS_POSTGRES = server?.url ?? ''
  project.provide('postgresUrl', server?.url ?? null)
  return async () => server?.stop()
}

export type OwnPostgres = {
  /** The administrator's address. */
  url: string
  /** Ends every connection and starts again on the same data; `immediate` is as good as a crash. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  stop(): Promise<void>
}

/** Nothing it holds is worth writing twice, and no table lives for long enough to be tidied up. */
const withoutCare = ['fsync', 'full_page_writes', 'autovacuum'].flatMap((name) => [
  '-c',
  `${name}=off`,
])

/**
 * Starts a PostgreSQL server where one is installed, on loopback, in a temporary folder, as a user that is
 * not root. What it holds is not worth waiting for the disk.
 *
 * @param settings further arguments, such as `-c max_connections=20`
 */
export async function startPostgres(settings: string[] = []): Promise<OwnPostgres | null> {
  const binaries = await findBinaries()
  if (!binaries) return null
  const folder = await mkdtemp(join(tmpdir(), 'solo-postgres-'))
  const user = unprivilegedUser()
  if (user) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder }
  await run(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    options,
  )
  const port = await freePort()
  const url = `postgres://admin@127.0.0.1:${port}/postgres`
  const place = ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder]
  async function start() {
    const server = spawn(
      join(binaries ?? '', 'postgres'),
      [...place, ...withoutCare, ...settings],
      { ...options, stdio: 'ignore' },
    )
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
    await untilReady(url)
    return {
      async end(signal: 'SIGINT' | 'SIGQUIT') {
        server.kill(signal)
        await ended
      },
    }
  }
  let running = await start()
  return {
    url,
    async restart(mode) {
      await running.end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
      running = await start()
    },
    async stop() {
      await running.end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const needed = ['initdb', 'postgres']

/** In the folder that TEST_POSTGRES names, or the newest that Debian or the path has. */
async function findBinaries(): Promise<string | null> {
  const given = process.env.TEST_POSTGRES
  if (given) {
    if (await hasPrograms(given)) return given
    throw new Error(`TEST_POSTGRES is ${given}, which has no ${needed.join(' and ')}.`)
  }
  const debian = '/usr/lib/postgresql'
  const versions = await readdir(debian).catch((): string[] => [])
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const folders = [
    ...newestFirst.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  for (const folder of folders) {
    if (await hasPrograms(folder)) return folder
  }
  return null
}

async function hasPrograms(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch((): string[] => [])
  return needed.every((name) => files.includes(name))
}

/** PostgreSQL refuses to run as root; the account that its package made, or nobody, runs it then. */
function unprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // The next name is tried.
    }
  }
  return null
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const db = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
    const isReady = await db`select 1`.then(
      () => true,
      () => false,
    )
    await db.end()
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The PostgreSQL server of the test run did not become ready.')
}
