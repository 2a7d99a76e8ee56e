import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase, onEachDatabase } from './harness.ts'
import { add } from './samples.ts'

type Args = Record<string, unknown>
type Answer = {
  row?: Record<string, unknown> | null
  next_step?: Record<string, unknown> | null
  records?: { kind: string; is_new: boolean }[]
  conflict?: Record<string, unknown>
  batch: string | null
  is_taken_back?: boolean
}

const send = (who: Account, batch: string, action: string, args: Args) =>
  who.client.rpc('write_once', { batch, action, args: args as never })

async function write(who: Account, action: string, args: Args, batch: string = randomUUID()) {
  return (await ok(send(who, batch, action, args))) as Answer
}

const changesOf = (who: Account, batch: string) =>
  ok(who.client.from('changes').select('table_name, verb').eq('batch', batch).order('id'))

/** One write of each kind on records of an account, with ids of its own. */
async function everyKind(of: Account): Promise<{ action: string; args: Args }[]> {
  const contact = String((await add(of, 'contacts')).id)
  const note = String((await add(of, 'notes', { contact_id: contact })).id)
  const task = String((await add(of, 'tasks')).id)
  const deal = String((await add(of, 'deals')).id)
  const stages = await ok(of.client.from('pipeline_stages').select('id').order('order').limit(2))
  const next_step = () => ({ id: randomUUID(), title: 'Write', contact_id: contact })
  const call = () => ({ id: randomUUID(), kind: 'call', body: 'Called', contact_id: contact })
  return [
    { action: 'add note', args: { values: call() } },
    { action: 'add note', args: { values: call(), next_step: next_step() } },
    { action: 'edit note', args: { id: note, values: { body: 'Likes coffee' } } },
    { action: 'add contact', args: { values: { id: randomUUID(), first_name: 'Grace' } } },
    {
      action: 'add task',
      args: { values: { id: randomUUID(), title: 'Meet', repeat_days: null, contact_id: contact } },
    },
    { action: 'complete task', args: { id: task, values: { completed: true } } },
    { action: 'plan next step', args: { id: task, next_step: next_step() } },
    {
      action: 'snooze task',
      args: { id: task, values: { due_date: '2030-01-01T10:00:00Z', due_all_day: false } },
    },
    { action: 'move deal', args: { id: deal, stage_id: stages[1]?.id ?? null } },
    { action: 'quick add', args: { line: { task: { title: 'Call back' } } } },
  ]
}

const tables = ['contacts', 'notes', 'tasks', 'deals'] as const

async function everything(of: Account) {
  const all: unknown[] = []
  for (const table of tables) all.push(await ok(of.client.from(table).select().order('id')))
  return all
}

onEachDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  test('sent again, each kind writes nothing and answers the same; its batch undoes it', async () => {
    for (const { action, args } of await everyKind(owner)) {
      const before = await everything(owner)
      const batch = randomUUID()
      const first = await write(owner, action, args, batch)
      expect(first.batch).toBeTruthy()
      const written = await everything(owner)
      expect(written, action).not.toEqual(before)
      expect(await write(owner, action, args, batch), action).toEqual(first)
      expect(await everything(owner), action).toEqual(written)
      if (action !== 'plan next step') expect(first.batch).toBe(batch)
      // Undone in the order in which it was written, later; here only the one that stands alone.
      if (action !== 'quick add') continue
      await ok(owner.client.rpc('undo_batch', { batch }))
      expect(await everything(owner)).toEqual(before)
    }
  })

  test('two sends at once are one write', async () => {
    const values = { id: randomUUID(), first_name: 'Grace' }
    const batch = randomUUID()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => write(owner, 'add contact', { values }, batch)),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const another = randomUUID()
    const lines = await Promise.all(
      [1, 2, 3].map(() =>
        write(owner, 'quick add', { line: { contact: { first_name: 'Ada' } } }, another),
      ),
    )
    for (const line of lines) expect(line).toEqual(lines[0])
    expect(
      await ok(owner.client.from('contacts').select('first_name').order('first_name')),
    ).toEqual([{ first_name: 'Ada' }, { first_name: 'Grace' }])
    expect(await changesOf(owner, batch)).toEqual([{ table_name: 'contacts', verb: 'insert' }])
  })

  test('a batch that another account has used is one’s own as well', async () => {
    const other = await database().signUp()
    const batch = randomUUID()
    const grace = { values: { id: randomUUID(), first_name: 'Grace' } }
    await write(owner, 'add contact', grace, batch)
    const told = await write(
      other,
      'add contact',
      { values: { id: randomUUID(), first_name: 'Ada' } },
      batch,
    )
    expect(told).toMatchObject({ row: { first_name: 'Ada' }, batch })
    // Nor does it tell or take back what the other wrote.
    expect(await write(other, 'take back', {}, randomUUID())).toMatchObject({ is_taken_back: true })
    expect(await ok(owner.client.from('contacts').select('first_name'))).toEqual([
      { first_name: 'Grace' },
    ])
  })

  test('no kind reaches records of another account', async () => {
    const kinds = await everyKind(owner)
    const before = await everything(owner)
    const thief = await database().signUp()
    for (const { action, args } of kinds) {
      if (action === 'quick add' || action === 'add contact') continue
      const { error } = await send(thief, randomUUID(), action, args)
      expect(error, action).not.toBeNull()
    }
    const [{ id: contact } = { id: '' }] = await ok(owner.client.from('contacts').select('id'))
    const [{ id: task } = { id: '' }] = await ok(owner.client.from('tasks').select('id'))
    const attacks: [string, Args][] = [
      ['add contact', { values: { id: contact, first_name: 'Taken' } }],
      ['add contact', { values: { id: randomUUID(), user_id: owner.id, first_name: 'Planted' } }],
      ['add task', { values: { id: task, title: 'Taken' } }],
      [
        'quick add',
        { line: { contact: { id: contact, first_name: 'Ada' }, task: { title: 'x' } } },
      ],
      ['quick add', { line: { task: { title: 'x', new_id: task } } }],
      ['edit note', { id: contact, values: { body: 'x' }, seen: {} }],
    ]
    for (const [action, args] of attacks) {
      expect((await send(thief, randomUUID(), action, args)).error, action).not.toBeNull()
    }
    expect(await everything(owner)).toEqual(before)
    const { error } = await database().anonymous.rpc('write_once', {
      batch: randomUUID(),
      action: 'add contact',
      args: {},
    })
    expect(error?.code).toBe('42501')
  })
})

onAnyDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  test('taken back it is never written, however late it comes; what is written tells how to undo it', async () => {
    const batch = randomUUID()
    const args = { values: { id: randomUUID(), first_name: 'Ada' } }
    expect(await write(owner, 'take back', {}, batch)).toEqual({ is_taken_back: true, batch: null })
    expect(await write(owner, 'add contact', args, batch)).toEqual({
      is_taken_back: true,
      batch: null,
    })
    expect(await ok(owner.client.from('contacts').select('id'))).toEqual([])
    const second = randomUUID()
    await write(owner, 'add contact', args, second)
    expect(await write(owner, 'take back', {}, second)).toEqual({
      is_taken_back: false,
      batch: second,
    })
  })

  test('what cannot be read is refused, and nothing is noted', async () => {
    const id = randomUUID()
    const bad: [string, Args][] = [
      ['delete contact', { id }],
      ['add contact', {}],
      ['add contact', { values: { first_name: 'No id' } }],
      ['add contact', { values: { id, first_name: 'Ada', nonsense: 1 } }],
      ['add contact', { values: { id, first_name: 'Ada', search_text: 'x' } }],
      ['edit note', { id, values: { contact_id: id } }],
      ['edit note', { values: { body: 'x' } }],
      ['edit note', { id, values: { body: 'x' } }],
      ['complete task', { id, values: { title: 'x' } }],
      ['add note', { values: { id, kind: 'call', body: 'x', contact_id: id } }],
      ['quick add', { line: [] }],
      ['quick add', {}],
    ]
    for (const [action, args] of bad) {
      const { error, status } = await send(owner, id, action, args)
      expect(error, JSON.stringify([action, args])).not.toBeNull()
      expect(status, JSON.stringify([action, args])).toBeLessThan(500)
      expect(status).toBeGreaterThanOrEqual(400)
    }
    expect((await send(owner, null as never, 'add contact', {})).error?.code).toBe('PT400')
    const good = { values: { id, first_name: 'Ada' } }
    expect(await write(owner, 'add contact', good, id)).toMatchObject({
      row: { first_name: 'Ada' },
    })
  })

  describe('a change over another one', () => {
    let note: string
    const seen = { body: 'Likes tea', outcome: null, happened_at: '2026-11-15T10:00:00.000Z' }
    beforeEach(async () => {
      note = String((await add(owner, 'notes', { ...seen, kind: 'call' })).id)
    })
    const edit = (values: Args, more: Args = { seen }) =>
      write(owner, 'edit note', { id: note, values, ...more })
    const changeElsewhere = (values: { body?: string; outcome?: string }) =>
      ok(owner.client.from('notes').update(values).eq('id', note).select('id'))
    const stored = async () => await ok(owner.client.from('notes').select().eq('id', note).single())

    test('to other fields is none', async () => {
      await changeElsewhere({ outcome: 'Reached' })
      expect(await edit({ body: 'Likes coffee', happened_at: seen.happened_at })).toMatchObject({
        row: { body: 'Likes coffee', outcome: 'Reached' },
      })
    })

    test('to the same is answered with the record as it is, and nothing is written', async () => {
      await changeElsewhere({ body: 'Likes water' })
      const batch = randomUUID()
      const args = { id: note, values: { body: 'Likes coffee' }, seen }
      const answer = await write(owner, 'edit note', args, batch)
      expect(answer).toMatchObject({ conflict: { id: note, body: 'Likes water' }, batch: null })
      expect(answer.conflict).not.toHaveProperty('user_id')
      expect(await stored()).toMatchObject({ body: 'Likes water' })
      // "Use mine": the same batch, over whatever is there.
      const mine = await write(owner, 'edit note', { id: note, values: args.values }, batch)
      expect(mine).toMatchObject({ row: { body: 'Likes coffee' }, batch })
    })

    test('that says the same is none', async () => {
      await changeElsewhere({ body: 'Likes coffee' })
      expect(await edit({ body: 'Likes coffee' })).toMatchObject({ row: { body: 'Likes coffee' } })
    })

    test('of a task’s date, and of a deal’s stage', async () => {
      const due_date = '2026-11-20T10:00:00.000Z'
      const task = await add(owner, 'tasks', { due_date })
      const later = { due_date: '2026-12-01T10:00:00Z', due_all_day: false }
      const before = { due_date, due_all_day: false }
      await ok(
        owner.client
          .from('tasks')
          .update({ due_date: '2026-11-25T10:00:00Z' })
          .eq('id', String(task.id))
          .select('id'),
      )
      const snooze = { id: task.id, values: later }
      expect(await write(owner, 'snooze task', { ...snooze, seen: before })).toHaveProperty(
        'conflict',
      )
      expect(await write(owner, 'snooze task', snooze)).toMatchObject({
        row: { due_date: '2026-12-01T10:00:00+00:00' },
      })
      const deal = await add(owner, 'deals')
      const stages = await ok(owner.client.from('pipeline_stages').select('id').order('order'))
      const [first, second, third] = stages.map(({ id }) => id)
      await ok(owner.client.rpc('move_deal', { id: String(deal.id), stage_id: second ?? '' }))
      const move = { id: deal.id, stage_id: third }
      expect(await write(owner, 'move deal', { ...move, seen: { stage_id: first } })).toMatchObject(
        {
          conflict: { stage_id: second },
        },
      )
      expect(
        await write(owner, 'move deal', { ...move, seen: { stage_id: second } }),
      ).toMatchObject({
        row: { stage_id: third },
      })
    })

    test('a move to won or lost finds the stage, and keeps the reason', async () => {
      const deal = await add(owner, 'deals')
      const outcomeOf = async () => {
        const { stage_id, lost_reason } = await ok(
          owner.client
            .from('deals')
            .select('stage_id, lost_reason')
            .eq('id', String(deal.id))
            .single(),
        )
        const stages = await ok(owner.client.from('pipeline_stages').select('id, outcome'))
        return [stages.find(({ id }) => id === stage_id)?.outcome, lost_reason]
      }
      const lost = { id: deal.id, outcome: 'lost', lost_reason: 'Price' }
      const seen = { stage_id: deal.stage_id ?? null }
      expect((await write(owner, 'move deal', { ...lost, seen })).batch).not.toBeNull()
      expect(await outcomeOf()).toEqual(['lost', 'Price'])
      const won = { id: deal.id, outcome: 'won', stage_id: null }
      expect(await write(owner, 'move deal', { ...won, seen })).toHaveProperty('conflict')
      await write(owner, 'move deal', won)
      expect((await outcomeOf())[0]).toBe('won')
      const gone = { ...won, id: randomUUID() }
      expect((await send(owner, randomUUID(), 'move deal', gone)).error?.code).toBe('PT404')
    })
  })

  describe('what waited on a device counts for when it was made', () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const at = (value: unknown) => Date.parse(String(value))
    async function addedAgo(days: number, values: Args = {}): Promise<string> {
      const id = randomUUID()
      const args = { values: { id, title: 'Call', ...values }, written_at: daysAgo(days) }
      await write(owner, 'add task', args)
      return id
    }
    const complete = (id: string, written_at: string) =>
      write(owner, 'complete task', { id, values: { completed: true }, written_at })
    const moments = (batch: string | null) =>
      ok(
        owner.client
          .from('changes')
          .select('created_at')
          .eq('batch', batch ?? ''),
      )

    test('a task: when it was added and completed, in the log, and for the one that follows', async () => {
      const id = await addedAgo(10, { repeat: 'after', repeat_every: 7 })
      const friday = daysAgo(3)
      const { row, batch } = await complete(id, friday)
      expect(at(row?.completed_at)).toBe(at(friday))
      expect(at(row?.created_at)).toBeLessThan(at(daysAgo(9.9)))
      const logged = await moments(batch)
      expect(logged.map(({ created_at }) => at(created_at))).toEqual([at(friday), at(friday)])
      const next = await ok(owner.client.from('tasks').select().eq('repeated_from', id).single())
      expect(at(next.due_date)).toBe(at(friday) + 7 * 86_400_000)
      // Nobody has touched it, so it goes when the task is reopened.
      await write(owner, 'complete task', { id, values: { completed: false } })
      expect(await ok(owner.client.from('tasks').select('completed_at'))).toEqual([
        { completed_at: null },
      ])
    })

    test('a window that slept hears of it, however much was written since it was made', async () => {
      const id = await addedAgo(10)
      // As many batches as the mark is made of, and one.
      const others = `insert into public.changes (user_id, batch, table_name, row_id, verb, created_at)
        select ?, gen_random_uuid(), 'companies', gen_random_uuid(), 'insert', now() - interval '1 day' from generate_series(1, 51)`
      await database().query(others, owner.id)
      await database().query(
        `update private.sent_writes set created_at = created_at - interval '1 day' where user_id = ?`,
        owner.id,
      )
      const newest = async () =>
        Object(await ok(owner.client.rpc('newest_change'))) as { mark: string; age: number }
      const before = await newest()
      expect(before.age).toBeGreaterThan(3_600_000)
      await complete(id, daysAgo(3))
      const after = await newest()
      expect(after.mark).not.toBe(before.mark)
      // By this a window decides that has no mark yet.
      expect(after.age).toBeLessThan(60_000)
    })

    test('its next step belongs to the same moment', async () => {
      const id = await addedAgo(10)
      const friday = daysAgo(3)
      await complete(id, friday)
      const next_step = { id: randomUUID(), title: 'Write' }
      const planned = await write(owner, 'plan next step', {
        id,
        next_step,
        written_at: daysAgo(2),
      })
      const logged = await moments(planned.batch)
      expect(logged.map(({ created_at }) => at(created_at))).toEqual([at(friday), at(friday)])
    })

    test('not in the future, not before the task was made, not more than 30 days ago', async () => {
      const before = Date.now() - 60_000
      const [ahead, early, late] = [await addedAgo(1), await addedAgo(10), await addedAgo(50)]
      const future = await complete(ahead, daysAgo(-5))
      expect(at(future.row?.completed_at)).toBeGreaterThan(before)
      expect(at(future.row?.completed_at)).toBeLessThan(Date.now() + 60_000)
      const { row } = await complete(early, daysAgo(20))
      expect(row?.completed_at).toBe(row?.created_at)
      const month = await complete(late, '1970-01-01T00:00:00Z')
      expect(Math.abs(at(month.row?.completed_at) - at(daysAgo(30)))).toBeLessThan(60_000)
      expect(
        (
          await send(owner, randomUUID(), 'complete task', {
            id: late,
            values: { completed: true },
            written_at: 'x',
          })
        ).error?.code,
      ).toBe('PT400')
    })

    test('a move of a deal: since when it is in its stage, and when it was closed', async () => {
      const deal = await add(owner, 'deals', { stage_id: null })
      const stages = await ok(
        owner.client.from('pipeline_stages').select('id, outcome').order('order'),
      )
      const written_at = String(deal.created_at)
      const won = stages.find(({ outcome }) => outcome === 'won')?.id
      const moved = await write(owner, 'move deal', { id: deal.id, stage_id: won, written_at })
      expect(moved.row).toMatchObject({ closed_at: written_at, stage_since: written_at })
      expect(await moments(moved.batch)).toEqual([{ created_at: written_at }])
    })

    test('a line of quick add: its tasks, while contacts are told as new', async () => {
      const line = { contact: { first_name: 'Ada' }, task: { title: 'Call Ada' } }
      const { batch } = await write(owner, 'quick add', { line, written_at: daysAgo(2) })
      const { created_at } = await ok(owner.client.from('tasks').select('created_at').single())
      expect(Math.abs(at(created_at) - at(daysAgo(2)))).toBeLessThan(60_000)
      for (const change of await moments(batch))
        expect(at(change.created_at)).toBeGreaterThan(at(daysAgo(1)))
    })
  })

  test('a record that was saved under another batch is overwritten, not doubled', async () => {
    const id = randomUUID()
    await write(owner, 'add contact', { values: { id, first_name: 'Ada', notes: 'x' } })
    await write(owner, 'add contact', { values: { id, first_name: 'Grace' } })
    expect(await ok(owner.client.from('contacts').select('first_name, notes'))).toEqual([
      { first_name: 'Grace', notes: 'x' },
    ])
  })

  test('a line that nobody has understood yet is understood when it comes', async () => {
    await add(owner, 'contacts', { first_name: 'Maria', last_name: 'Keller' })
    const task = { title: 'Call Maria Keller', new_id: randomUUID() }
    const line = [
      { line: { contact: { first_name: 'maria', last_name: 'keller' }, task }, needs: 'contact' },
      { line: { task: { title: 'call maria keller' } } },
    ]
    const { records } = await write(owner, 'quick add', { line })
    expect(records).toMatchObject([{ kind: 'tasks', id: task.new_id, is_new: true }])
    expect(await ok(owner.client.from('contacts').select('id'))).toHaveLength(1)
  })

  test('what was deleted meanwhile does not come back by a second send', async () => {
    const batch = randomUUID()
    const id = randomUUID()
    const args = { values: { id, first_name: 'Ada' } }
    await write(owner, 'add contact', args, batch)
    await ok(owner.client.from('contacts').delete().eq('id', id).select('id'))
    expect(await write(owner, 'add contact', args, batch)).toMatchObject({ row: null, batch })
    expect(await ok(owner.client.from('contacts').select('id'))).toEqual([])
  })

  test('after 90 days it is forgotten, and the log still knows', async () => {
    const old = randomUUID()
    const void_ = randomUUID()
    const args = { values: { id: randomUUID(), first_name: 'Ada' } }
    await write(owner, 'add contact', args, old)
    await write(owner, 'take back', {}, void_)
    await database().query(
      "update private.sent_writes set created_at = now() - interval '91 days' where user_id = ?",
      owner.id,
    )
    const noted = () =>
      database().query<{ batch: string }>(
        'select batch from private.sent_writes where user_id = ?',
        owner.id,
      )
    await database().query('select private.erase_expired()')
    expect(await noted()).toEqual([])
    await ok(owner.client.from('contacts').delete().eq('id', args.values.id).select('id'))
    expect(await write(owner, 'add contact', args, old)).toMatchObject({ row: null, batch: old })
    expect(await ok(owner.client.from('contacts').select('id'))).toEqual([])
    // Whoever writes erases their own.
    await database().query(
      "insert into private.sent_writes (user_id, batch, created_at) values (?, gen_random_uuid(), now() - interval '91 days')",
      owner.id,
    )
    await write(owner, 'add contact', { values: { id: randomUUID(), first_name: 'Grace' } })
    expect(await noted()).toHaveLength(1)
  })
})
