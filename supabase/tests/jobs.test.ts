import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type JobHandler, type Pace, startJobs } from '#server/jobs/jobs.ts'
import { eventually, onEachDatabase } from './harness.ts'

type Row = {
  due: number
  tries: number
  last_error: string | null
  is_claimed: boolean
  is_given_up: boolean
}

onEachDatabase((database) => {
  const done: string[] = []
  const note: JobHandler['work'] = async ({ key }) => {
    done.push(key)
    return undefined
  }

  /** One server process that does jobs of one kind; others do the same kind. */
  function worker(kind: string, handler: Partial<JobHandler> = {}, pace: Partial<Pace> = {}) {
    const usual: JobHandler = { work: note, pause: (tries) => tries * 60 }
    const jobs = startJobs(database().connection, { [kind]: { ...usual, ...handler } }, pace)
    onTestFinished(() => jobs.stop())
    return jobs
  }

  /** A kind that no other test has. */
  const newKind = () => `test_${randomUUID().replace(/[^a-f]/g, '')}`

  const rows = (kind: string) =>
    database().query<Row>(
      `select round(extract(epoch from due_at - now()))::int as due, tries, last_error,
        claim is not null as is_claimed, given_up_at is not null as is_given_up
      from private.jobs where kind = ? order by key`,
      kind,
    )
  const plan = (kind: string, key: string, rest = '') =>
    database().query(`select private.plan_job(?, ?${rest})`, kind, key)
  const pass = (kind: string, seconds: number) =>
    database().query(
      `update private.jobs set due_at = due_at - make_interval(secs => ?::int),
        claimed_until = claimed_until - make_interval(secs => ?::int) where kind = ?`,
      seconds,
      seconds,
      kind,
    )

  test('a job that is planned in SQL is heard of, done once, and gone', async () => {
    const kind = newKind()
    const work = vi.fn(note)
    const jobs = worker(kind, { work })
    await jobs.settle()
    await plan(kind, 'heard', `, null, '{"a": 1}'`)
    await eventually(() => expect(work).toHaveBeenCalledTimes(1))
    expect(work.mock.calls[0]?.[0]).toMatchObject({
      key: 'heard',
      account: null,
      payload: { a: 1 },
      tries: 1,
    })
    await eventually(async () => expect(await rows(kind)).toEqual([]))
  })

  test('one that is not due yet waits for its time', async () => {
    const kind = newKind()
    const jobs = worker(kind)
    await jobs.plan(kind, { key: `${kind} later`, dueIn: 1 })
    await jobs.settle()
    expect(done).not.toContain(`${kind} later`)
    await eventually(() => expect(done).toContain(`${kind} later`))
  })

  test('a plan that is taken back leaves no job', async () => {
    const kind = newKind()
    await expect(
      database().query(
        `with planned as materialized (select private.plan_job(?, 'x')) select 1 / count(*) * 0 / 0 from planned`,
        kind,
      ),
    ).rejects.toThrow()
    expect(await rows(kind)).toEqual([])
  })

  test('however many processes share the database, each job is done once', async () => {
    const kind = newKind()
    const keys = Array.from({ length: 60 }, (_, index) => `${kind} ${index}`)
    for (const key of keys) await plan(kind, key)
    const before = done.length
    await Promise.all([1, 2, 3].map(() => worker(kind, { atOnce: 3 }).settle()))
    expect(done.slice(before).sort()).toEqual([...keys].sort())
    expect(await rows(kind)).toEqual([])
  })

  test('the job of a process that died is done by another, and by none before', async () => {
    const kind = newKind()
    // Claimed by nobody who would renew or end it.
    await plan(kind, kind)
    await database().query('select private.claim_job(array[?], 60)', kind)
    const jobs = worker(kind)
    await jobs.settle()
    expect(done).not.toContain(kind)
    await pass(kind, 61)
    await jobs.settle()
    expect(done).toContain(kind)
  })

  test('a claim is renewed while the work lasts; whoever lost it is told, and ends nothing', async () => {
    const kind = newKind()
    const starts = vi.fn()
    const finish = vi.fn()
    const jobs = worker(
      kind,
      {
        async work({ tries }, signal) {
          starts(tries)
          if (starts.mock.calls.length > 1) return
          await new Promise<void>((resolve) => {
            finish.mockImplementation(resolve)
            signal.addEventListener('abort', () => resolve())
          })
          finish('aborted', signal.aborted)
        },
      },
      { lease: 1 },
    )
    await plan(kind, kind)
    await eventually(() => expect(starts).toHaveBeenCalled())
    const until = async () => {
      const [row] = await database().query<{ until: string }>(
        'select claimed_until::text as until from private.jobs where kind = ?',
        kind,
      )
      return row?.until ?? ''
    }
    const first = await until()
    // Until long after the first lease.
    for (let last = first, times = 0; times < 4; times += 1) {
      await eventually(async () => expect((await until()) > last).toBe(true))
      last = await until()
    }
    expect(starts).toHaveBeenCalledTimes(1)
    await database().query('select private.cancel_job(?, ?)', kind, kind)
    await plan(kind, kind, `, null, '{}', now() + interval '1 hour'`)
    await eventually(() => expect(finish).toHaveBeenCalledWith('aborted', true))
    await jobs.settle()
    // The job that was planned under the same key is another one.
    expect(await rows(kind)).toMatchObject([{ due: expect.closeTo(3600, -1), tries: 0 }])
  })

  test('a failure is tried again after growing pauses, then given up with its last error', async () => {
    const kind = newKind()
    const jobs = worker(kind, {
      async work() {
        throw Object.assign(new Error('ada@example.com is wrong'), { code: 'EWRONG' })
      },
      pause: (tries) => (tries < 3 ? tries * 60 : null),
    })
    const lines = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
    await jobs.plan(kind, { key: 'x' })
    await jobs.settle()
    const failed = { last_error: 'Error EWRONG', is_claimed: false, is_given_up: false }
    expect(await rows(kind)).toEqual([{ ...failed, due: 60, tries: 1 }])
    await jobs.settle()
    expect(await rows(kind)).toMatchObject([{ tries: 1 }])
    await pass(kind, 60)
    await jobs.settle()
    expect(await rows(kind)).toEqual([{ ...failed, due: 120, tries: 2 }])
    await pass(kind, 120)
    await jobs.settle()
    expect(await rows(kind)).toMatchObject([{ ...failed, tries: 3, is_given_up: true }])
    await jobs.settle()
    expect(await rows(kind)).toMatchObject([{ tries: 3 }])
    expect(lines.mock.calls.join()).toBe(`A job was given up (${kind}): Error EWRONG\n`)
    lines.mockRestore()
    // Planned anew, it begins anew.
    await jobs.plan(kind, { key: 'x' })
    await jobs.settle()
    expect(await rows(kind)).toMatchObject([{ ...failed, tries: 1 }])
  })

  describe('planned again', () => {
    test('while it waits, it is one job: the newer payload, the earlier time', async () => {
      const kind = newKind()
      await plan(kind, 'x', `, null, '{"a": 1}', now() + interval '1 hour'`)
      await plan(kind, 'x', `, null, '{"a": 2}', now() + interval '2 hours'`)
      const [row] = await database().query<{ a: string; due: number }>(
        `select payload ->> 'a' as a, round(extract(epoch from due_at - now()) / 60)::int as due
        from private.jobs where kind = ?`,
        kind,
      )
      expect(row).toEqual({ a: '2', due: 60 })
    })

    test('while it is done, it is done once more', async () => {
      const kind = newKind()
      const seen: unknown[] = []
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const jobs = worker(kind, {
        async work({ payload }) {
          seen.push(payload)
          await held
        },
      })
      await plan(kind, 'x', `, null, '{"a": 1}'`)
      await eventually(() => expect(seen).toHaveLength(1))
      await plan(kind, 'x', `, null, '{"a": 2}'`)
      await plan(kind, 'x', `, null, '{"a": 3}'`)
      release()
      await jobs.settle()
      expect(seen).toEqual([{ a: 1 }, { a: 3 }])
      expect(await rows(kind)).toEqual([])
    })

    test('by its handler, it is due again after a time', async () => {
      const kind = newKind()
      const jobs = worker(kind, { work: async () => ({ againIn: 300 }) })
      await jobs.plan(kind, { key: 'x' })
      await jobs.settle()
      expect(await rows(kind)).toMatchObject([{ due: 300, tries: 0, is_claimed: false }])
    })
  })

  test('of one lane one is done at a time, and others are not held up by it', async () => {
    const kind = newKind()
    const under = { slow: 0, most: 0 }
    const ends: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const jobs = worker(kind, {
      atOnce: 5,
      async work({ key }) {
        if (key.startsWith('slow')) {
          under.slow += 1
          under.most = Math.max(under.most, under.slow)
          await held
          under.slow -= 1
        }
        ends.push(key)
      },
    })
    for (const key of ['slow 1', 'slow 2', 'slow 3']) await jobs.plan(kind, { key, lane: 'slow' })
    await jobs.plan(kind, { key: 'fast', lane: 'fast' })
    await eventually(() => expect(ends).toEqual(['fast']))
    release()
    await jobs.settle()
    expect(ends).toEqual(['fast', 'slow 1', 'slow 2', 'slow 3'])
    expect(under.most).toBe(1)
  })

  test('an account with many lanes holds up no other', async () => {
    const kind = newKind()
    const [many, one] = [await database().signUp(), await database().signUp()]
    const planFor = ({ id }: { id: string }, key: string, seconds: number) =>
      database().query(
        `select private.plan_job(?, ?, ?, '{}', now() - make_interval(secs => ?::int), ?)`,
        ...[kind, key, id, seconds, key],
      )
    for (const [place, key] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await planFor(many, key, 100 - place)
    }
    await planFor(one, 'other', 1)
    const claimed: unknown[] = []
    for (let turn = 0; turn < 7; turn += 1) {
      const [job] = await database().query('select key from private.claim_job(array[?], 60)', kind)
      claimed.push(Object(job).key)
    }
    // Due long after them, but nothing is done for its account yet; where nobody else waits, they go on.
    expect(claimed).toEqual(['a', 'b', 'c', 'other', 'd', 'e', undefined])
  })

  test('two that claim at the same moment do not both get a job of one lane', async () => {
    const kind = newKind()
    for (const key of ['first', 'second']) {
      await database().query(`select private.plan_job(?, ?, null, '{}', now(), 'lane')`, kind, key)
    }
    // The claim of one is not committed yet when the other one looks.
    const claim = () =>
      database().query('select j.key, pg_sleep(0.3) from private.claim_job(array[?], 60) j', kind)
    const claimed = await Promise.all([claim(), claim()])
    expect(claimed.flat()).toHaveLength(1)
  })

  test('a stop lets go of what is not done, without counting it as a try', async () => {
    const kind = newKind()
    const started = vi.fn()
    const first = worker(kind, {
      work: (_job, signal) =>
        new Promise((_, reject) => {
          started()
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    })
    await first.plan(kind, { key: kind })
    await eventually(() => expect(started).toHaveBeenCalled())
    await first.stop()
    expect(await rows(kind)).toMatchObject([{ tries: 0, is_claimed: false, last_error: null }])
    await worker(kind).settle()
    expect(done).toContain(kind)
  })

  test('what was given up long ago, or is of a kind that nobody does, is erased; jobs go with their account', async () => {
    const kind = newKind()
    const { id } = await database().signUp()
    for (const key of ['given up', 'forgotten', 'new']) await plan(kind, key)
    await plan(kind, 'of an account', `, '${id}'`)
    await database().query(
      `update private.jobs set given_up_at = case key when 'given up' then now() - interval '8 days' end,
        due_at = case key when 'forgotten' then now() - interval '61 days' else due_at end
      where kind = ?`,
      kind,
    )
    await database().query('select private.forget_jobs()')
    const keys = () =>
      database().query<{ key: string }>('select key from private.jobs where kind = ?', kind)
    expect((await keys()).map(({ key }) => key).sort()).toEqual(['new', 'of an account'])
    await database().query('delete from auth.users where id = ?', id)
    expect((await keys()).map(({ key }) => key)).toEqual(['new'])
  })
})
