import { beforeAll, describe, expect, test } from 'vitest'
import { isDueToday, priorities, taskStatus } from '#domain/task.ts'
import type { Json } from '#lib/database.types.ts'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { add } from './samples.ts'

type Task = {
  id: string
  title: string
  completed: boolean
  due_date: string | null
  priority: string
  contact: { first_name: string | null } | null
  company_name: string | null
  deal_name: string | null
}
type Page = { rows: Task[]; next: Json }
type Bulk = { count: number; batch: string | null }

/** The same numbers on every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

// Around the night in which the clock goes back in Europe.
const begin = Date.parse('2026-10-23T00:00:00Z')
const hour = 3_600_000

onOneDatabase((database, isSmoke) => {
  let owner: Account
  let stranger: Account
  let tasks: Task[]

  async function page(args: Record<string, unknown> = {}): Promise<Page> {
    const answer: unknown = await ok(owner.client.rpc('task_page', args as never))
    return answer as Page
  }

  beforeAll(async () => {
    owner = await database().signUp()
    stranger = await database().signUp()
    const random = randomNumbers(11)
    const rows = Array.from({ length: 200 }, (_, index) => ({
      title: `Task ${index}`,
      description: index % 10 === 0 ? 'Büro' : null,
      completed: random() < 0.4,
      due_date:
        random() < 0.2 ? null : new Date(begin + Math.floor(random() * 120) * hour).toISOString(),
      priority: priorities[Math.floor(random() * 4)] ?? 'medium',
    }))
    await ok(owner.client.from('tasks').insert(rows).select('id'))
    await ok(stranger.client.from('tasks').insert(rows).select('id'))
    tasks = (await page({ page_size: 1000 })).rows
    expect(tasks).toHaveLength(200)
  })

  describe('the counters are those of the rules of one task', () => {
    const moments = [
      '2026-10-24T21:59:59Z',
      '2026-10-24T22:00:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
      '2026-10-25T23:00:00Z',
      '2026-10-26T03:59:00Z',
    ]
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']
    test.each(zones.flatMap((zone) => moments.map((moment) => [zone, moment] as const)))(
      'in %s at %s',
      async (timeZone, at) => {
        const now = Date.parse(at)
        const count = (matches: (task: Task) => boolean) => tasks.filter(matches).length
        const later = tasks
          .filter(
            ({ completed, due_date }) => !completed && due_date && Date.parse(due_date) >= now,
          )
          .map(({ due_date }) => Date.parse(due_date ?? ''))
        const counts: unknown = await ok(
          owner.client.rpc('task_counts', { at, time_zone: timeZone }),
        )
        const { next_due, ...figures } = counts as Record<string, number> & { next_due: string }
        expect(figures).toEqual({
          total: 200,
          completed: count(({ completed }) => completed),
          pending: count(({ completed }) => !completed),
          overdue: count((task) => taskStatus(task, now) === 'overdue'),
          due_today: count((task) => isDueToday(task, now, timeZone)),
          urgent: count(({ completed, priority }) => !completed && priority === 'urgent'),
        })
        expect(Date.parse(next_due)).toBe(Math.min(...later))
        const overdue = { status: 'overdue', at }
        expect(await ok(owner.client.rpc('task_count', { filter: overdue }))).toBe(figures.overdue)
        const unplanned = { status: 'unplanned', at }
        expect(await ok(owner.client.rpc('task_count', { filter: unplanned }))).toBe(
          count(
            (task) => !task.completed && (!task.due_date || taskStatus(task, now) === 'overdue'),
          ),
        )
      },
    )

    test('an account without tasks has none', async () => {
      const empty = await database().signUp()
      expect(await ok(empty.client.rpc('task_counts', {}))).toEqual({
        total: 0,
        completed: 0,
        pending: 0,
        overdue: 0,
        due_today: 0,
        urgent: 0,
        next_due: null,
      })
    })
  })

  if (isSmoke) return

  describe('pages', () => {
    test.each(
      ['created', 'due', 'priority', 'title'].flatMap(
        (sort) =>
          [
            [sort, true],
            [sort, false],
          ] as const,
      ),
    )(
      'sorted by %s, descending %s, show every task once and in order',
      async (sort, descending) => {
        const whole = (await page({ sort, descending, page_size: 1000 })).rows
        const rows: Task[] = []
        let after: Json = null
        do {
          const found: Page = await page({ sort, descending, after, page_size: 33 })
          rows.push(...found.rows)
          after = found.next
        } while (after !== null)
        expect(rows.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
        expect(new Set(rows.map(({ id }) => id)).size).toBe(200)
        if (sort === 'due') {
          const dues = rows.map(({ due_date }) => due_date)
          const dated = dues.filter((due) => due !== null)
          expect(dues.slice(0, dated.length)).toEqual(dated)
          const sorted = dated.toSorted()
          expect(dated).toEqual(descending ? sorted.reverse() : sorted)
        }
      },
    )

    test('filters', async () => {
      const contact = await add(owner, 'contacts', { first_name: 'Ada' })
      const linked = await add(owner, 'tasks', { title: 'Linked', contact_id: contact.id })
      expect((await page({ filter: { contact: contact.id } })).rows).toMatchObject([
        { title: 'Linked', contact: { first_name: 'Ada' }, deal_name: null, company_name: null },
      ])
      await ok(owner.client.from('tasks').delete().eq('id', linked.id).select())
      const ids = async (filter: object) =>
        (await page({ filter, page_size: 1000 })).rows.map(({ id }) => id).sort()
      const expected = (matches: (task: Task) => boolean) =>
        tasks
          .filter(matches)
          .map(({ id }) => id)
          .sort()
      expect(await ids({ status: 'pending' })).toEqual(expected(({ completed }) => !completed))
      expect(await ids({ status: 'completed' })).toEqual(expected(({ completed }) => completed))
      expect(await ids({ priority: ['low', 'urgent'] })).toEqual(
        expected(({ priority }) => priority === 'low' || priority === 'urgent'),
      )
      expect(await ids({ search: 'buro' })).toHaveLength(20)
      expect(await ids({ search: 'TASK 19' })).toHaveLength(11)
      const day = { due_from: '2026-10-25', due_to: '2026-10-25', time_zone: 'Europe/Berlin' }
      const [from, to] = [Date.parse('2026-10-24T22:00:00Z'), Date.parse('2026-10-25T23:00:00Z')]
      expect(await ids(day)).toEqual(
        expected(({ due_date }) => {
          const due = Date.parse(due_date ?? '')
          return due >= from && due < to
        }),
      )
    })

    test.each([{ status: 'done' }, { nope: 1 }, { at: 'x', status: 'overdue' }, { contact: 'x' }])(
      'the filter %j is refused',
      async (filter) => {
        const answer = await owner.client.rpc('task_page', { filter: filter as Json })
        expect(answer).toMatchObject({ status: 400 })
      },
    )

    test('nobody sees, counts or changes another user’s tasks', async () => {
      const mine = { ids: tasks.slice(0, 5).map(({ id }) => id) }
      expect(await ok(stranger.client.rpc('task_count', { filter: mine }))).toBe(0)
      const answer = await ok(
        stranger.client.rpc('update_tasks', { filter: mine, changes: { completed: true } }),
      )
      expect(answer).toEqual({ count: 0, batch: null })
      expect(await ok(stranger.client.rpc('delete_tasks', { filter: mine }))).toMatchObject({
        count: 0,
      })
      for (const name of ['task_page', 'task_count', 'task_counts', 'delete_tasks'] as const) {
        const refused = await database().anonymous.rpc(name, { filter: {} } as never)
        expect(refused.status).toBeGreaterThanOrEqual(401)
      }
    })
  })

  describe('writes to many are one batch, and undone at once', () => {
    test('completed, put off, deleted', async () => {
      const account = await database().signUp()
      const made = await ok(
        account.client
          .from('tasks')
          .insert(['a', 'b', 'c'].map((title) => ({ title })))
          .select('id'),
      )
      const filter = { ids: made.slice(0, 2).map(({ id }) => id) }
      const rows = () =>
        ok(account.client.from('tasks').select('title, completed, due_date').order('title'))
      const before = await rows()
      for (const changes of [{ completed: true }, { due_date: '2030-01-01T09:00:00Z' }]) {
        const answer: unknown = await ok(account.client.rpc('update_tasks', { filter, changes }))
        const { count, batch } = answer as Bulk
        expect(count).toBe(2)
        expect(await rows()).not.toEqual(before)
        await ok(account.client.rpc('undo_batch', { batch: batch ?? '' }))
        expect(await rows()).toEqual(before)
      }
      const answer: unknown = await ok(account.client.rpc('delete_tasks', { filter }))
      expect(await rows()).toHaveLength(1)
      await ok(account.client.rpc('undo_batch', { batch: (answer as Bulk).batch ?? '' }))
      expect(await rows()).toEqual(before)
      const refused = await account.client.rpc('update_tasks', { filter, changes: { title: 'x' } })
      expect(refused).toMatchObject({ status: 400 })
    })
  })

  describe('repetition', () => {
    async function nextDue(
      task: Record<string, unknown>,
      doneAt: string,
      timeZone = 'Europe/Berlin',
    ): Promise<string | null> {
      const [found] = await database().query<{ due: string | null }>(
        `select to_char(private.next_due_date(
           jsonb_populate_record(null::public.tasks, ?::jsonb), ?::timestamptz, ?) at time zone ?,
           'YYYY-MM-DD HH24:MI') as due`,
        JSON.stringify(task),
        doneAt,
        timeZone,
        timeZone,
      )
      return found?.due ?? null
    }

    const berlin = (day: string, time = '09:00') =>
      new Date(Date.parse(`${day}T${time}:00+01:00`)).toISOString()

    test.each([
      [
        'daily, done on time',
        { repeat: 'daily', due_date: berlin('2026-11-15') },
        berlin('2026-11-15', '08:00'),
        '2026-11-16 09:00',
      ],
      [
        'daily, done days later',
        { repeat: 'daily', due_date: berlin('2026-11-10') },
        berlin('2026-11-15', '12:00'),
        '2026-11-16 09:00',
      ],
      [
        'daily, done days later in the morning',
        { repeat: 'daily', due_date: berlin('2026-11-10') },
        berlin('2026-11-15', '07:00'),
        '2026-11-15 09:00',
      ],
      [
        'daily, over the night the clock goes forward',
        { repeat: 'daily', due_date: berlin('2026-03-28') },
        berlin('2026-03-28'),
        '2026-03-29 09:00',
      ],
      [
        'daily, in the hour that is skipped',
        { repeat: 'daily', due_date: berlin('2026-03-28', '02:30') },
        berlin('2026-03-28'),
        '2026-03-29 03:30',
      ],
      [
        'daily, put off by three hours',
        {
          repeat: 'daily',
          repeat_start: berlin('2026-11-01'),
          due_date: berlin('2026-11-15', '12:00'),
        },
        berlin('2026-11-15', '12:30'),
        '2026-11-16 09:00',
      ],
      [
        'weekly on Monday and Friday',
        { repeat: 'weekly', repeat_days: [1, 5], due_date: berlin('2026-11-13') },
        berlin('2026-11-13'),
        '2026-11-16 09:00',
      ],
      [
        'weekly on the same day',
        { repeat: 'weekly', repeat_days: [0], due_date: berlin('2026-11-15') },
        berlin('2026-11-15'),
        '2026-11-22 09:00',
      ],
      [
        'monthly from the 31st',
        { repeat: 'monthly', repeat_start: berlin('2026-01-31'), due_date: berlin('2026-01-31') },
        berlin('2026-01-31'),
        '2026-02-28 09:00',
      ],
      [
        'monthly from the 31st, after February',
        { repeat: 'monthly', repeat_start: berlin('2026-01-31'), due_date: berlin('2026-02-28') },
        berlin('2026-02-28'),
        '2026-03-31 09:00',
      ],
      [
        'yearly from a leap day',
        { repeat: 'yearly', repeat_start: berlin('2024-02-29'), due_date: berlin('2027-02-28') },
        berlin('2027-02-28'),
        '2028-02-29 09:00',
      ],
      [
        'three days after its completion',
        { repeat: 'after', repeat_every: 3, due_date: berlin('2026-11-10') },
        berlin('2026-11-15', '20:00'),
        '2026-11-18 09:00',
      ],
      [
        'after its completion, without a due date',
        { repeat: 'after', repeat_every: 1, due_date: null },
        berlin('2026-11-15', '20:00'),
        '2026-11-16 20:00',
      ],
    ])('%s', async (_name, task, doneAt, expected) => {
      expect(await nextDue(task, doneAt)).toBe(expected)
    })

    async function weekly(account: Account) {
      const { id } = await add(account, 'tasks', {
        title: 'Report',
        due_date: '2020-01-06T09:00:00Z',
        repeat: 'weekly',
        repeat_days: [1],
        priority: 'high',
      })
      const all = () =>
        ok(
          account.client
            .from('tasks')
            .select('id, title, completed, due_date, repeat, repeat_days, priority, repeated_from')
            .order('created_at'),
        )
      const complete = (completed: boolean) =>
        ok(account.client.from('tasks').update({ completed }).eq('id', id).select())
      return { id, all, complete }
    }

    test('completing makes the next one in the same batch, reopening removes it', async () => {
      const account = await database().signUp()
      const { id, all, complete } = await weekly(account)
      await complete(true)
      const [done, next] = await all()
      expect(done).toMatchObject({ id, completed: true })
      expect(next).toMatchObject({
        title: 'Report',
        completed: false,
        repeat: 'weekly',
        repeat_days: [1],
        priority: 'high',
        repeated_from: id,
      })
      expect(Date.parse(next?.due_date ?? '')).toBeGreaterThan(Date.now())
      expect(new Date(next?.due_date ?? '').getUTCDay()).toBe(1)
      const changes = await ok(
        account.client
          .from('changes')
          .select('batch, verb')
          .order('id', { ascending: false })
          .limit(2),
      )
      expect(changes[0]?.batch).toBe(changes[1]?.batch)
      await complete(false)
      expect(await all()).toHaveLength(1)
      await complete(true)
      expect(await all()).toHaveLength(2)
      // Undo takes both back, and does not repeat anything itself.
      const [last] = await ok(
        account.client.from('changes').select('batch').order('id', { ascending: false }).limit(1),
      )
      await ok(account.client.rpc('undo_batch', { batch: last?.batch ?? '' }))
      expect(await all()).toMatchObject([{ id, completed: false }])
    })

    test('a next one that was touched stays, and is not made twice', async () => {
      const account = await database().signUp()
      const { all, complete } = await weekly(account)
      await complete(true)
      const [, next] = await all()
      await ok(
        account.client
          .from('tasks')
          .update({ title: 'Report, with figures' })
          .eq('id', next?.id ?? '')
          .select(),
      )
      await complete(false)
      await complete(true)
      expect((await all()).map(({ title }) => title)).toEqual(['Report', 'Report, with figures'])
    })

    test.each([
      { repeat: 'hourly' },
      { repeat: 'weekly', due_date: '2026-01-01T00:00:00Z' },
      { repeat: 'weekly', repeat_days: [7], due_date: '2026-01-01T00:00:00Z' },
      { repeat: 'weekly', repeat_days: [], due_date: '2026-01-01T00:00:00Z' },
      { repeat: 'daily' },
      { repeat: 'after' },
      { repeat: 'after', repeat_every: 0 },
      { repeat_days: [1] },
      { repeated_from: '1b4e28ba-2fa1-41d2-883f-0016d3cca427' },
    ])('%j is refused', async (values) => {
      const { error } = await owner.client
        .from('tasks')
        .insert({ title: 'x', ...values } as never)
        .select()
      expect(error).not.toBeNull()
    })
  })
})
