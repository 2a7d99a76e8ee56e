import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import WebSocket from 'ws'
import { openBackend } from '#server/backend/index.ts'
import type { Backend } from '#server/backend/start-backend.ts'
import { quietConsole } from '#server/log.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'
import { readSettings } from '#server/settings.ts'
import { withServerDatabase } from './harness.ts'

const adminUrl = inject('postgresUrl')

// Without a server there is nothing to share; the run's closing lines say so.
describe.runIf(adminUrl)('several server processes on one PostgreSQL server', () => {
  let url = ''
  let backends: Backend[] = []
  let loud = () => {}

  beforeAll(async () => {
    loud = quietConsole(() => {})
    backends = await withServerDatabase(adminUrl ?? '', (address) => {
      url = address
      // All at once on an empty database: one makes the schema, the others find it made.
      return Promise.all([open(), open(), open()])
    })
  })
  afterAll(async () => {
    await Promise.all(backends.map((backend) => backend.close()))
    loud()
  })

  /** A client of one of them, with a token that another may have given. */
  function at(backend: Backend | undefined, token?: string) {
    return createClient('http://127.0.0.1', backend?.publicKey ?? '', {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
      global: {
        headers: token ? { authorization: `Bearer ${token}` } : {},
        fetch: async (input, init) =>
          (await backend?.fetch(new Request(input, init), null)) ?? Response.error(),
      },
    })
  }

  async function signUpAt(backend: Backend | undefined) {
    const client = at(backend)
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
    const [first, second, third] = backends
    expect(new Set(backends.map((backend) => backend.publicKey)).size).toBe(1)
    const { token } = await signUpAt(first)
    expect((await at(second, token).from('companies').insert({ name: 'Shared' })).error).toBeNull()
    expect((await at(third, token).from('companies').select('name')).data).toEqual([
      { name: 'Shared' },
    ])
    expect(await at(second).from('companies').select()).toMatchObject({ status: 401 })
  })

  test('hear of a sign-out at once: one that knows the session refuses it after it ended at another', async () => {
    const [first, second] = backends
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
    const [backend] = backends
    const { client, credentials } = await signUpAt(backend)
    const name = new URL(url).username
    const admin = postgres(adminUrl ?? '', { max: 1, onnotice: () => {} })
    const { data: kept } = await client.auth.getSession()
    // Asked by hand: the client would go on asking for half a minute.
    const refresh = async () => {
      const body = JSON.stringify({ refresh_token: kept.session?.refresh_token })
      const headers = { apikey: backend?.publicKey ?? '', 'content-type': 'application/json' }
      const address = 'http://127.0.0.1/auth/v1/token?grant_type=refresh_token'
      const request = new Request(address, { method: 'POST', headers, body })
      return (await backend?.fetch(request, null)) ?? Response.error()
    }
    const words = 'The database does not answer. Nothing was saved; try again in a moment.'
    expect(await backend?.isHealthy()).toBe(true)

    await admin.unsafe(`alter database ${name} allow_connections false`)
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    expect(await backend?.isHealthy()).toBe(false)
    const away = { status: 503, error: { message: words } }
    expect(await client.from('companies').select().retry(false)).toMatchObject(away)
    expect(await client.from('companies').insert({ name: 'Lost' })).toMatchObject(away)
    expect(await client.rpc('task_counts')).toMatchObject(away)
    const refused = await at(backend).auth.signInWithPassword(credentials)
    expect(refused.error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 })
    // Told so, a browser keeps its session and asks again; of a 500 it takes the session for spent.
    expect((await refresh()).status).toBe(503)

    await admin.unsafe(`alter database ${name} allow_connections true`)
    expect(await backend?.isHealthy()).toBe(true)
    expect((await refresh()).status).toBe(200)
    expect((await client.from('companies').insert({ name: 'Back' })).error).toBeNull()
    expect((await client.from('companies').select('name')).data).toEqual([{ name: 'Back' }])
    await admin.end()
  })

  test('lose a connection in the middle of a write: told, and nothing of it stays', async () => {
    const [backend] = backends
    const { client, token } = await signUpAt(backend)
    const admin = postgres(adminUrl ?? '', { max: 1, onnotice: () => {} })
    const owner = postgres(url, { max: 1 })
    const hindrance = await owner.reserve()
    // The write waits for this lock after its first rows, and is cut off there.
    await hindrance`begin`
    await hindrance`lock table public.changes in exclusive mode`
    const writing = Promise.resolve(client.from('companies').insert([{ name: 'A' }, { name: 'B' }]))
    const [waiting] = await vi.waitFor(async () => {
      const rows = await admin`select pid from pg_stat_activity
        where datname = ${new URL(url).username} and wait_event_type = 'Lock'`
      expect(rows).toHaveLength(1)
      return rows
    })
    await admin`select pg_terminate_backend(${waiting?.pid})`
    expect(await writing).toMatchObject({ status: 503 })
    await hindrance`rollback`
    hindrance.release()
    expect((await at(backend, token).from('companies').select()).data).toEqual([])
    await owner.end()
    await admin.end()
  })
})
