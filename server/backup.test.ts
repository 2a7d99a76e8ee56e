import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { SupabaseClient } from '@supabase/supabase-js'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { EmbeddedConnection } from './backend/connections.ts'
import { connectToHolder, lockFolder } from './backend/folder-lock.ts'
import { backup, restore } from './copies/commands.ts'
import { finishRestore } from './copies/restore-embedded.ts'
import { requestSnapshot, serveSnapshots } from './copies/snapshot.ts'
import { quietConsole } from './log.ts'
import { copyFolder } from './test-copy-folder.ts'
import { runHere } from './test-here.ts'
import { isLong } from './test-length.ts'
import { connectTo, newDataFolder, runBuilt } from './test-process.ts'
import { temporaryFolder } from './test-server.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const account = { email: 'ada@example.com', password: 'secret-1' }

// Several starts of the server, each of seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

let made = ''
let loud = () => {}
beforeAll(async () => {
  loud = quietConsole(() => {})
  made = await mkdtemp(join(tmpdir(), 'solo-backup-'))
  const server = await runHere(await newDataFolder(join(made, 'data')))
  const client = await connectTo(server.port)
  await client.auth.signUp(account)
  await client.from('companies').insert({ name: 'Acme' })
  await server.stop()
})
afterAll(async () => {
  loud()
  await rm(made, { recursive: true, force: true })
})

/** A data folder with an account and a company, as a server left it. */
async function dataFolder(): Promise<string> {
  const dataDir = join(temporaryFolder(), 'data')
  await copyFolder(join(made, 'data'), dataDir)
  return dataDir
}

async function namesIn(client: SupabaseClient): Promise<string[]> {
  const { data, error } = await client.from('companies').select('name').limit(1000)
  expect(error).toBeNull()
  return (data ?? []).map((row) => row.name)
}

/** Writes one company after another until told to stop; gives back those that were acknowledged. */
function keepWriting(client: SupabaseClient) {
  const acknowledged: string[] = []
  let isStopped = false
  const done = (async () => {
    for (let n = 1; !isStopped; n++) {
      const { error } = await client.from('companies').insert({ name: `Company ${n}` })
      expect(error).toBeNull()
      acknowledged.push(`Company ${n}`)
      // Not as fast as it can: on a busy machine the copy takes long, and all of that time would be spent on writes.
      await setTimeout(50)
    }
  })()
  return {
    acknowledged,
    async stop() {
      isStopped = true
      await done
    },
  }
}

test('npm run backup copies a server that goes on writing, and npm run restore brings all of it back', async () => {
  const dataDir = await dataFolder()
  const elsewhere = temporaryFolder()
  const first = runBuilt(dataDir)
  const client = await connectTo(await first.ready)
  expect((await client.auth.signInWithPassword(account)).error).toBeNull()
  await mkdir(join(dataDir, 'outbox'))
  await cp(join(root, 'package.json'), join(dataDir, 'outbox', 'a-mail.eml'))

  const writing = keepWriting(client)
  while (writing.acknowledged.length < 5) await client.from('companies').select('id').limit(1)
  const before = [...writing.acknowledged]
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, INIT_CWD: elsewhere }
  const command = ['scripts/run.mjs', 'scripts/backup.ts', 'my-copy.tar.gz']
  const { stdout } = await run(process.execPath, command, { cwd: root, env })
  await writing.stop()
  const file = join(elsewhere, 'my-copy.tar.gz')
  expect(stdout.split('\n')[0]).toMatch(`Everything was copied to ${file} (`)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(writing.acknowledged.length).toBeGreaterThan(before.length)
  await vi.waitFor(
    async () => expect((await readdir(dataDir)).join()).not.toContain('copying-'),
    20_000,
  )

  // What is restored over: another company more, the account's keys as they were.
  const settings = { DATA_DIR: dataDir }
  await expect(restore(settings, [file])).rejects.toThrow(
    `Another Solo CRM is running on ${dataDir}. Stop it first`,
  )
  const keys = await readFile(join(dataDir, 'keys.json'), 'utf8')
  first.child.kill('SIGKILL')
  await first.ended
  const lines = await restore(settings, [file])
  const [aside = ''] = (await readdir(dataDir)).filter((name) => name.startsWith('before-restore-'))
  expect(lines[1]).toContain(join(dataDir, aside))
  expect((await readdir(join(dataDir, aside))).sort()).toEqual(['database', 'keys.json', 'outbox'])
  expect(await readFile(join(dataDir, 'keys.json'), 'utf8')).toBe(keys)
  expect(await readdir(join(dataDir, 'outbox'))).toEqual(['a-mail.eml'])

  const second = await connectTo((await runHere(dataDir)).port)
  const { data: session } = await client.auth.getSession()
  const token = session.session?.access_token ?? ''
  expect((await second.auth.getUser(token)).data.user?.email).toBe(account.email)
  await second.auth.signInWithPassword(account)
  const restored = await namesIn(second)
  expect(before.filter((name) => !restored.includes(name))).toEqual([])
  // One moment of the past: nothing of what came later without what came before it.
  const inOrder = ['Acme', ...writing.acknowledged]
  expect(new Set(restored)).toEqual(new Set(inOrder.slice(0, restored.length)))
})

