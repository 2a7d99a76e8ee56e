import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cleaningJob, eraseExpired } from './cleaning.ts'
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
  for (const what of ['forget_jobs', 'forget_deliveries', 'drop_loose_contents']) {
    const name = sql.raw(`private.${what}`)
    await sql`create function ${name}() returns void language sql as ''`.execute(kysely)
  }
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

const job = { kind: 'clean', key: 'all', account: null, payload: {}, tries: 1 }
const { work } = cleaningJob(database)

test('a start erases all that has expired, and leaves the rest to the job', async () => {
  await eraseExpired(database)
  expect(await left()).toEqual({ expired: 0, records: 1000 })
})

test('erases all, sweeps values in steps, and does both again after a day', async () => {
  expect(await work(job, new AbortController().signal)).toEqual({ againIn: 86_400 })
  expect(await left()).toEqual({ expired: 0, records: 0 })
})

test('whoever stops it waits for one step and not for all of them', async () => {
  await sql`update private.left_over set records = 1000000000`.execute(kysely)
  const stopping = new AbortController()
  const working = work(job, stopping.signal)
  await expect
    .poll(async () => (await left())?.records, { timeout: 20_000 })
    .toBeLessThan(1_000_000_000)
  stopping.abort()
  await expect(working).rejects.toThrow()
  const stopped = await left()
  expect(stopped?.records).toBeGreaterThan(0)
  expect(await left()).toEqual(stopped)
})
