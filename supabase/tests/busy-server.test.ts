import { randomUUID } from 'node:crypto'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { ServerConnection } from '#server/backend/connections.ts'
import { quietConsole } from '#server/log.ts'
import { type Account, openAt, type TestDatabase } from './harness.ts'
import { type OwnPostgres, startPostgres } from './postgres-server.ts'
import { withServerDatabase } from './server-database.ts'

/** Short, so that the test need not wait. */
const lockWait = 500
const away = 'The database isn’t responding. Nothing was saved; try again in a moment.'

describe.runIf(inject('postgresUrl'))('a PostgreSQL server that others use too', () => {
  /** This file's own: it is filled up and restarted, which the other files must not feel. */
  let server: OwnPostgres | null = null
  let url = ''
  let database: TestDatabase
  let owner: Account
  let loud = () => {}
  beforeAll(async () => {
    loud = quietConsole(() => {})
    server = await startPostgres(['-c', 'max_connections=20'])
    await withServerDatabase(server?.url ?? '', async (address) => {
      url = address
      database = await openAt(new ServerConnection(address, { lockWait }))
    })
    owner = await database.signUp()
  })
  afterAll(async () => {
    await database.backend.close()
    await server?.stop()
    loud()
  })

  const isHealthyAgain = () =>
    vi.waitFor(
      async () => expect(await database.backend.health()).toEqual({ status: 'ok' }),
      30_000,
    )

  /** Holds what a statement locks, as somebody else would; ended with the test, also when it has failed. */
  async function hold(...statements: string[]): Promise<() => Promise<void>> {
    const other = postgres(url, { max: 1 })
    onTestFinished(() => other.end({ timeout: 0 }))
    const session = await other.reserve()
    await session`begin`
    for (const statement of statements) await session.unsafe(statement)
    return async () => {
      await session`rollback`
    }
  }

  const holdTable = (table: string) => hold(`lock table ${table} in access exclusive mode`)

  describe('a lock that somebody else holds', () => {
    test('is waited for some time, told in words, and gone when it is gone', async () => {
      const { client } = owner
      const letGo = await holdTable('public.contacts')
      const locked = {
        status: 503,
        error: {
          code: '55P03',
          message: 'Another change is in progress. Nothing was saved; try again in a moment.',
        },
      }
      const asked = await Promise.all([
        client.from('contacts').insert({ first_name: 'Lost' }),
        client.from('contacts').select().retry(false),
        client.from('contacts').select('id, companies(name)').retry(false),
        client.rpc('contact_page', { filter: {} }),
      ])
      for (const answer of asked) expect(answer).toMatchObject(locked)
      expect(await database.backend.health()).toEqual({ status: 'ok' })
      await letGo()
      expect((await client.from('contacts').insert({ first_name: 'Kept' })).error).toBeNull()
      const { data } = await client.from('contacts').select('first_name')
      expect(data).toEqual([{ first_name: 'Kept' }])
    })

    test('of the accounts: nobody is signed out, and signing in works when it is gone', async () => {
      const letGo = await holdTable('auth.sessions')
      expect(await owner.client.from('companies').select().retry(false)).toMatchObject({
        status: 503,
      })
      const credentials = { email: owner.email, password: 'secret-1' }
      const refused = await database.connect().auth.signInWithPassword(credentials)
      expect(refused.error?.status).toBe(503)
      await letGo()
      expect((await database.connect().auth.signInWithPassword(credentials)).error).toBeNull()
      expect((await owner.client.from('companies').select()).error).toBeNull()
    })

    test('of what has expired is not waited for: another transaction erases it already', async () => {
      const account = await database.signUp()
      await database.query(
        `insert into public.changes (user_id, batch, table_name, row_id, verb, before, created_at)
        values (?, gen_random_uuid(), 'companies', gen_random_uuid(), 'delete', '{}', now() - interval '31 days')`,
        account.id,
      )
      await database.query(
        `insert into private.restores (id, user_id, tables, created_at)
        values (gen_random_uuid(), ?, '{}', now() - interval '25 hours')`,
        account.id,
      )
      const letGo = await hold(
        'select from public.changes for update',
        'select from private.restores for update',
      )
      const write = () => account.client.from('companies').insert({ name: 'Acme' })
      expect((await write()).error).toBeNull()
      await letGo()
      expect((await write()).error).toBeNull()
      const left = `select id::text from public.changes where user_id = ? and verb = 'delete' and before is not null
        union all select id::text from private.restores where user_id = ?`
      expect(await database.query(left, account.id, account.id)).toEqual([])
    })

    test('is waited for as long as the work may take by what takes minutes', async () => {
      const rows = await database.query<{ name: string }>(
        `select proname as name from pg_proc p, unnest(proconfig) setting
         where pronamespace = 'public'::regnamespace and setting like 'statement_timeout=%'
           and split_part(setting, '=', 2)::interval > '60s'
           and not proconfig @> array['lock_timeout=' || split_part(setting, '=', 2)]`,
      )
      expect(rows).toEqual([])
    })
  })

  test('connections that others have used up: told in words, and served again when one is free', async () => {
    const { client } = owner
    const admin = postgres(server?.url ?? '', { max: 1, onnotice: () => {} })
    onTestFinished(() => admin.end({ timeout: 0 }))
    const others: Sql[] = []
    onTestFinished(async () => {
      for (const other of others) await other.end({ timeout: 0 })
    })
    const name = new URL(url).username
    const isRefused = async () => {
      const other = postgres(url, { max: 1, connect_timeout: 20 })
      others.push(other)
      const refusal = await other`select 1`.then(
        () => null,
        (error: { code?: string }) => error.code,
      )
      if (refusal !== null) expect(refusal).toBe('53300')
      return refusal !== null
    }
    // Our own server asks for its connections too, and may have got one before the others had them all.
    await vi.waitFor(async () => {
      await admin`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and application_name = 'Solo CRM'`
      // One that is just ending is counted too, and leaves a place a moment later.
      for (let refusals = 0; refusals < 5; refusals += 1) {
        while (!(await isRefused())) refusals = 0
      }
      expect(await database.backend.health()).toEqual({ status: 'unavailable' })
    }, 30_000)
    const refusal = { status: 503, error: { message: away } }
    expect(await client.from('companies').insert({ name: 'Lost' })).toMatchObject(refusal)
    expect(await client.from('companies').select().retry(false)).toMatchObject(refusal)
    expect(await client.rpc('task_counts')).toMatchObject(refusal)
    const credentials = { email: owner.email, password: 'secret-1' }
    const refused = await database.connect().auth.signInWithPassword(credentials)
    expect(refused.error?.status).toBe(503)

    for (const other of others.splice(0)) await other.end({ timeout: 0 })
    await isHealthyAgain()
    expect((await client.from('companies').insert({ name: 'Back' })).error).toBeNull()
    expect((await client.from('companies').select('name')).data).toEqual([{ name: 'Back' }])
  })

  describe('stopped and started again under load', () => {
    test.each(['fast', 'immediate'] as const)('%s', async (mode) => {
      const accounts = await Promise.all([1, 2, 3, 4].map(() => database.signUp()))
      const acknowledged: string[] = []
      const refusals: unknown[] = []
      let isOver = false
      async function write({ client }: Account): Promise<void> {
        while (!isOver) {
          const name = randomUUID()
          const { error, status } = await client.from('companies').insert({ name })
          if (error) refusals.push({ status, message: error.message })
          else acknowledged.push(name)
        }
      }
      const writers = accounts.map(write)
      const untilWritten = (more: number) => {
        const enough = acknowledged.length + more
        return vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(enough), 30_000)
      }
      await untilWritten(20)
      await server?.restart(mode)
      await untilWritten(20)
      isOver = true
      await Promise.all(writers)

      for (const refusal of refusals) expect(refusal).toEqual({ status: 503, message: away })
      const stored = new Set<string>()
      for (const { client } of accounts) {
        const { data } = await client.from('companies').select('name')
        for (const row of data ?? []) stored.add(row.name)
      }
      expect(acknowledged.filter((name) => !stored.has(name))).toEqual([])
      expect(await database.backend.health()).toEqual({ status: 'ok' })
    })
  })
})
