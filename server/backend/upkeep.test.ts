import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { EmbeddedConnection } from './connections.ts'
import { analyzeSmallTables, shortenLog, startUpkeep, vacuumTable } from './upkeep.ts'

const database = new EmbeddedConnection(null)
const { kysely } = database

async function known(): Promise<{ rows: number; dead: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(kysely)
  const { rows } = await sql<{ rows: number; dead: number }>`
    select c.reltuples::int as rows, s.n_dead_tup::int as dead
    from pg_class c join pg_stat_user_tables s on s.relid = c.oid where c.relname = 'Odd "name'`.execute(
    kysely,
  )
  return rows[0] ?? { rows: 0, dead: 0 }
}

beforeAll(async () => {
  await sql`create table "Odd ""name" as select n from generate_series(1, 1000) n`.execute(kysely)
})
afterAll(() => database.close())

test('counts the rows of a table that has grown, and frees the room of those that are gone', async () => {
  expect(await vacuumTable(database)).toBe('public."Odd ""name"')
  expect((await known()).rows).toBe(1000)
  expect(await vacuumTable(database)).toBeNull()

  await sql`delete from "Odd ""name" where n > 100`.execute(kysely)
  expect((await known()).dead).toBe(900)
  expect(await vacuumTable(database)).toBe('public."Odd ""name"')
  expect(await known()).toEqual({ rows: 100, dead: 0 })
  expect(await vacuumTable(database)).toBeNull()
})

test('counts the rows of a small table also while there are requests', async () => {
  await sql`create table small as select n from generate_series(1, 60) n`.execute(kysely)
  await sql`create table large as select n from generate_series(1, 20001) n`.execute(kysely)
  await analyzeSmallTables(database)
  const counted = await sql`
    select relname, reltuples::int as rows from pg_class where relname in ('small', 'large') order by 1`.execute(
    kysely,
  )
  expect(counted.rows).toEqual([
    { relname: 'large', rows: -1 },
    { relname: 'small', rows: 60 },
  ])
  await sql`drop table small, large`.execute(kysely)
})

test('waits until nobody has asked for anything for a while', async () => {
  await sql`insert into "Odd ""name" select n from generate_series(1, 20500) n`.execute(kysely)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    const upkeep = startUpkeep(database)
    vi.advanceTimersByTime(50_000)
    upkeep.noteRequest()
    vi.advanceTimersByTime(10_000)
    await upkeep.stop()
    expect((await known()).rows).toBe(100)

    const again = startUpkeep(database)
    vi.advanceTimersByTime(60_000)
    await again.stop()
    expect((await known()).rows).toBe(20_600)
  } finally {
    vi.useRealTimers()
  }
})

test('makes a checkpoint when a crash would replay much, and not before', async () => {
  await sql`checkpoint`.execute(kysely)
  expect(await shortenLog(database, 100_000)).toBe(false)
  await sql`insert into "Odd ""name" select n from generate_series(1, 3000) n`.execute(kysely)
  expect(await shortenLog(database, 100_000)).toBe(true)
  expect(await shortenLog(database, 100_000)).toBe(false)
})

test('a busy server shortens its log too', async () => {
  await sql`select pg_logical_emit_message(false, 'long', repeat('x', 70000000))`.execute(kysely)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    const upkeep = startUpkeep(database)
    upkeep.noteRequest()
    vi.advanceTimersByTime(10_000)
    await upkeep.stop()
    expect(await shortenLog(database, 100_000)).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})