test('requests wait while the files of the database are laid aside', async () => {
  const dataDir = await dataFolder()
  const connection = new EmbeddedConnection(join(dataDir, 'database'))
  onTestFinished(() => connection.close())
  await sql`create table written (n int)`.execute(connection.kysely)
  const unlock = await lockFolder(dataDir, (client) => {
    serveSnapshots(client, { connection, dataDir })
  })
  onTestFinished(unlock)
  const filesIn = async (folder: string) =>
    (await readdir(join(dataDir, folder), { recursive: true })).length
  const whole = await filesIn('database')
  const client = await connectToHolder(dataDir)
  if (!client) throw new Error('Nobody holds the folder.')
  const asked = requestSnapshot(client)
  const begun = async () => {
    const found = (await readdir(dataDir)).find((name) => name.startsWith('copying-'))
    return found ?? expect.fail('Nothing is copied yet.')
  }
  const folder = await vi.waitFor(begun, { interval: 1, timeout: 20_000 })
  await sql`insert into written values (1)`.execute(connection.kysely)
  // The database may have begun a file of its own before the copy.
  expect(await filesIn(folder)).toBeGreaterThanOrEqual(whole)
  await asked
  client.destroy()
  await vi.waitFor(
    async () => expect((await readdir(dataDir)).join()).not.toContain('copying-'),
    20_000,
  )
})

test.runIf(isLong)(
  'a restore is all or nothing, and made good by the next start when it was cut off',
  async () => {
    const dataDir = await dataFolder()
    // Nobody runs now: the command holds the folder itself.
    const [line = ''] = await backup({ DATA_DIR: dataDir }, [])
    const [, file = ''] = /copied to (\S+) \(/.exec(line) ?? []
    const whole = await readdir(dataDir)

    const broken = `${file}.broken.tar.gz`
    await cp(file, broken)
    // Elsewhere: server/copies/copy-file.test.ts.
    await truncate(broken, Math.floor((await stat(file)).size * 0.3))
    await expect(restore({ DATA_DIR: dataDir }, [broken])).rejects.toThrow('is damaged')
    await expect(restore({ DATA_DIR: dataDir }, [join(dataDir, 'keys.json')])).rejects.toThrow(
      'is no copy',
    )
    expect(await readdir(dataDir)).toEqual(whole)

    // Another machine: nothing there yet, and the process is killed between two of its moves.
    const other = join(temporaryFolder(), 'data')
    await restore({ DATA_DIR: other }, [file])
    expect((await readdir(other)).sort()).toEqual(['database', 'keys.json', 'outbox'])
    const cutOff = join(other, 'restoring-2026-11-15')
    const aside = join(other, 'before-restore-2026-11-15')
    await mkdir(cutOff)
    await mkdir(aside)
    for (const name of ['database', 'keys.json', 'outbox']) {
      await copyFolder(join(other, name), join(cutOff, name))
    }
    await rename(join(other, 'database'), join(aside, 'database'))
    await mkdir(join(other, 'unpacking-2026-11-14'))
    const second = await connectTo((await runHere(other)).port)
    expect((await second.auth.signInWithPassword(account)).error).toBeNull()
    expect(await namesIn(second)).toEqual(['Acme'])
    expect((await readdir(aside)).sort()).toEqual(['database', 'keys.json'])
    expect((await readdir(other)).filter((name) => /^(restoring|unpacking)-/.test(name))).toEqual(
      [],
    )
    expect(await finishRestore(other)).toBeNull()
  },
)

test('the commands say in words what they cannot do', async () => {
  const project = { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_ANON_KEY: 'anon' }
  await expect(backup(project, [])).rejects.toThrow('the project makes its own backups')
  await expect(restore(project, ['x.tar.gz'])).rejects.toThrow('the project makes its own backups')
  const empty = { DATA_DIR: join(temporaryFolder(), 'data') }
  await expect(backup(empty, [])).rejects.toThrow('nothing to copy')
  await expect(backup({}, ['--all'])).rejects.toThrow('Expected: npm run backup')
  await expect(restore({}, [])).rejects.toThrow('Expected: npm run restore -- the-copy.tar.gz')
  await expect(restore({}, ['/nowhere/x.tar.gz'])).rejects.toThrow(
    'There is no file /nowhere/x.tar.gz.',
  )
  await expect(backup({}, ['/mnt/not-mounted'])).rejects.toThrow(
    '/mnt/not-mounted is not a folder that exists',
  )
})
