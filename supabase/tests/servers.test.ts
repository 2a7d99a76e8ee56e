import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import WebSocket from 'ws'
import type { Backend } from '#server/backend/start-backend.ts'
import { quietConsole } from '#server/log.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'
import { openBackend } from '#server/open-backend.ts'
import { readSettings } from '#server/settings.ts'
import { isLong } from '#server/test-length.ts'
import { runBuilt } from '#server/test-process.ts'
import { eventually } from './harness.ts'
import { withServerDatabase } from './server-database.ts'

const adminUrl = inject('postgresUrl')

type Server = { address: string; publicKey: string }

/** They may send to this machine. */
const receiving = { ALLOW_PRIVATE_ADDRESSES: 'true' }

// Without a server there is nothing to share; the run's closing lines say so.
describe.runIf(adminUrl)('several server processes on one PostgreSQL server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'solo-servers-'))
  let url = ''
  let loud = () => {}
  let processes: ReturnType<typeof runBuilt>[] = []
  let servers: Server[] = []

  beforeAll(async () => {
    loud = quietConsole(() => {})
    servers = await withServerDatabase(adminUrl ?? '', async (address) => {
      url = address
      // At once on an empty database: one makes the schema, the other finds it made.
      processes = ['first', 'second'].map((name) =>
        runBuilt(join(folder, name), { DATABASE_URL: url, ...receiving }),
      )
      return Promise.all(processes.map(async ({ ready }) => lookAt(await ready)))
    })
  })
  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGTERM')
    const ends = await Promise.all(processes.map(({ ended }) => ended))
    rmSync(folder, { recursive: true, force: true })
    loud()
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
  })

  async function lookAt(port: number): Promise<Server> {
    const address = `http://127.0.0.1:${port}`
    const page = await (await fetch(`${address}/app`)).text()
    return { address, publicKey: /"supabaseKey":"([^"]+)"/.exec(page)?.[1] ?? '' }
  }

  /** A client of one of them, with a token that another may have given. */
  function at(server: Server | undefined, token?: string) {
    return createClient(server?.address ?? '', server?.publicKey ?? '', {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
      global: { headers: token ? { authorization: `Bearer ${token}` } : {} },
    })
  }

  async function signUpAt(server: Server | undefined) {
    const client = at(server)
    const credentials = { email: `${randomUUID()}@example.com`, password: 'secret-1' }
    const { data } = await client.auth.signUp(credentials)
    return { client, credentials, token: data.session?.access_token ?? '' }
  }

  function open(databaseUrl = url): Promise<Backend> {
    return openBackend(readSettings({ DATABASE_URL: databaseUrl }), noMailbox)
  }

  test('make one schema, once', async () => {
    const db = postgres(url, { max: 1 })
    const applied = await db`select version from supabase_migrations.schema_migrations`
    expect(new Set(applied.map((row) => row.version)).size).toBe(applied.length)
    expect(applied.length).toBeGreaterThan(5)
    await db.end()
  })

  test('share their keys: a token of one is good at the others', async () => {
    const [first, second] = servers
    expect(first?.publicKey).toMatch(/^sb_publishable_/)
    expect(second?.publicKey).toBe(first?.publicKey)
    const { token } = await signUpAt(first)
    expect((await at(second, token).from('companies').insert({ name: 'Shared' })).error).toBeNull()
    expect((await at(first, token).from('companies').select('name')).data).toEqual([
      { name: 'Shared' },
    ])
    expect(await at(second).from('companies').select()).toMatchObject({ status: 401 })
  })

  test('hear of a sign-out at once: one that knows the session refuses it after it ended at another', async () => {
    const [first, second] = servers
    const { client, credentials, token } = await signUpAt(first)
    const known = at(second, token)
    expect((await known.from('companies').insert({ name: 'Kept' })).error).toBeNull()
    expect((await client.auth.signOut()).error).toBeNull()
    expect(await known.from('companies').select()).toMatchObject({
      status: 401,
      error: { message: 'Your session has ended. Please sign in again.' },
    })
    expect((await known.auth.getUser(token)).error?.status).toBeGreaterThanOrEqual(400)
    const again = at(second)
    await again.auth.signInWithPassword(credentials)
    expect((await again.from('companies').select('name')).data).toEqual([{ name: 'Kept' }])
  })

  test('take over the work of one that is killed in the middle of it: nothing lost, nothing noted twice', async () => {
    const received: { id: string; body: string }[] = []
    const receiver = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      const id = String(request.headers['webhook-id'])
      received.push({ id, body: Buffer.concat(parts).toString() })
      // The first is never answered: its sender dies over it.
      if (received.length > 1) response.end('ok')
    })
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
    const killed = runBuilt(join(folder, 'killed'), { DATABASE_URL: url, ...receiving })
    const { client, token } = await signUpAt(await lookAt(await killed.ready))
    const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const hook = await client.rpc('create_webhook', { url: address, events: ['created'] })
    expect(hook.error).toBeNull()
    const names = Array.from({ length: 10 }, (_, place) => `Company ${place}`)

    // While the others stand still, it is this one that sends.
    for (const { child } of processes) child.kill('SIGSTOP')
    try {
      for (const name of names) {
        expect((await client.from('companies').insert({ name })).error).toBeNull()
      }
      await eventually(() => expect(received).toHaveLength(1))
      killed.child.kill('SIGKILL')
      await killed.ended
    } finally {
      for (const { child } of processes) child.kill('SIGCONT')
    }
    const db = postgres(url, { max: 1 })
    // In the long run the lease is waited for.
    if (!isLong) {
      await db`update private.jobs set claimed_until = now() where kind = 'webhook'`
      await db`select pg_notify('solo_jobs', 'webhook')`
    }
    await vi.waitFor(() => expect(received).toHaveLength(names.length + 1), 90_000)
    const told = received.map(({ body }) => JSON.parse(body).data.records[0].label)
    expect(told.slice(1).sort()).toEqual(names)
    // What was under way is sent once more, as the same message, so that its receiver can tell.
    expect(received.filter(({ id }) => id === received[0]?.id)).toEqual([received[0], received[0]])
    expect(new Set(received.map(({ id }) => id)).size).toBe(names.length)
    const webhook = String(Object(hook.data).id)
    await eventually(async () => {
      const { data } = await at(servers[0], token).rpc('webhook_deliveries', { webhook })
      expect(data).toEqual(
        names.map(() => expect.objectContaining({ status: 'delivered', tries: 1 })),
      )
      expect(await db`select from private.jobs where kind = 'webhook'`).toHaveLength(0)
    })
    await db.end()
    receiver.closeAllConnections()
    receiver.close()
  }, 180_000)

  test('refuse a wrong password or database in one sentence, without telling the address', async () => {
    const wrong = new URL(url)
    wrong.pathname = '/nowhere'
    wrong.password = 'hidden'
    await expect(open(wrong.href)).rejects.toThrow(/refuses DATABASE_URL \(.*does not exist\)/)
    await expect(open(wrong.href)).rejects.not.toThrow(/hidden/)
  })

  test('refuse a database that a newer version made', async () => {
    const db = postgres(url, { max: 1 })
    await db`insert into supabase_migrations.schema_migrations (version) values ('29990101000000')`
    await expect(open()).rejects.toThrow(/made by a newer version of Solo CRM/)
    await db`delete from supabase_migrations.schema_migrations where version = '29990101000000'`
    await db.end()
  })

  test('tell that the database is gone, sign nobody out, and serve again when it is back', async () => {
    const [server] = servers
    const { client, credentials } = await signUpAt(server)
    const name = new URL(url).username
    const admin = postgres(adminUrl ?? '', { max: 1, onnotice: () => {} })
    const { data: kept } = await client.auth.getSession()
    // Asked by hand: the client would go on asking for half a minute.
    const refresh = async () => {
      const body = JSON.stringify({ refresh_token: kept.session?.refresh_token })
      const headers = { apikey: server?.publicKey ?? '', 'content-type': 'application/json' }
      const path = '/auth/v1/token?grant_type=refresh_token'
      return fetch(`${server?.address}${path}`, { method: 'POST', headers, body })
    }
    const health = async () => (await fetch(`${server?.address}/health`)).status
    const words = 'The database isn’t responding. Nothing was saved; try again in a moment.'
    expect(await health()).toBe(200)
    const { data: feed } = await client.rpc('create_calendar_feed')
    const calendar = async () => {
      const answer = await fetch(`${server?.address}/calendar/${feed.token}.ics`)
      return { status: answer.status, text: await answer.text() }
    }

    await admin.unsafe(`alter database ${name} allow_connections false`)
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    expect(await health()).toBe(503)
    const away = { status: 503, error: { message: words } }
    expect(await client.from('companies').select().retry(false)).toMatchObject(away)
    expect(await client.from('companies').insert({ name: 'Lost' })).toMatchObject(away)
    expect(await client.rpc('task_counts')).toMatchObject(away)
    const refused = await at(server).auth.signInWithPassword(credentials)
    expect(refused.error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 })
    // Told so, a browser keeps its session and asks again; of a 500 it takes the session for spent.
    expect((await refresh()).status).toBe(503)
    expect(await calendar()).toEqual({ status: 503, text: words })
    // The link of a mail is as good as before.
    const link = { token_hash: 'a'.repeat(64), type: 'signup' } as const
    expect((await at(server).auth.verifyOtp(link)).error).toMatchObject({ status: 503 })

    await admin.unsafe(`alter database ${name} allow_connections true`)
    expect(await health()).toBe(200)
    expect((await refresh()).status).toBe(200)
    expect((await calendar()).status).toBe(200)
    expect((await client.from('companies').insert({ name: 'Back' })).error).toBeNull()
    expect((await client.from('companies').select('name')).data).toEqual([{ name: 'Back' }])
    await admin.end()
  })

  test('lose a connection in the middle of a write: told, and nothing of it stays', async () => {
    const [server] = servers
    const { client, token } = await signUpAt(server)
    const admin = postgres(adminUrl ?? '', { max: 1, onnotice: () => {} })
    const owner = postgres(url, { max: 1 })
    const hindrance = await owner.reserve()
    // The write waits for this lock after its first rows, and is cut off there.
    await hindrance`begin`
    await hindrance`lock table public.changes in exclusive mode`
    const writing = Promise.resolve(client.from('companies').insert([{ name: 'A' }, { name: 'B' }]))
    const [waiting] = await eventually(async () => {
      const rows = await admin`select pid from pg_stat_activity
        where datname = ${new URL(url).username} and wait_event_type = 'Lock'`
      expect(rows).toHaveLength(1)
      return rows
    })
    await admin`select pg_terminate_backend(${waiting?.pid})`
    expect(await writing).toMatchObject({ status: 503 })
    await hindrance`rollback`
    hindrance.release()
    expect((await at(server, token).from('companies').select()).data).toEqual([])
    await owner.end()
    await admin.end()
  })
})
