import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
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
    const at = (backend: Backend | undefined, token?: string) =>
      createClient('http://127.0.0.1', backend?.publicKey ?? '', {
        auth: { persistSession: false, autoRefreshToken: false },
        realtime: { transport: WebSocket as never },
        global: {
          headers: token ? { authorization: `Bearer ${token}` } : {},
          fetch: async (input, init) =>
            (await backend?.fetch(new Request(input, init), null)) ?? Response.error(),
        },
      })
    const { data } = await at(first).auth.signUp({
      email: `${randomUUID()}@example.com`,
      password: 'secret-1',
    })
    const token = data.session?.access_token ?? ''
    expect((await at(second, token).from('companies').insert({ name: 'Shared' })).error).toBeNull()
    expect((await at(third, token).from('companies').select('name')).data).toEqual([
      { name: 'Shared' },
    ])
    expect(await at(second).from('companies').select()).toMatchObject({ status: 401 })
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

  test('tell that the database is gone, and serve again when it is back', async () => {
    const [backend] = backends
    const name = new URL(url).username
    const admin = postgres(adminUrl ?? '', { max: 1, onnotice: () => {} })
    const ask = () =>
      backend?.fetch(
        new Request('http://127.0.0.1/auth/v1/token?grant_type=password', {
          method: 'POST',
          headers: { apikey: backend.publicKey, 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'a@example.com', password: 'secret-1' }),
        }),
        null,
      )
    expect(await backend?.isHealthy()).toBe(true)
    await admin.unsafe(`alter database ${name} allow_connections false`)
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    expect(await backend?.isHealthy()).toBe(false)
    const refused = await ask()
    expect(refused?.status).toBe(500)
    expect(await refused?.json()).toMatchObject({
      message: 'Something went wrong on the server. Nothing was saved; try again.',
    })
    await admin.unsafe(`alter database ${name} allow_connections true`)
    expect(await backend?.isHealthy()).toBe(true)
    expect((await ask())?.status).toBe(400)
    await admin.end()
  })
})
