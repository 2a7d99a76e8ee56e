import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { News } from '#server/backend/live-accounts.ts'
import { isLong } from '#server/test-length.ts'
import { type Account, ok, onEachDatabase, type TestDatabase } from './harness.ts'

const window = 'window-0123456789'
const many = isLong ? 10_000 : 500

onEachDatabase((database) => {
  const stops: (() => void)[] = []
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
  })

  /** What the windows of an account are told. */
  function followed({ id }: Pick<Account, 'id'>): News[] {
    const heard: News[] = []
    const stop = database().backend.live.follow({
      account: id,
      session: randomUUID(),
      // The connection to a server may only now be heard for the first time, which is told as a gap.
      onNews: (news) => news.tables && heard.push(news),
      onEnd: () => {},
    })
    stops.push(stop)
    return heard
  }

  /**
   * What was heard until now: announcements arrive in the order of the commits, so once the next one is there, all
   * before it are.
   */
  async function heardBy(account: Account, heard: News[]): Promise<News[]> {
    const name = `last ${randomUUID()}`
    await ok(account.client.from('collections').insert({ name }).select('id'))
    await expect
      .poll(() => heard.some(({ tables }) => tables?.includes('collections')), { timeout: 20_000 })
      .toBe(true)
    return heard.filter(({ tables }) => !tables?.includes('collections'))
  }

  /** A client of the account that names its window. */
  function inWindow({ backend, connect }: TestDatabase, { token }: Account, name: string) {
    return connect((input, init) => {
      const request = new Request(input, init)
      request.headers.set('authorization', `Bearer ${token}`)
      request.headers.set('x-solo-window', name)
      return backend.fetch(request, null)
    })
  }

  describe('announcements', () => {
    test('tell the tables, the batch and the window of a write, once for a statement', async () => {
      const account = await database().signUp()
      const heard = followed(account)
      const client = inWindow(database(), account, window)
      const [company] = await ok(client.from('companies').insert({ name: 'Acme' }).select('id'))
      const [{ batch } = { batch: '' }] = await ok(
        account.client
          .from('changes')
          .select('batch')
          .eq('row_id', company?.id ?? ''),
      )
      await ok(client.rpc('undo_batch', { batch }))
      const news = await heardBy(account, heard)
      expect(news).toEqual([
        { tables: ['companies'], batch, window },
        { tables: ['companies'], batch: expect.not.stringMatching(batch), window },
      ])
    })

    test('take no name of a window that has another shape', async () => {
      const account = await database().signUp()
      const heard = followed(account)
      const names = ['short', 'x'.repeat(41), 'quote"quote', 'semi;colon']
      for (const name of names) {
        const client = inWindow(database(), account, name)
        await ok(client.from('companies').insert({ name: 'Acme' }).select('id'))
      }
      const news = await heardBy(account, heard)
      expect(news.map(({ window: told }) => told)).toEqual(names.map(() => null))
    })

    test(`are one for ${many} rows`, async () => {
      const account = await database().signUp()
      const heard = followed(account)
      await database().query(
        `insert into public.companies (user_id, name) select ?::uuid, 'Company ' || n from generate_series(1, ?::int) n`,
        account.id,
        many,
      )
      const news = await heardBy(account, heard)
      expect(news).toMatchObject([{ tables: ['companies'], window: null }])
    }, 60_000)

    test('reach the account that changed, and no other', async () => {
      const [one, other] = [await database().signUp(), await database().signUp()]
      const heard = followed(other)
      await ok(one.client.from('companies').insert({ name: 'Acme' }).select('id'))
      expect(await heardBy(other, heard)).toEqual([])
    })

    test('are not made of what was refused', async () => {
      const account = await database().signUp()
      const heard = followed(account)
      const { error } = await account.client
        .from('companies')
        .insert([{ name: 'Acme' }, { name: ' ' }])
      expect(error).not.toBeNull()
      expect(await heardBy(account, heard)).toEqual([])
    })

    test('tell of settings, pins and the calendar, which are not in the log', async () => {
      const account = await database().signUp()
      const heard = followed(account)
      const save = { week_starts_on: 0 }
      await account.client.from('preferences').update(save).gte('week_starts_on', 0)
      await ok(account.client.rpc('create_calendar_feed'))
      await ok(account.client.rpc('revoke_calendar_feed').then(() => ({ data: true, error: null })))
      const news = await heardBy(account, heard)
      expect(news.map(({ tables }) => tables)).toEqual([
        ['preferences'],
        ['calendar_feeds'],
        ['calendar_feeds'],
      ])
    })

    test('never stop a write', async () => {
      const account = await database().signUp()
      const { query } = database()
      await query('create schema realtime')
      await query(`create function realtime.send(jsonb, text, text, boolean) returns void language plpgsql
        as $body$ begin raise exception 'The channel is closed.'; end $body$`)
      try {
        await ok(account.client.from('companies').insert({ name: 'Acme' }).select('id'))
      } finally {
        await query('drop schema realtime cascade')
      }
    })
  })

  describe('the mark of the newest change', () => {
    test('is another one after every kind of change, and the same without one', async () => {
      const { client } = await database().signUp()
      const mark = async () => Object(await ok(client.rpc('newest_change'))).mark
      const marks = [await mark()]
      expect(await mark()).toBe(marks[0])
      await ok(client.from('companies').insert({ name: 'Acme' }).select('id'))
      marks.push(await mark())
      await client.from('companies').update({ name: 'Acme Inc' }).eq('name', 'Acme')
      marks.push(await mark())
      await client.from('preferences').update({ week_starts_on: 0 }).gte('week_starts_on', 0)
      marks.push(await mark())
      await ok(client.rpc('create_calendar_feed'))
      marks.push(await mark())
      expect(new Set(marks).size).toBe(marks.length)
    })

    test('is refused without a session', async () => {
      const { error } = await database().anonymous.rpc('newest_change')
      expect(error).not.toBeNull()
    })
  })

  test('a session that ends is told at once', async () => {
    const account = await database().signUp()
    const { live } = database().backend
    const pass = await live.admit(account.token)
    expect(pass?.account).toBe(account.id)
    const ended = new Promise<void>((resolve) => {
      stops.push(
        live.follow({
          account: account.id,
          session: pass?.session ?? '',
          onNews: () => {},
          onEnd: resolve,
        }),
      )
    })
    await account.client.auth.signOut()
    await ended
    expect(await live.admit(account.token)).toBeNull()
  })
})
