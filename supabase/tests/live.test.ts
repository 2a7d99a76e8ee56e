import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { News } from '#server/backend/live-accounts.ts'
import { isLong } from '#server/test-length.ts'
import { type Account, ok, onEachDatabase, type TestDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { add } from './samples.ts'

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

    test('tell of an import, in one batch', async () => {
      const account = await database().signUp()
      const heard = followed(account)
      const rows = rowsOf({ first_name: 'Ada', company: 'Acme' }, { first_name: 'Grace' })
      const { batch } = await importCalls(account).whole('contacts', rows)
      const news = await heardBy(account, heard)
      expect(new Set(news.flatMap(({ tables }) => tables))).toEqual(
        new Set(['companies', 'contacts']),
      )
      expect(new Set(news.map((each) => each.batch))).toEqual(new Set([batch]))
    })

    test('tell of what a program writes with a token', async () => {
      const account = await database().signUp()
      const args = { name: 'Claude', scope: 'write' }
      const { token } = Object(await ok(account.client.rpc('create_access_token', args)))
      const heard = followed(account)
      for (const [p_name, p_args] of [
        ['about', {}],
        ['save_record', { kind: 'tasks', changes: { title: 'Call Ada' } }],
      ] as const) {
        await ok(
          database().anonymous.rpc(
            'call_with_token' as never,
            { p_token: token, p_name, p_args } as never,
          ),
        )
      }
      const news = await heardBy(account, heard)
      // A notice of what was written before may come late.
      const later = news.filter(({ tables }) => !tables?.includes('access_tokens'))
      expect(later).toEqual([{ tables: ['tasks'], batch: expect.any(String), window: null }])
    })

    test('tell of a lead that a form brings', async () => {
      const account = await database().signUp()
      const form = await add(account, 'forms', {
        fields: [{ name: 'email', label: 'Email', is_required: true }],
        tag: null,
      })
      const { leads } = database().backend
      const shown = await leads.form(String(form.slug))
      if (!shown) throw new Error('The form is not shown.')
      const heard = followed(account)
      const email = 'ada@lead.example'
      const lead = { who: 'Ada', contact: { email }, company: null, lines: [] }
      expect(await leads.submit(shown, String(form.slug), lead, [])).toEqual({ status: 'accepted' })
      const news = await heardBy(account, heard)
      expect(news.flatMap(({ tables }) => tables)).toContain('contacts')
    })

    test('tell of a mail that the server has read', async () => {
      const account = await database().signUp()
      await add(account, 'contacts', { email: 'ada@example.com' })
      const box = await add(account, 'mail_accounts')
      const heard = followed(account)
      await database().query(
        'select private.store_mail(?::uuid, ?::jsonb)',
        box.id,
        JSON.stringify({
          message_id: `<${randomUUID()}@mail.example>`,
          direction: 'in',
          sender: 'ada@example.com',
          recipients: [{ role: 'to', name: '', address: Object(box).address }],
          subject: 'Offer',
          sent_at: '2026-11-10T10:00:00Z',
        }),
      )
      const news = await heardBy(account, heard)
      expect(news.flatMap(({ tables }) => tables)).toContain('mails')
    })

    test('are one for a statement on what is not in the log, too', async () => {
      const account = await database().signUp()
      const statements = unlogged(account, (await add(account, 'forms')).id)
      const heard = followed(account)
      for (const [statement] of statements) await database().query(statement)
      const news = await heardBy(account, heard)
      const told = news.map(({ tables }) => tables?.join())
      // A notice of what was written before may come late.
      expect(told.filter((tables) => tables !== 'forms')).toEqual(
        statements.flatMap(([, table]) => table ?? []),
      )
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
      const account = await database().signUp()
      const { client } = account
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
      await ok(client.rpc('create_card_feed'))
      marks.push(await mark())
      const statements = unlogged(account, (await add(account, 'forms')).id)
      marks.push(await mark())
      for (const [statement, told] of statements) {
        await database().query(statement)
        if (told) marks.push(await mark())
        else expect(await mark()).toBe(marks.at(-1))
      }
      await add(account, 'mail_accounts')
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
    // The server also looks for ended sessions every minute, which proves nothing here.
    const told: string[] = []
    const stop = database().connection.hear({
      onNotice: ({ channel, payload }) => channel === 'solo_sessions' && told.push(payload),
      onGap: () => {},
    })
    stops.push(() => void stop())
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
    await expect.poll(() => told, { timeout: 20_000 }).toContain(pass?.session)
    await ended
    expect(await live.admit(account.token)).toBeNull()
  })
})

/** Each writes two rows that the log does not tell, and names what is announced of it. */
function unlogged({ id }: Account, form: string): [statement: string, told: string | null][] {
  const two = 'from generate_series(1, 2) n'
  const hash = `encode(sha256(('${id}' || n)::bytea), 'hex')`
  const own = `where user_id = '${id}'`
  return [
    [
      `insert into private.access_tokens (user_id, name, scope, hash) select '${id}', 'Claude', 'read', ${hash} ${two}`,
      'access_tokens',
    ],
    [`update private.access_tokens set last_used_at = now() ${own}`, null],
    [`update private.access_tokens set revoked_at = now() ${own}`, 'access_tokens'],
    [
      `insert into private.proposals (user_id, token_name, name, args, card, changes) select '${id}', 'Claude', 'x', '{}', '{}', '[]' ${two}`,
      'proposals',
    ],
    [
      `insert into private.webhooks (user_id, url, events) select '${id}', 'https://hooks.example/' || n, '{created}' ${two}`,
      'webhooks',
    ],
    [
      `insert into private.webhook_deliveries (user_id, webhook_id, event, body) select user_id, id, 'created', '{}' from private.webhooks ${own}`,
      null,
    ],
    [
      `update private.webhook_deliveries set tries = 1, tried_at = now() ${own}`,
      'webhook_deliveries',
    ],
    [`update private.webhooks set is_paused = true ${own}`, 'webhooks'],
    [
      `with silent as materialized (select set_config('solo.silent', 'on', true))
        insert into public.form_submissions (user_id, form_id, doubts) select '${id}', '${form}', '{trap}' ${two}, silent`,
      'form_submissions',
    ],
    [`delete from private.webhooks ${own}`, 'webhooks'],
    [`delete from private.proposals ${own}`, 'proposals'],
    [`delete from private.access_tokens ${own}`, 'access_tokens'],
  ]
}
