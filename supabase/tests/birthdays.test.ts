import { beforeEach, expect, test } from 'vitest'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { add } from './samples.ts'

type Values = Record<string, unknown>

onOneDatabase((database, isSmoke) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  const born = (birthday: string | null, birthday_reminder: number | null, values: Values = {}) =>
    add(owner, 'contacts', { birthday, birthday_reminder, last_name: 'Lovelace', ...values })
  const change = (id: string, values: Values) =>
    ok(
      owner.client
        .from('contacts')
        .update(values as never)
        .eq('id', id)
        .select(),
    )
  const taskChange = (id: string, values: Values) =>
    ok(
      owner.client
        .from('tasks')
        .update(values as never)
        .eq('id', id)
        .select(),
    )
  async function tasks(who = owner, completed = false) {
    return ok(
      who.client
        .from('tasks')
        .select('id, title, due_date, due_all_day, birthday_on, contact_id')
        .eq('completed', completed)
        .order('due_date'),
    )
  }
  async function theTask() {
    const [task, ...more] = await tasks()
    expect(more).toEqual([])
    if (!task) throw new Error('There is no task.')
    return task
  }
  async function undoLast() {
    const [last] = await ok(
      owner.client.from('changes').select('batch').order('id', { ascending: false }).limit(1),
    )
    await ok(owner.client.rpc('undo_batch', { batch: last?.batch ?? '' }))
  }
  /** A birthday so many days from today, without a year, and its day. */
  function inDays(days: number) {
    const on = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    return { birthday: `--${on.slice(5)}`, on }
  }
  const dayBefore = (day: string, days: number) =>
    new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)

  test.each([
    ['1990-05-03', true],
    ['--05-03', true],
    ['--02-29', true],
    ['2000-02-29', true],
    ['1990-02-29', false],
    ['--02-30', false],
    ['--13-01', false],
    ['05-03', false],
    ['1790-05-03', false],
    ['May 3', false],
  ])('a birthday %s is stored: %s', async (birthday, isStored) => {
    const { error } = await owner.client.from('contacts').insert({ birthday })
    expect(error === null).toBe(isStored)
  })

  test.each([
    ['--02-29', '2026-01-10', '2026-02-28'],
    ['--02-29', '2026-03-01', '2027-02-28'],
    ['2000-02-29', '2027-12-01', '2028-02-29'],
    ['1990-05-03', '2026-05-03', '2026-05-03'],
    ['1990-05-03', '2026-05-04', '2027-05-03'],
  ])('after %s the birthday from %s on is %s', async (birthday, from, next) => {
    const [row] = await database().query<{ day: string }>(
      'select private.next_birthday(?, ?::date)::text as day',
      birthday,
      from,
    )
    expect(row?.day).toBe(next)
  })

  test('the task comes with the reminder, and moves, is renamed and goes with its contact', async () => {
    const { birthday, on } = inDays(40)
    const { id } = await born(birthday, null)
    expect(await tasks()).toEqual([])
    await change(id, { birthday_reminder: 7 })
    const task = await theTask()
    expect(task).toMatchObject({
      title: 'Birthday of Ada Lovelace',
      contact_id: id,
      birthday_on: on,
      due_all_day: true,
    })
    expect(task.due_date?.slice(0, 10)).toBe(dayBefore(on, 7))
    await change(id, { first_name: 'Augusta' })
    expect(await theTask()).toMatchObject({ id: task.id, title: 'Birthday of Augusta Lovelace' })
    await change(id, { birthday_reminder: 0, notes: 'Likes tea' })
    expect((await theTask()).due_date?.slice(0, 10)).toBe(on)
    const later = inDays(50)
    await change(id, { birthday: later.birthday })
    expect(await theTask()).toMatchObject({ id: task.id, birthday_on: later.on })
    await change(id, { birthday_reminder: null })
    expect(await tasks()).toEqual([])
    await undoLast()
    expect(await theTask()).toMatchObject({ id: task.id, birthday_on: later.on })
    await change(id, { birthday: null })
    expect(await tasks()).toEqual([])
  })

  if (isSmoke) return

  test('what the user wrote into it stays; one that is nearer than the days is due today', async () => {
    const near = inDays(3)
    const { id } = await born(near.birthday, 14)
    const task = await theTask()
    expect(task.due_date?.slice(0, 10)).toBe(dayBefore(near.on, 3))
    const put_off = `${dayBefore(near.on, 1)}T12:00:00+00:00`
    await taskChange(task.id, { title: 'Buy flowers', due_date: put_off })
    await change(id, { first_name: 'Augusta' })
    expect(await theTask()).toMatchObject({ title: 'Buy flowers' })
    expect((await theTask()).due_date?.slice(0, 10)).toBe(dayBefore(near.on, 1))
  })

  test('done, the next one is that of the next year; opened again, it is the only one', async () => {
    const { birthday, on } = inDays(20)
    await born(birthday, 5)
    const first = await theTask()
    await taskChange(first.id, { completed: true })
    const next = await theTask()
    expect(next.birthday_on?.slice(0, 4)).toBe(String(Number(on.slice(0, 4)) + 1))
    expect(next.id).not.toBe(first.id)
    await taskChange(first.id, { completed: false })
    expect(await theTask()).toMatchObject({ id: first.id, birthday_on: on })
    await taskChange(first.id, { completed: true })
    await undoLast()
    expect(await theTask()).toMatchObject({ id: first.id })
  })

  test('nobody completed it: when it is time for the next birthday, it is for that', async () => {
    const soon = inDays(5)
    const { id } = await born(soon.birthday, 14)
    const { id: task } = await theTask()
    const moved = () => ok(owner.client.rpc('move_birthdays'))
    // As if it had been left since the birthday before.
    const age = (day: string) =>
      database().query(
        `update public.tasks set birthday_on = '${day}', due_date = '${day}T22:59:59Z' where id = '${task}'`,
      )
    const lastYear = `${Number(soon.on.slice(0, 4)) - 1}${soon.on.slice(4)}`
    const count = async () =>
      (await ok(owner.client.from('changes').select('id').eq('row_id', task))).length
    await age(lastYear)
    const told = await count()
    expect(await moved()).toBe(1)
    const today = new Date().toISOString().slice(0, 10)
    expect(await theTask()).toMatchObject({ id: task, birthday_on: soon.on, due_all_day: true })
    expect((await theTask()).due_date?.slice(0, 10)).toBe(today)
    // Nobody did that, and nothing is left to do.
    expect(await count()).toBe(told)
    expect(await moved()).toBe(0)
    // Until then it stays as it is: the greeting may still be sent.
    await change(id, { birthday_reminder: 2 })
    await age(lastYear)
    expect(await moved()).toBe(0)
    expect((await theTask()).birthday_on).toBe(lastYear)
    const stranger = await database().signUp()
    expect(await ok(stranger.client.rpc('move_birthdays'))).toBe(0)
  })

  test('who deletes the task is reminded no more, until that is undone', async () => {
    const { birthday } = inDays(20)
    const { id } = await born(birthday, 5)
    const { id: task } = await theTask()
    const reminder = async () => {
      const [row] = await ok(owner.client.from('contacts').select('birthday_reminder').eq('id', id))
      return row?.birthday_reminder
    }
    await ok(owner.client.from('tasks').delete().eq('id', task).select())
    expect([await reminder(), await tasks()]).toEqual([null, []])
    await undoLast()
    expect(await reminder()).toBe(5)
    expect(await theTask()).toMatchObject({ id: task })
  })

  test('trash and undo bring the contact back with its one task', async () => {
    const { birthday } = inDays(20)
    const { id } = await born(birthday, 5)
    const { id: task } = await theTask()
    await ok(owner.client.from('contacts').delete().eq('id', id).select())
    expect(await tasks()).toEqual([])
    await undoLast()
    expect(await theTask()).toMatchObject({ id: task, contact_id: id })
    await undoLast()
    expect(await tasks()).toEqual([])
  })

  test('two that are merged keep one task, and undo gives each its own', async () => {
    const { birthday } = inDays(20)
    const keep = await born(birthday, 5)
    const gone = await born(birthday, 7, { first_name: 'A.' })
    const seen = { [keep.id]: keep.updated_at, [gone.id]: gone.updated_at } as never
    const before = await tasks()
    expect(before).toHaveLength(2)
    await ok(owner.client.rpc('merge_contacts', { keep: keep.id, seen, changes: {} }))
    expect(await theTask()).toMatchObject({ contact_id: keep.id })
    await undoLast()
    expect(await tasks()).toEqual(before)
    const bare = await born(null, null, { first_name: 'Bare' })
    const again = { [bare.id]: bare.updated_at, [gone.id]: gone.updated_at } as never
    await ok(
      owner.client.rpc('merge_contacts', {
        keep: bare.id,
        seen: again,
        changes: { birthday, birthday_reminder: 7 },
      }),
    )
    expect(await tasks()).toHaveLength(2)
  })

  test('an import makes one for each; a file that lacks the year takes none away', async () => {
    const calls = importCalls(owner)
    const rows = rowsOf(
      { first_name: 'Ada', birthday: '1990-05-03', birthday_reminder: 3 },
      { first_name: 'Bob', birthday: '--05-04' },
    )
    expect((await calls.whole('contacts', rows)).summary).toMatchObject({ added: 2 })
    expect(await theTask()).toMatchObject({ title: 'Birthday of Ada' })
    const again = rowsOf(
      { first_name: 'Ada', birthday: '--05-03' },
      { first_name: 'Bob', birthday: '1991-05-04' },
    )
    const { batch } = await calls.whole('contacts', again, 'update')
    const births = async () => {
      const all = await ok(owner.client.from('contacts').select('birthday').order('first_name'))
      return all.map((row) => row.birthday)
    }
    expect(await births()).toEqual(['1990-05-03', '1991-05-04'])
    await theTask()
    await ok(owner.client.rpc('undo_batch', { batch: String(batch) }))
    expect(await births()).toEqual(['1990-05-03', '--05-04'])
  })

  test('a backup brings contact and task, and makes no second one', async () => {
    const { birthday, on } = inDays(20)
    await born(birthday, 5)
    const other = await database().signUp()
    const parts = await backUp(owner)
    expect((await sendBackup(other, parts, { account: owner.id })).error).toBeNull()
    const [task, ...more] = await tasks(other)
    expect(more).toEqual([])
    expect(task).toMatchObject({ birthday_on: on })
    await ok(
      other.client
        .from('tasks')
        .update({ completed: true })
        .eq('id', task?.id ?? '')
        .select(),
    )
    expect(await tasks(other)).toHaveLength(1)
  })

  test('days are those of the account', async () => {
    await ok(
      owner.client
        .from('preferences')
        .upsert({ user_id: owner.id, time_zone: 'Pacific/Kiritimati' } as never)
        .select(),
    )
    const { birthday, on } = inDays(40)
    await born(birthday, 1)
    const { due_date, birthday_on } = await theTask()
    expect(birthday_on).toBe(on)
    // The last second of the day before, fourteen hours ahead of UTC.
    expect(new Date(due_date ?? '').toISOString()).toBe(`${dayBefore(on, 1)}T09:59:59.000Z`)
  })

  test('nobody writes what a task reminds of, and an account goes with all of it', async () => {
    const { birthday } = inDays(20)
    await born(birthday, 5)
    const { id } = await theTask()
    const forged = owner.client
      .from('tasks')
      .update({ birthday_on: '2030-01-01' } as never)
      .eq('id', id)
    expect((await forged).status).toBe(403)
    await database().query('delete from auth.users where id = ?', owner.id)
    const left = await database().query('select id from public.tasks where user_id = ?', owner.id)
    expect(left).toEqual([])
  })
})
