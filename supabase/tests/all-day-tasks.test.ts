import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

onAnyDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
    await inZone('Europe/Berlin')
  })

  const inZone = (time_zone: string, account = owner) =>
    ok(account.client.from('preferences').update({ time_zone }).gte('week_starts_on', 0).select())

  const addTask = (values: object) =>
    ok(
      owner.client
        .from('tasks')
        .insert({ title: 'Call', ...values })
        .select()
        .single(),
    )

  const change = (id: string, values: object) =>
    ok(owner.client.from('tasks').update(values).eq('id', id).select().single())

  async function due(id: string, account = owner) {
    const found = await ok(
      account.client
        .from('tasks')
        .select('due_date, due_all_day, repeat_start')
        .eq('id', id)
        .single(),
    )
    return found
  }

  async function lastBatch(): Promise<string> {
    const newest = { ascending: false }
    const [last] = await ok(
      owner.client.from('changes').select('batch').order('id', newest).limit(1),
    )
    return last?.batch ?? ''
  }

  const whole = (due_date: string) => ({ due_date, due_all_day: true })
  const november16 = '2026-11-16T22:59:59+00:00'

  describe('a task that is due on a day', () => {
    test.each([
      ['2026-11-16T00:00:00+01:00', november16],
      ['2026-11-16T12:34:56.789+01:00', november16],
      ['2026-11-16T22:59:59Z', november16],
      ['2026-11-16T23:00:00Z', '2026-11-17T22:59:59+00:00'],
      // The day of 25 hours.
      ['2026-10-25T00:00:00+02:00', '2026-10-25T22:59:59+00:00'],
    ])('written as %s is due at %s', async (written, stored) => {
      expect(await addTask(whole(written))).toMatchObject(whole(stored))
    })

    test('stays one whoever writes, until it has an hour or no date', async () => {
      const { id } = await addTask(whole('2026-11-16T12:00:00Z'))
      expect(await change(id, { title: 'Call back' })).toMatchObject(whole(november16))
      expect(await change(id, { due_date: '2026-11-18T07:00:00Z' })).toMatchObject(
        whole('2026-11-18T22:59:59+00:00'),
      )
      const hour = { due_date: '2026-11-18T07:00:00+00:00', due_all_day: false }
      expect(await change(id, hour)).toMatchObject(hour)
      expect(await change(id, { due_date: null, due_all_day: true })).toMatchObject({
        due_date: null,
        due_all_day: false,
      })
    })

    test('is shown as one in every list, and is not overdue before its day is over', async () => {
      const { id } = await addTask(whole('2026-11-16T12:00:00Z'))
      const counts = (at: string) =>
        ok(owner.client.rpc('task_counts', { at, time_zone: 'Europe/Berlin' }))
      expect(await counts('2026-11-16T22:59:58Z')).toMatchObject({ overdue: 0, due_today: 1 })
      expect(await counts('2026-11-16T23:00:00Z')).toMatchObject({ overdue: 1, due_today: 0 })
      expect(await ok(owner.client.rpc('task_page', {}))).toMatchObject({
        rows: [{ id, due_all_day: true }],
      })
      const board = await ok(
        owner.client.rpc('dashboard', { at: '2026-11-16T10:00:00Z', time_zone: 'Europe/Berlin' }),
      )
      expect(board).toMatchObject({ today: { rows: [{ id, due_all_day: true }] } })
    })

    test('an account whose zone is not known yet keeps what was written', async () => {
      const unknown = await database().signUp()
      const { id } = await ok(
        unknown.client
          .from('tasks')
          .insert({ title: 'x', due_date: '2026-11-17T04:59:59Z', due_all_day: true })
          .select('id')
          .single(),
      )
      expect(await due(id, unknown)).toMatchObject(whole('2026-11-17T04:59:59+00:00'))
      await inZone('America/New_York', unknown)
      expect(await due(id, unknown)).toMatchObject(whole('2026-11-17T04:59:59+00:00'))
    })

    test('many at once', async () => {
      const ids = [(await addTask({})).id, (await addTask(whole('2026-11-16T12:00:00Z'))).id]
      const set = (changes: Record<string, string | boolean>) =>
        ok(owner.client.rpc('update_tasks', { filter: { ids }, changes }))
      await set({ due_date: '2026-11-20T12:00:00Z', due_all_day: true })
      for (const id of ids) {
        expect(await due(id)).toMatchObject(whole('2026-11-20T22:59:59+00:00'))
      }
      // Priorities say nothing of dates; a date without a word of days has its hour.
      await set({ priority: 'high' })
      expect(await due(ids[0] ?? '')).toMatchObject({ due_all_day: true })
      await set({ due_date: '2026-11-21T12:00:00Z' })
      for (const id of ids) {
        expect(await due(id)).toMatchObject({
          due_date: '2026-11-21T12:00:00+00:00',
          due_all_day: false,
        })
      }
    })

    test('quick add', async () => {
      const task = { title: 'Call', ...whole('2026-11-16T22:59:59Z'), priority: 'medium' }
      const line = { contact: null, company: null, deal: null, task }
      await ok(owner.client.rpc('quick_add', { line, batch: randomUUID() }))
      expect(await ok(owner.client.from('tasks').select())).toMatchObject([whole(november16)])
    })

    test('the calendar is told its day', async () => {
      const inAWeek = new Date(Date.now() + 7 * 86_400_000)
      const day = inAWeek.toISOString().slice(0, 10)
      await addTask(whole(`${day}T12:00:00Z`))
      await addTask({ title: 'At an hour', due_date: inAWeek.toISOString() })
      const { token } = await ok(owner.client.rpc('create_calendar_feed'))
      const { tasks } = (await database().backend.calendarEvents(token)) as {
        tasks: { title: string; due_day: string | null }[]
      }
      const days = Object.fromEntries(tasks.map(({ title, due_day }) => [title, due_day]))
      expect(days).toEqual({ Call: day, 'At an hour': null })
    })
  })

  describe('repetition', () => {
    async function successor(of: string) {
      await change(of, { completed: true })
      return ok(owner.client.from('tasks').select().eq('repeated_from', of).single())
    }
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const daily = { ...whole(`${tomorrow}T12:00:00Z`), repeat: 'daily' }

    test('a whole day follows on a whole day', async () => {
      const { id, due_date } = await addTask(daily)
      const next = await successor(id)
      expect(next.due_all_day).toBe(true)
      const [before, after] = [due_date, next.due_date].map((each) => Date.parse(each ?? ''))
      // One day, or an hour more or less where the clock changes.
      expect(Math.round(((after ?? 0) - (before ?? 0)) / 86_400_000)).toBe(1)
    })

    test('however one of them was put off', async () => {
      const toAnHour = await addTask(daily)
      await change(toAnHour.id, { due_date: `${tomorrow}T09:00:00Z`, due_all_day: false })
      expect(await successor(toAnHour.id)).toMatchObject({ due_all_day: true })
      const atAnHour = await addTask({ due_date: `${tomorrow}T09:00:00Z`, repeat: 'daily' })
      await change(atAnHour.id, { due_all_day: true })
      const next = await successor(atAnHour.id)
      expect(next.due_all_day).toBe(false)
      expect(next.due_date).toContain('T09:00:00')
    })
  })

  describe('another time zone', () => {
    test.each([
      ['America/Los_Angeles', '2026-11-17T07:59:59+00:00'],
      ['Pacific/Kiritimati', '2026-11-16T09:59:59+00:00'],
      ['Pacific/Pago_Pago', '2026-11-17T10:59:59+00:00'],
    ])('%s: due on the same day, without a word in the history', async (zone, there) => {
      const day = await addTask({ ...whole(november16), repeat: 'daily' })
      const hour = await addTask({ due_date: '2026-11-16T08:00:00+00:00', repeat: 'daily' })
      const before = await lastBatch()
      await inZone(zone)
      expect(await due(day.id)).toEqual({ ...whole(there), repeat_start: there })
      expect(await due(hour.id)).toMatchObject({ due_date: hour.due_date, due_all_day: false })
      expect(await lastBatch()).toBe(before)
      await inZone('Europe/Berlin')
      expect(await due(day.id)).toEqual({ ...whole(november16), repeat_start: november16 })
    })

    test('what comes next of a repeating task is still untouched, and goes when the task is opened again', async () => {
      const { id } = await addTask({ ...whole(november16), repeat: 'daily' })
      await change(id, { completed: true })
      await inZone('Asia/Tokyo')
      await change(id, { completed: false })
      const { data } = await owner.client.from('tasks').select('id').eq('repeated_from', id)
      expect(data).toEqual([])
      await inZone('Europe/Berlin')
    })

    test('undo, the trash and older entries of the log bring back the day that was meant', async () => {
      await inZone('America/New_York')
      const { id } = await addTask(whole('2026-11-16T12:00:00Z'))
      await change(id, { due_date: '2026-11-20T12:00:00Z' })
      const moved = await lastBatch()
      // Half a day away at most: farther, the nearest end of a day may be another's.
      await inZone('Asia/Kolkata')
      await ok(owner.client.rpc('undo_batch', { batch: moved, conflicts: 'all' }))
      expect(await due(id)).toMatchObject(whole('2026-11-16T18:29:59+00:00'))

      await inZone('America/New_York')
      await ok(owner.client.from('tasks').delete().eq('id', id).select())
      const deleted = await lastBatch()
      await inZone('Europe/Berlin')
      await ok(owner.client.rpc('undo_batch', { batch: deleted }))
      expect(await due(id)).toMatchObject(whole(november16))

      // As it was logged before there were whole days.
      await ok(owner.client.from('tasks').delete().eq('id', id).select())
      const old = await lastBatch()
      await database().query(
        `update public.changes set before = before - 'due_all_day' where batch = ? and table_name = 'tasks'`,
        old,
      )
      await ok(owner.client.rpc('undo_batch', { batch: old }))
      expect(await due(id)).toMatchObject({ due_date: november16, due_all_day: false })
    })
  })

  describe('the search of tasks', () => {
    test('knows the names of what a task is linked to, and of nothing else', async () => {
      const company = await add(owner, 'companies', { name: 'Škoda Plzeň', industry: 'Cars' })
      const contact = await add(owner, 'contacts', {
        first_name: 'Anna',
        last_name: 'Schmidt',
        email: 'boss@acme.example',
      })
      const deal = await add(owner, 'deals', { name: 'Renewal 100%' })
      const other = await database().signUp()
      await add(other, 'contacts', { first_name: 'Anna', last_name: 'Schmidt' })
      await addTask({ title: 'of the company', company_id: company.id })
      await addTask({ title: 'of the contact', contact_id: contact.id })
      await addTask({ title: 'of the deal', deal_id: deal.id, completed: true })
      await addTask({ title: 'Renewal itself', due_date: '2020-01-01T00:00:00Z' })
      await addTask({ title: 'of nobody' })
      const found = async (search: string, status?: string) => {
        const filter = { search, ...(status ? { status } : {}) }
        const page = (await ok(owner.client.rpc('task_page', { filter }))) as {
          rows: { title: string }[]
        }
        expect(await ok(owner.client.rpc('task_count', { filter }))).toBe(page.rows.length)
        return page.rows.map(({ title }) => title).sort()
      }
      expect(await found('skoda')).toEqual(['of the company'])
      expect(await found('a schm')).toEqual(['of the contact'])
      expect(await found('renewal')).toEqual(['Renewal itself', 'of the deal'])
      expect(await found('renewal', 'completed')).toEqual(['of the deal'])
      expect(await found('100%')).toEqual(['of the deal'])
      // Their other fields are not theirs to be found by.
      expect(await found('boss@acme')).toEqual([])
      expect(await found('cars')).toEqual([])

      const tabs = (filter: { search?: string; status?: string; at?: string }) =>
        ok(owner.client.rpc('task_tab_counts', { filter }))
      const renewals = { total: 2, completed: 1, pending: 1, overdue: 1 }
      expect(await tabs({ search: 'renewal' })).toEqual(renewals)
      expect(await tabs({ search: 'renewal', status: 'pending' })).toEqual(renewals)
      expect(await tabs({ search: 'renewal', at: '2019-01-01T00:00:00Z' })).toMatchObject({
        overdue: 0,
      })
      expect(await tabs({})).toEqual({ total: 5, completed: 1, pending: 4, overdue: 1 })
      const { error } = await database().anonymous.rpc('task_tab_counts', {})
      expect(error).not.toBeNull()
    })

    test('a name that thousands have', async () => {
      const contacts = Array.from({ length: 1200 }, (_, index) => ({ first_name: `Bob ${index}` }))
      const made = await ok(owner.client.from('contacts').insert(contacts).select('id'))
      await ok(
        owner.client
          .from('tasks')
          .insert(made.slice(0, 3).map(({ id }) => ({ title: 'Call', contact_id: id })))
          .select('id'),
      )
      await addTask({ title: 'Somebody else' })
      expect(await ok(owner.client.rpc('task_count', { filter: { search: 'bob' } }))).toBe(3)
    })
  })
})
