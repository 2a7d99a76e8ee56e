import { randomBytes, randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { isLong } from './test-length.ts'
import { connectTo, newDataFolder, runBuilt } from './test-process.ts'
import { temporaryFolder } from './test-server.ts'

const account = { email: 'ada@example.com', password: 'secret-1' }
const noRoom = 'The server’s disk is full. Nothing was saved.'
const NODE_OPTIONS = `--import ${pathToFileURL(join(import.meta.dirname, 'test-full-disk.mjs')).href}`

type Refusal = { status: number; message: string }

/** An installation on a disk that is full or not, and what was acknowledged by it. */
async function installation() {
  const folder = temporaryFolder()
  const dataDir = await newDataFolder(join(folder, 'data'))
  const marker = join(folder, 'full')
  const acknowledged: string[] = []
  let client: SupabaseClient
  let server: ReturnType<typeof runBuilt> | null = null

  async function start(): Promise<void> {
    const isFirst = server === null
    server = runBuilt(dataDir, { NODE_OPTIONS, FULL_DISK: marker, STATEMENT_SECONDS: '5' })
    client = await connectTo(await server.ready)
    const { error } = await (isFirst
      ? client.auth.signUp(account)
      : client.auth.signInWithPassword(account))
    expect(error).toBeNull()
  }

  /** A million letters that cannot be made smaller: no page that is there has room for them. */
  async function write(): Promise<Refusal | null> {
    const rows = Array.from({ length: 20 }, () => ({
      first_name: randomUUID(),
      notes: randomBytes(25_000).toString('hex'),
    }))
    const { error, status } = await client.from('contacts').insert(rows)
    if (error) return { status, message: error.message }
    acknowledged.push(...rows.map((row) => row.first_name))
    return null
  }

  return {
    start,
    write,
    /** Writes until it is refused. */
    async writeOn(): Promise<Refusal> {
      for (;;) {
        const refusal = await write()
        if (refusal) return refusal
      }
    },
    /** No more room for files whose path has this in it. */
    fill: (files: string) => writeFileSync(marker, files),
    makeRoom: () => rmSync(marker),
    async kill(): Promise<void> {
      server?.child.kill('SIGKILL')
      await server?.ended
    },
    async expectAcknowledged(): Promise<void> {
      const { data, error } = await client.from('contacts').select('first_name')
      expect(error).toBeNull()
      const stored = new Set(data?.map((row) => row.first_name))
      expect(acknowledged.filter((name) => !stored.has(name))).toEqual([])
    },
  }
}

test('a full disk: told in words, nothing acknowledged is lost, and it goes on when there is room', async () => {
  const it = await installation()
  await it.start()
  expect(await it.write()).toBeNull()
  it.fill('/base/')
  for (let attempt = 0; attempt < (isLong ? 5 : 2); attempt += 1) {
    expect(await it.write()).toEqual({ status: 507, message: noRoom })
  }
  await it.expectAcknowledged()
  it.makeRoom()
  expect(await it.write()).toBeNull()

  if (isLong) {
    // Killed while it is full; kills elsewhere: server/durability.test.ts.
    it.fill('/base/')
    expect(await it.write()).toEqual({ status: 507, message: noRoom })
    await it.kill()
    it.makeRoom()
    await it.start()
    await it.expectAcknowledged()
  }

  // Not even the log of the database can grow. It does not survive that, and its thread is replaced as soon as
  // there is room; nobody has to start anything. A thread that ends in the middle of writes:
  // server/backend/embedded/thread.test.ts.
  if (!isLong) return
  it.fill('/pg_wal/')
  expect((await it.writeOn()).status).toBeGreaterThanOrEqual(503)
  it.makeRoom()
  await expect.poll(it.write, { timeout: 120_000 }).toBeNull()
  await it.expectAcknowledged()
  // Two starts: two minutes on a busy machine.
}, 480_000)
