import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startCleaning } from './cleaning.ts'
import { EmbeddedConnection } from './connections.ts'

const database = new EmbeddedConnection(null)
const { kysely } = database

// The functions that it calls are tested in supabase/tests; these count down what there is to do.
beforeAll(async () => {
  await sql`create schema private`.execute(kysely)
  await sql`create table private.left_over (expired integer, records integer)`.execute(kysely)
  await sql`create function private.erase_expired() returns bigint language sql as
    'with was as (select expired from private.left_over)
     update private.left_over l set expired = greatest(l.expired - 1, 0) from was returning was.expired::bigint'`.execute(
    kysely,
  )
  await sql`create function private.sweep_fields(rows integer) returns integer language sql as
    'with was as (select records from private.left_over)
     update private.left_over l set records = greatest(l.records - rows, 0) from was returning was.records'`.execute(
    kysely,
  )
})
beforeEach(async () => {
  await sql`truncate private.left_over`.execute(kysely)
  await sql`insert into private.left_over values (3, 1000)`.execute(kysely)
})
afterAll(() => database.close())

async function left() {
  const { rows } = await sql<{ expired: number; records: number }>`
    select expired, records from private.left_over`.execute(kysely)
  return rows[0]
}

test('erases all that has expired before it starts, and sweeps values in steps beside the work', async () => {
  const cleaning = await startCleaning(database)
  expect((await left())?.expired).toBe(0)
  await expect.poll(left).toEqual({ expired: 0, records: 0 })
  await cleaning.stop()
})

test('whoever closes it waits for one step and not for all of them', async () => {
  await sql`update private.left_over set records = 1000000000`.execute(kysely)
  const cleaning = await startCleaning(database)
  await cleaning.stop()
  const stopped = await left()
  expect(stopped?.records).toBeGreaterThan(0)
  expect(await left()).toEqual(stopped)
})

test('does both once a day', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    await sql`update private.left_over set expired = 0, records = 0`.execute(kysely)
    const cleaning = await startCleaning(database)
    // Its one step, which finds nothing, was asked for before this.
    await sql`update private.left_over set expired = 2, records = 500`.execute(kysely)
    vi.advanceTimersByTime(86_400_000 - 1)
    expect(await left()).toEqual({ expired: 2, records: 500 })
    vi.advanceTimersByTime(1)
    await expect.poll(left).toEqual({ expired: 0, records: 0 })
    await cleaning.stop()
  } finally {
    vi.useRealTimers()
  }
})
