import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { ServerConnection } from '#server/backend/connections.ts'
import { quietConsole } from '#server/log.ts'
import { type FreezingProxy, freezingProxy } from './freezing-proxy.ts'
import { openAt, type TestDatabase } from './harness.ts'
import { withMigratedDatabase } from './server-database.ts'

const adminUrl = inject('postgresUrl')
/** Short, so that the test need not wait, and long enough for a busy machine; the server has more. */
const patience = 1500

describe.runIf(adminUrl)('a PostgreSQL server that accepts connections and answers nothing', () => {
  let url = ''
  let proxy: FreezingProxy
  let database: TestDatabase
  let loud = () => {}
  beforeAll(async () => {
    loud = quietConsole(() => {})
    await withMigratedDatabase(adminUrl ?? '', async (address) => {
      url = address
      proxy = await freezingProxy(address)
      // What hangs is looked for here, not who waits for a lock.
      database = await openAt(new ServerConnection(proxy.url, { patience, lockWait: 120_000 }))
    })
  })
  afterAll(async () => {
    proxy.thaw()
    await database.backend.close()
    proxy.close()
    loud()
  })

  /** Holds up every write until told to go on; the write that waits for it is in the middle. */
  async function holdWrites(): Promise<() => Promise<void>> {
    const owner = postgres(url, { max: 1 })
    const lock = await owner.reserve()
    await lock`begin`
    await lock`lock table public.changes in exclusive mode`
    // Ends the connection, and with it the transaction; also when the test has failed.
    onTestFinished(() => owner.end({ timeout: 0 }))
    return async () => {
      await lock`rollback`
    }
  }

  async function untilWaiting(): Promise<void> {
    const admin = postgres(adminUrl ?? '', { max: 1 })
    await vi.waitFor(async () => {
      const waiting = await admin`select from pg_stat_activity
        where datname = ${new URL(url).username} and wait_event_type = 'Lock'`
      expect(waiting).toHaveLength(1)
    }, 20_000)
    await admin.end()
  }

  test('is not taken for one that works long: a write that takes longer than our patience, more than once, is waited for', async () => {
    const { client } = await database.signUp()
    const goOn = await holdWrites()
    const writing = Promise.resolve(client.from('companies').insert({ name: 'Slow' }))
    await untilWaiting()
    const opened = proxy.opened()
    // Each time that our patience ends, the server is asked whether it still answers.
    await vi.waitFor(() => expect(proxy.opened()).toBeGreaterThanOrEqual(opened + 2), 20_000)
    await goOn()
    expect((await writing).error).toBeNull()
    expect((await client.from('companies').select('name')).data).toEqual([{ name: 'Slow' }])
  })

  test('is told in words and in time, nothing of a write stays, and all is well when it is back', async () => {
    const { client, email } = await database.signUp()
    const goOn = await holdWrites()
    const writing = Promise.resolve(client.from('companies').insert({ name: 'Lost' }))
    await untilWaiting()
    proxy.freeze()
    const began = performance.now()
    const credentials = { email, password: 'secret-1' }
    const [written, read, called, signedIn, health] = await Promise.all([
      writing,
      client.from('companies').select().retry(false),
      client.rpc('task_counts'),
      database.connect().auth.signInWithPassword(credentials),
      database.backend.health(),
    ])
    // Twice our patience, and three seconds of the look whether the database is away.
    expect(performance.now() - began).toBeLessThan(15_000)
    const words = 'The database isn’t responding. Nothing was saved; try again in a moment.'
    const away = { status: 503, error: { message: words } }
    expect([written, read, called]).toMatchObject([away, away, away])
    expect(signedIn.error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 })
    expect(health).toEqual({ status: 'unavailable' })

    await goOn()
    proxy.thaw()
    await vi.waitFor(
      async () => expect(await database.backend.health()).toEqual({ status: 'ok' }),
      10_000,
    )
    expect((await client.from('companies').insert({ name: 'Back' })).error).toBeNull()
    expect((await client.from('companies').select('name')).data).toEqual([{ name: 'Back' }])
    const again = await database.connect().auth.signInWithPassword(credentials)
    expect(again.error).toBeNull()
  })
})
