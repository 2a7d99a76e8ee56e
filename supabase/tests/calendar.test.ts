import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

const day = 24 * 3_600_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()
const dayIn = (days: number) => inDays(days).slice(0, 10)

onAnyDatabase((database) => {
  let owner: Account
  let other: Account
  beforeEach(async () => {
    owner = await database().signUp()
    other = await database().signUp()
  })

  const events = (token: string) => database().backend.calendarEvents(token)
  const create = (account: Account, replacing?: string) =>
    ok(account.client.rpc('create_calendar_feed', replacing ? { replacing } : {}))

  describe('the address', () => {
    test('is made once, and stays until it is replaced', async () => {
      const made = await create(owner)
      expect(made).toMatchObject({ user_id: owner.id })
      expect(made.token).toMatch(/^[0-9a-f]{64}$/)
      expect(await create(owner)).toEqual(made)
      expect(await ok(owner.client.from('calendar_feeds').select())).toEqual([made])
    })

    test('that takes the place of another ends it', async () => {
      const { token: old } = await create(owner)
      const { token } = await create(owner, old)
      expect(token).not.toBe(old)
      expect(await events(old)).toBeNull()
      expect(await events(token)).toEqual({ tasks: [], deals: [] })
    })

    test('is replaced once by a call that is sent twice, and not from an old window', async () => {
      const { token: old } = await create(owner)
      const fresh = await create(owner, old)
      expect(await create(owner, old)).toEqual(fresh)
      expect(await create(owner, 'f'.repeat(64))).toEqual(fresh)
    })

    test('made in many windows at once is one', async () => {
      const made = await Promise.all(Array.from({ length: 6 }, () => create(owner)))
      expect(new Set(made.map(({ token }) => token)).size).toBe(1)
    })

    test('is another for every account and never the same again', async () => {
      const tokens = [(await create(owner)).token, (await create(other)).token]
      for (let count = 0; count < 5; count += 1) {
        const { error } = await owner.client.rpc('revoke_calendar_feed')
        expect(error).toBeNull()
        tokens.push((await create(owner)).token)
      }
      expect(new Set(tokens).size).toBe(tokens.length)
    })

    test('works no more when it is revoked, and revoking again does no harm', async () => {
      const { token } = await create(owner)
      const kept = await create(other)
      for (let count = 0; count < 2; count += 1) {
        expect((await owner.client.rpc('revoke_calendar_feed')).error).toBeNull()
        expect(await events(token)).toBeNull()
      }
      expect(await ok(owner.client.from('calendar_feeds').select())).toEqual([])
      expect(await events(kept.token)).not.toBeNull()
    })

    test('goes with the account', async () => {
      const { token } = await create(owner)
      await database().query('delete from auth.users where id = ?', owner.id)
      expect(await events(token)).toBeNull()
    })

    test('is not in the log', async () => {
      const { token } = await create(owner)
      await create(owner, token)
      await owner.client.rpc('revoke_calendar_feed')
      expect(await ok(owner.client.from('changes').select())).toEqual([])
    })
  })

  describe('who may', () => {
    test('the owner reads the row, and writes it by the functions only', async () => {
      const made = await create(owner)
      const feeds = () => owner.client.from('calendar_feeds')
      const refused = { status: 403, error: { code: '42501' } }
      const token = 'f'.repeat(64)
      expect(await feeds().insert({ user_id: owner.id, token } as never)).toMatchObject(refused)
      expect(
        await feeds()
          .update({ token } as never)
          .eq('user_id', owner.id),
      ).toMatchObject(refused)
      expect(await feeds().delete().eq('user_id', owner.id)).toMatchObject(refused)
      expect(await ok(feeds().select())).toEqual([made])
    })

    test('another user sees nothing and ends nothing', async () => {
      const made = await create(owner)
      expect(await ok(other.client.from('calendar_feeds').select())).toEqual([])
      await create(other, made.token)
      expect((await other.client.rpc('revoke_calendar_feed')).error).toBeNull()
      expect(await ok(owner.client.from('calendar_feeds').select())).toEqual([made])
    })

    test('nobody without a session does anything', async () => {
      const made = await create(owner)
      const { anonymous } = database()
      const refused = { status: 401, error: { code: '42501' } }
      expect(await anonymous.from('calendar_feeds').select()).toMatchObject(refused)
      expect(await anonymous.rpc('create_calendar_feed', {})).toMatchObject(refused)
      expect(await anonymous.rpc('revoke_calendar_feed')).toMatchObject(refused)
      expect(await ok(owner.client.from('calendar_feeds').select())).toEqual([made])
    })

    test('no client asks for the events, not even with the token', async () => {
      const { token } = await create(owner)
      for (const client of [owner.client, other.client, database().anonymous]) {
        const { data, error } = await client.rpc('calendar_events' as never, { token } as never)
        expect([data, error?.code]).toEqual([null, '42501'])
      }
    })
  })

  describe('the events', () => {
    test('of a token that is none are none', async () => {
      await create(owner)
      for (const token of ['', 'x', 'f'.repeat(64), "' or true --", '%', '\\']) {
        expect(await events(token)).toBeNull()
      }
    })

    test('are the open tasks with a due date and the open deals with an expected close', async () => {
      const { token } = await create(owner)
      const company = await add(owner, 'companies', { name: 'Acme' })
      const contact = await add(owner, 'contacts', { first_name: 'Ada', last_name: 'Lovelace' })
      const deal = await add(owner, 'deals', {
        name: 'Renewal',
        value: 1200.5,
        expected_close_date: dayIn(9),
        company_id: company.id,
      })
      const task = await add(owner, 'tasks', {
        title: 'Call Ada',
        description: 'x'.repeat(600),
        priority: 'urgent',
        due_date: inDays(3),
        company_id: company.id,
        contact_id: contact.id,
        deal_id: deal.id,
      })
      await add(owner, 'tasks', { title: 'No date' })
      await add(owner, 'tasks', { title: 'Done', due_date: inDays(3), completed: true })
      await add(owner, 'deals', { name: 'No date' })
      const [won] = await ok(
        owner.client.from('pipeline_stages').select('id').eq('name', 'Closed Won'),
      )
      await add(owner, 'deals', { expected_close_date: dayIn(9), stage_id: won?.id })
      await add(other, 'tasks', { due_date: inDays(3) })
      await add(other, 'deals', { expected_close_date: dayIn(9) })

      expect(await events(token)).toEqual({
        tasks: [
          {
            id: task.id,
            title: 'Call Ada',
            description: 'x'.repeat(500),
            priority: 'urgent',
            due_date: expect.any(String),
            due_day: null,
            created_at: expect.any(String),
            updated_at: expect.any(String),
            contact_id: contact.id,
            company_id: company.id,
            contact: { first_name: 'Ada', last_name: 'Lovelace' },
            company_name: 'Acme',
            deal_name: 'Renewal',
          },
        ],
        deals: [
          {
            id: deal.id,
            name: 'Renewal',
            value: 1200.5,
            currency: 'USD',
            expected_close_date: dayIn(9),
            created_at: expect.any(String),
            updated_at: expect.any(String),
            company_name: 'Acme',
          },
        ],
      })
      const read = await events(token)
      expect(new Date(read?.tasks[0]?.due_date ?? '')).toEqual(new Date(String(task.due_date)))
    })

    test('reach from a month ago to two years ahead', async () => {
      const { token } = await create(owner)
      for (const days of [-31, -29, 0.01, 729, 732]) {
        await add(owner, 'tasks', { title: `In ${days}`, due_date: inDays(days) })
      }
      for (const days of [-32, -29, 0, 729, 733]) {
        await add(owner, 'deals', { name: `In ${days}`, expected_close_date: dayIn(days) })
      }
      const read = await events(token)
      expect(read?.tasks.map(({ title }) => title)).toEqual(['In -29', 'In 0.01', 'In 729'])
      expect(read?.deals.map(({ name }) => name)).toEqual(['In -29', 'In 0', 'In 729'])
    })

    test('are a thousand at most: those to come, the nearest first', async () => {
      const { token } = await create(owner)
      await database().query(
        `insert into public.tasks (user_id, title, due_date)
         select ?::uuid, 'Task ' || hour, now() + (hour - 300.5) * interval '1 hour'
         from generate_series(1, 1400) hour`,
        owner.id,
      )
      await add(owner, 'deals', { expected_close_date: dayIn(0) })
      await add(owner, 'deals', { name: 'Far', expected_close_date: dayIn(700) })
      const read = await events(token)
      expect(read?.deals.map(({ name }) => name)).toEqual(['Renewal'])
      expect(read?.tasks).toHaveLength(999)
      // Nothing older than yesterday, while there is so much to come.
      expect(Date.parse(read?.tasks[0]?.due_date ?? '')).toBeGreaterThan(Date.now() - 1.1 * day)
    })
  })
})
