import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { protocol } from '@electric-sql/pglite'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newDataFolder } from '#server/test-process.ts'
import { EmbeddedStatements } from './statements.ts'
import { DatabaseThread } from './thread.ts'

let folder: string
let database: DatabaseThread
/** Behind the back of the statements. */
async function exec(text: string): Promise<void> {
  await database.ready()
  await database.run(protocol.serialize.query(text), {
    generation: database.generation,
    limit: 60_000,
  })
}
let statements: EmbeddedStatements
const run = async (text: string, ...values: unknown[]) => (await statements.run(text, values)).rows
const prepared = () => run('select statement from pg_prepared_statements order by prepare_time')

describe('statements on the embedded database', () => {
  beforeAll(async () => {
    folder = await newDataFolder(await mkdtemp(join(tmpdir(), 'solo-statements-')))
    database = new DatabaseThread(join(folder, 'database'))
  })
  beforeEach(async () => {
    await exec('deallocate all; drop table if exists things')
    await exec('create table things (id int primary key, name text)')
    statements = new EmbeddedStatements(database)
  })
  afterAll(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })

  test('give values as they went in, and tell how many rows a write met', async () => {
    const all =
      'select $1::jsonb a, $2::text b, $3::int c, $4::boolean d, $5::text[] e, $6::jsonb f'
    const values = [{ deep: [null] }, "'é😀", 7, false, ['x', ''], 'null']
    const row = { a: { deep: [null] }, b: "'é😀", c: 7, d: false, e: ['x', ''], f: null }
    for (let turn = 0; turn < 3; turn++) expect(await run(all, ...values)).toEqual([row])
    expect(await run('select $1::int as a', null)).toEqual([{ a: null }])
    const add = 'insert into things select n from generate_series(1, $1::int) n'
    expect(await statements.run(add, [3])).toMatchObject({ rows: [], affectedRows: 3 })
    expect((await statements.run('update things set name = $1', ['x'])).affectedRows).toBe(3)
    expect(await statements.run('select 1 as one', [])).toMatchObject({
      rows: [{ one: 1 }],
      affectedRows: 0,
    })
  })

  test('are prepared once, and no more of them than fit', async () => {
    for (let turn = 0; turn < 3; turn++) await run('select 0 as kept')
    expect(await prepared()).toHaveLength(2)
    for (let turn = 0; turn < 250; turn++) await run(`select ${turn} as n`)
    const kept = (await prepared()).map((row) => row.statement)
    expect(kept).toHaveLength(200)
    expect(kept).toContain('select 249 as n')
    expect(kept).not.toContain('select 0 as kept')
  })

  test('are planned anew after a while, also within functions, for a table that has grown', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    // What is immutable is worked out once, when it is planned.
    await exec(`
      create or replace function plan() returns float language plpgsql immutable as 'begin return random(); end';
      create or replace function inner_plan() returns float language plpgsql as 'begin return (select plan()); end'`)
    const plans = async () => [
      (await run('select plan() as n'))[0]?.n,
      (await run('select inner_plan() as n'))[0]?.n,
    ]
    statements = new EmbeddedStatements(database)
    const first = await plans()
    expect(await plans()).toEqual(first)
    vi.advanceTimersByTime(11_000)
    await run('begin')
    const second = await plans()
    expect(second[0]).not.toBe(first[0])
    expect(second[1]).not.toBe(first[1])
    vi.advanceTimersByTime(11_000)
    expect(await plans()).toEqual(second)
    await run('commit')
  })

  test('see a changed schema, also one that is taken back', async () => {
    const all = 'select * from things'
    await run('insert into things values (1)')
    expect(await run(all)).toEqual([{ id: 1, name: null }])
    await run('alter table things add column size int')
    expect(await run(all)).toEqual([{ id: 1, name: null, size: null }])
    await run('begin')
    await run('alter table things drop column name')
    expect(await run(all)).toEqual([{ id: 1, size: null }])
    await run('rollback')
    expect(await run(all)).toEqual([{ id: 1, name: null, size: null }])
    // Behind our back: it fails once at most.
    await exec('alter table things drop column size')
    await expect(run(all)).rejects.toMatchObject({ code: '0A000' })
    expect(await run(all)).toEqual([{ id: 1, name: null }])
  })

  test('fail one by one, and leave the transaction to be rolled back', async () => {
    const add = 'insert into things values ($1)'
    await run('begin')
    await run(add, 1)
    await expect(run(add, 1)).rejects.toMatchObject({ code: '23505', table: 'things' })
    await expect(run(add, 2)).rejects.toMatchObject({ code: '25P02' })
    await expect(run('no sql at all')).rejects.toMatchObject({ code: '42601' })
    await run('rollback')
    expect(await run('select * from things')).toEqual([])
    await run(add, 3)
    expect(await run('select id from things')).toEqual([{ id: 3 }])
  })

  test('the first statement of a transaction gives its rows, too', async () => {
    // Prepared already, it is sent with the beginning.
    await run('select 7 as n')
    const first = await statements.run('select 7 as n', [], { isFirst: true })
    expect(first.rows).toEqual([{ n: 7 }])
    const add = 'insert into things values (1), (2)'
    expect((await statements.run(add, [], { generation: first.generation })).affectedRows).toBe(2)
    statements.endRead(first.generation)
    // What only read is ended with the next statement, whatever that gives.
    expect(await run('select count(*)::int as n from things')).toEqual([{ n: 2 }])
  })

  test('a whole transaction in one call: everything is done, or nothing', async () => {
    const add = (id: number) => ({ text: 'insert into things values ($1)', values: [id] })
    const count = { text: 'select count(*)::int as n from things', values: [] }
    const claim = { text: `select set_config('test.who', 'me', true)`, values: [] }
    const who = `select current_setting('test.who', true) as who`
    const failing: Record<string, { text: string; values: unknown[] }> = {
      23505: add(1),
      22012: { text: 'select 1 / $1::int as n', values: [0] },
      '22P02': { text: 'select $1::uuid as id', values: ['no id'] },
      42703: { text: 'select nothing', values: [] },
    }
    expect((await statements.runTogether([claim, add(1), count])).rows).toEqual([{ n: 1 }])
    for (const [code, failure] of Object.entries(failing)) {
      for (const all of [
        [add(2), failure],
        [failure, add(2)],
        [add(2), failure, add(3)],
      ]) {
        await expect(statements.runTogether([claim, ...all])).rejects.toMatchObject({ code })
        // Neither its rows nor its settings are left, and the next ones are not spoilt.
        expect(await run(who)).toEqual([{ who: '' }])
        expect((await statements.runTogether([claim, count])).rows).toEqual([{ n: 1 }])
      }
    }
  })

  test('the next call is sent while one runs, and only the next; each has its own outcome', async () => {
    const divide = (by: number) => [{ text: 'select 1 / $1::int as n', values: [by] }]
    const slow = { text: 'select count(*)::int as n from generate_series(1, 300000)', values: [] }
    // Prepared already, so that nothing but the calls themselves is sent.
    await statements.runTogether([slow, ...divide(1)])
    const sent = vi.spyOn(database, 'run')
    onTestFinished(() => sent.mockRestore())
    const told: string[] = []
    const tell = (call: Promise<{ rows: Record<string, unknown>[] }>) =>
      call.then(
        ({ rows }) => told.push(`${rows[0]?.n} when ${sent.mock.calls.length} were sent`),
        ({ code }) => told.push(`${code} when ${sent.mock.calls.length} were sent`),
      )
    await Promise.all([
      tell(statements.runTogether([slow])),
      tell(statements.runTogether(divide(0))),
      tell(statements.runTogether(divide(1))),
      tell(statements.runTogether(divide(-1))),
    ])
    expect(told).toEqual([
      '300000 when 2 were sent',
      '22012 when 3 were sent',
      '1 when 4 were sent',
      // The fifth closes the statement that failed.
      '-1 when 5 were sent',
    ])
  })
})
