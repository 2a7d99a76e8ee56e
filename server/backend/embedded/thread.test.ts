import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { newDataFolder } from '#server/test-process.ts'
import { EmbeddedConnection } from '../connections.ts'
import { withShare } from '../request-share.ts'

describe('the thread of the embedded database', { timeout: isLong ? 1_800_000 : 120_000 }, () => {
  let folder: string
  let connection: EmbeddedConnection
  beforeAll(async () => {
    folder = await newDataFolder(await mkdtemp(join(tmpdir(), 'solo-thread-')))
    connection = new EmbeddedConnection(join(folder, 'database'))
    await sql`create table things (id int primary key)`.execute(connection.kysely)
    // A new database, beside the other long runs.
  }, 300_000)
  afterAll(async () => {
    await connection.close()
    await rm(folder, { recursive: true })
  })

  const add = (id: number) => sql`insert into things values (${id})`.execute(connection.kysely)
  const ids = async () => {
    const { rows } = await sql<{ id: number }>`select id from things order by id`.execute(
      connection.kysely,
    )
    return rows.map(({ id }) => id)
  }
  /** Never ends by itself. */
  const hang = () => sql`select count(*) from generate_series(1, 1e15)`
  const withLimit = <T>(limit: number, work: () => Promise<T>) =>
    withShare({ who: 'somebody', limit }, work)

  test('statements that fail leave nothing on its stack', async () => {
    // Each left 1.2 kB: the tenth would be seen here, the twelve thousandth ended the database.
    const failing = isLong ? 30_000 : 100
    for (let turn = 0; turn < failing; turn++) {
      await expect(sql`select 1 / 0`.execute(connection.kysely)).rejects.toMatchObject({
        code: '22012',
      })
      // What the database left, and was taken off.
      expect(connection.thread.leakedBytes).toBeLessThan(10_000)
    }
    expect(connection.thread.restarts).toBe(0)
    expect(await ids()).toEqual([])
  })

  test('a statement without an end is stopped, what was acknowledged is there, and nobody else is stopped', async () => {
    await add(1)
    let ticks = 0
    const ticking = setInterval(() => ticks++, 10)
    const stopped = withLimit(500, () => hang().execute(connection.kysely))
    const next = ids()
    await expect(stopped).rejects.toMatchObject({ code: '57014' })
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(5)
    expect(await next).toEqual([1])
    expect(connection.thread.restarts).toBe(1)
    expect(connection.thread.busySince).toBeNull()
  })

  test('a transaction does not go on in the thread after the one it was begun in', async () => {
    const broken = connection.kysely.transaction().execute(async (db) => {
      await sql`insert into things values (2)`.execute(db)
      await withLimit(500, () => hang().execute(db)).catch(() => {})
      await sql`insert into things values (3)`.execute(db)
    })
    await expect(broken).rejects.toMatchObject({ name: 'DatabaseRestarted' })
    expect(await ids()).toEqual([1])
  })

  test('while it works it says since when', async () => {
    const asked = new Date()
    const stopped = withLimit(500, () => hang().execute(connection.kysely))
    await expect.poll(() => connection.thread.busySince).not.toBeNull()
    expect(Number(connection.thread.busySince)).toBeGreaterThanOrEqual(Number(asked))
    await expect(stopped).rejects.toThrow()
    expect(await ids()).toEqual([1])
  })

  test('an answer longer than anybody needs is refused, and the next one comes', async () => {
    const long = sql`select repeat('x', 70 * 1024 * 1024)`.execute(connection.kysely)
    await expect(long).rejects.toMatchObject({ code: '53400' })
    expect(await ids()).toEqual([1])
  })

  test('ended in the middle of writes, it loses none that was acknowledged, and keeps none by half', async () => {
    await sql`create table written (batch int, id int)`.execute(connection.kysely)
    const write = (batch: number) =>
      connection.kysely.transaction().execute(async (db) => {
        await sql`insert into written select ${batch}, n from generate_series(1, 2000) n`.execute(
          db,
        )
      })
    const began = performance.now()
    await write(0)
    const usual = performance.now() - began
    const acknowledged = [0]
    const ends = connection.thread.restarts + (isLong ? 50 : 3)
    for (let batch = 1; connection.thread.restarts < ends; batch++) {
      // Cut off while it writes, or while it commits; every fourth has time enough.
      const limit = batch % 4 === 0 ? 60_000 : (usual * ((batch * 7) % 19)) / 19
      await withLimit(limit, () => write(batch)).then(
        () => acknowledged.push(batch),
        () => {},
      )
    }
    const { rows } = await sql<{ batch: number; count: number }>`
      select batch, count(*)::int as count from written group by batch order by batch`.execute(
      connection.kysely,
    )
    // Whose commit was cut off may be there, and was told that it does not know.
    expect(rows.map(({ batch }) => batch)).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(rows.map(({ count }) => count))).toEqual(new Set([2000]))
  })
})
