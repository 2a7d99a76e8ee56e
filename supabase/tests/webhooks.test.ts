import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Account, eventually, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

type Received = { headers: IncomingHttpHeaders; body: string }
type Message = {
  type: string
  timestamp: string
  data: {
    batch?: string
    is_cut?: boolean
    records: {
      id: string
      label: string
      record?: Record<string, unknown>
      before?: unknown
      after?: unknown
    }[]
  }
}

const all = ['created', 'updated', 'deleted', 'stage_moved', 'won', 'lost', 'task_completed']

onAnyDatabase(
  (database) => {
    let owner: Account
    let received: Received[] = []
    let answer = { status: 200, text: 'thanks' }
    beforeEach(async () => {
      owner = await database().signUp()
      received = []
      answer = { status: 200, text: 'thanks' }
    })

    /** Somebody who is told. */
    async function receiver(): Promise<string> {
      const server = createServer(async (request, response) => {
        const parts: Buffer[] = []
        for await (const part of request) parts.push(part)
        received.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
        response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.text)
      })
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    }

    async function hook(events = all, account = owner) {
      const url = await receiver()
      const made = (await ok(account.client.rpc('create_webhook', { url, events }))) as {
        id: string
        secret: string
      }
      return { url, ...made }
    }

    const messages = (): Message[] => received.map(({ body }) => JSON.parse(body))
    const types = () => messages().map(({ type }) => type)
    const arrive = (count: number) => eventually(() => expect(received).toHaveLength(count))
    const deliveries = async (webhook: string, account = owner) =>
      (await ok(account.client.rpc('webhook_deliveries', { webhook }))) as {
        id: string
        event: string
        status: string
        tries: number
        http_status: number | null
        problem: string | null
        answer: string | null
      }[]
    const settled = (webhook: string, status: string) =>
      eventually(async () => {
        const list = await deliveries(webhook)
        expect(list.length).toBeGreaterThan(0)
        for (const each of list) expect(each.status).toBe(status)
        return list
      })
    /** All pauses are over. */
    const passPauses = () =>
      database().query("update private.jobs set due_at = now() where kind = 'webhook'")
    const passTime = (id: string, days: number) =>
      database().query(
        `update private.webhooks set failing_since = failing_since - make_interval(days => ?::int),
          failed_at = failed_at - make_interval(days => ?::int) where id = ?`,
        days,
        days,
        id,
      )
    const list = async (account = owner) =>
      (await ok(account.client.rpc('webhooks'))) as { id: string; [key: string]: unknown }[]

    test('a signed message tells what was created, and the library of Standard Webhooks agrees', async () => {
      const { id, secret } = await hook()
      const contact = await add(owner, 'contacts')
      await arrive(1)
      const [{ headers, body }] = received as [Received]
      const signed = headers as Record<string, string>
      const library = new Webhook(secret)
      expect(library.verify(body, signed)).toMatchObject({ type: 'contact.created' })
      const [message] = messages() as [Message]
      expect(message.data.records).toMatchObject([
        { id: contact.id, label: 'Ada', record: { first_name: 'Ada', email: 'ada@example.com' } },
      ])
      expect(message.data.records[0]?.record).not.toHaveProperty('user_id')
      expect(headers['content-type']).toBe('application/json')
      // A change of any part, an old message and another secret are refused.
      expect(() => library.verify(body.replace('Ada', 'Eve'), signed)).toThrow()
      expect(() => library.verify(body, { ...signed, 'webhook-id': 'other' })).toThrow()
      const old = String(Number(headers['webhook-timestamp']) - 301)
      expect(() => library.verify(body, { ...signed, 'webhook-timestamp': old })).toThrow()
      expect(() => new Webhook(`whsec_${btoa('x'.repeat(32))}`).verify(body, signed)).toThrow()
      expect(await settled(id, 'delivered')).toMatchObject([
        { event: 'contact.created', tries: 1, http_status: 200, answer: 'thanks' },
      ])
      expect(headers['webhook-id']).toBe((await deliveries(id))[0]?.id)
    })

    test('each kind of event, and only those that were chosen', async () => {
      const deal = await add(owner, 'deals')
      const task = await add(owner, 'tasks')
      const [first] = await ok(owner.client.from('pipelines').select('id'))
      const pipeline_id = first?.id ?? ''
      await add(owner, 'pipeline_stages', { name: 'Closed Lost', pipeline_id })
      const stages = await ok(owner.client.from('pipeline_stages').select('id, outcome, order'))
      const stage = (outcome: string) => stages.find((each) => each.outcome === outcome)?.id
      const move = (stage_id: string | undefined) =>
        owner.client
          .from('deals')
          .update({ stage_id: stage_id ?? '' })
          .eq('id', deal.id)
      await hook(['stage_moved', 'won', 'lost', 'task_completed', 'deleted'])
      await move(stage('won'))
      await arrive(2)
      expect(types().sort()).toEqual(['deal.stage_moved', 'deal.won'])
      expect(messages()[0]?.data.records[0]).toMatchObject({
        id: deal.id,
        record: { stage_id: stage('won') },
        after: { stage_id: stage('won') },
      })
      await move(stage('lost'))
      await arrive(4)
      expect(types().slice(2).sort()).toEqual(['deal.lost', 'deal.stage_moved'])
      await owner.client.from('deals').update({ name: 'Another' }).eq('id', deal.id)
      await owner.client.from('tasks').update({ completed: true }).eq('id', task.id)
      await arrive(5)
      expect(types()[4]).toBe('task.completed')
      await owner.client.from('deals').delete().eq('id', deal.id)
      await arrive(6)
      expect(messages()[5]).toMatchObject({
        type: 'deal.deleted',
        data: { records: [{ id: deal.id, label: 'Another', record: { name: 'Another' } }] },
      })
    })

    test('many rows of one statement are few messages; values of deleted fields are in none', async () => {
      const field = await add(owner, 'fields')
      await hook(['created'])
      const rows = Array.from({ length: 120 }, (_, index) => ({
        first_name: `Ada ${index}`,
        custom: { [field.id]: 'x' },
      }))
      await ok(owner.client.from('contacts').insert(rows).select('id'))
      await arrive(3)
      const told = messages().flatMap(({ data }) => data.records)
      expect(new Set(told.map(({ id }) => id)).size).toBe(120)
      expect(told[0]?.record?.custom).toEqual({ [field.id]: 'x' })
      await owner.client.rpc('delete_field', { id: field.id })
      await owner.client.from('contacts').update({ last_name: 'B' }).eq('first_name', 'Ada 1')
      await add(owner, 'contacts', { first_name: 'Late' })
      await arrive(4)
      expect(messages()[3]?.data.records[0]?.record?.custom).toEqual({})
    })

    test('what is too long is told without its words', async () => {
      const contact = await add(owner, 'contacts')
      await hook(['created'])
      const body = 'x'.repeat(50_000)
      const rows = Array.from({ length: 6 }, () => ({ body, contact_id: contact.id }))
      await ok(owner.client.from('notes').insert(rows).select('id'))
      await arrive(1)
      const [message] = messages() as [Message]
      expect(message.data).toMatchObject({ is_cut: true })
      expect(message.data.records).toHaveLength(6)
      expect(received[0]?.body.length).toBeLessThan(5000)
    })

    test('what waits has an end for all webhooks of an account, and so has what is kept', async () => {
      const { id } = await hook(['created'])
      await hook(['created'])
      answer = { status: 500, text: '' }
      await database().query(
        'update private.webhooks set is_paused = true where user_id = ?',
        owner.id,
      )
      const fill = (status: string, count: number) =>
        database().query(
          `insert into private.webhook_deliveries (user_id, webhook_id, event, status, body, created_at)
          select ?::uuid, ?::uuid, 'company.created', ?, repeat('x', 9999000), now() - make_interval(hours => n)
          from generate_series(1, ?::int) n`,
          owner.id,
          id,
          status,
          count,
        )
      const count = async (status: string) => {
        const rows = await database().query(
          'select id from private.webhook_deliveries where user_id = ? and status = ?',
          owner.id,
          status,
        )
        return rows.length
      }
      await fill('waiting', 5)
      await database().query(
        'update private.webhooks set is_paused = false where user_id = ?',
        owner.id,
      )
      // Of these, one has room for one webhook and none for the other.
      await add(owner, 'contacts', { notes: 'x'.repeat(2500) })
      expect(await count('waiting')).toBe(6)
      await add(owner, 'contacts', { notes: 'x'.repeat(2500) })
      expect(await count('waiting')).toBe(6)
      await fill('delivered', 7)
      await database().query('select private.forget_deliveries()')
      expect(await count('delivered')).toBe(5)
      expect(await count('waiting')).toBe(6)
    })

    test('a write that is refused tells nothing, and accounts are told of themselves alone', async () => {
      const other = await database().signUp()
      await hook(['created'])
      await add(other, 'companies')
      const [first] = await ok(owner.client.from('companies').insert({ name: 'A' }).select('id'))
      const refused = await owner.client
        .from('companies')
        .insert([{ name: 'B' }, { id: first?.id ?? '', name: 'C' }])
      expect(refused.error).not.toBeNull()
      await add(owner, 'companies', { name: 'D' })
      await arrive(2)
      expect(messages().flatMap(({ data }) => data.records.map(({ label }) => label))).toEqual([
        'A',
        'D',
      ])
    })

    describe('a delivery that fails', () => {
      test('is tried again with the same id and body after a pause, for a day', async () => {
        const { id } = await hook(['created'])
        answer = { status: 500, text: 'out of order \u0000\ud800' }
        await add(owner, 'companies')
        const pauses: number[] = []
        for (let tries = 1; tries <= 9; tries += 1) {
          await arrive(tries)
          await eventually(async () =>
            expect(await deliveries(id)).toMatchObject([
              { tries, http_status: 500, problem: 'The server answered 500.' },
            ]),
          )
          if (tries === 9) break
          const [waiting] = await eventually(async () => {
            const rows = await database().query<{ pause: number }>(
              `select round(extract(epoch from due_at - now()))::int as pause from private.jobs
              where kind = 'webhook' and user_id = ? and claim is null`,
              owner.id,
            )
            expect(rows).toHaveLength(1)
            return rows
          })
          pauses.push(waiting?.pause ?? 0)
          await passPauses()
          await database().query(`select pg_notify('solo_jobs', 'webhook')`)
        }
        expect(pauses).toEqual(
          [10, 60, 300, 900, 3600, 10_800, 21_600, 43_200].map((pause) =>
            expect.closeTo(pause, -0.7),
          ),
        )
        expect(await settled(id, 'failed')).toMatchObject([
          { answer: expect.stringMatching(/^out of order/) },
        ])
        expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
        expect(new Set(received.map(({ body }) => body)).size).toBe(1)
        const left = await database().query(
          "select from private.jobs where kind = 'webhook' and user_id = ?",
          owner.id,
        )
        expect(left).toEqual([])
      })

      test('because it was answered with a redirect goes nowhere else, and says why', async () => {
        const { id } = await hook(['created'])
        answer = { status: 302, text: '' }
        await add(owner, 'companies')
        const problem = 'The server answered with another address. Enter that one.'
        await eventually(async () =>
          expect(await deliveries(id)).toMatchObject([{ status: 'waiting', tries: 1, problem }]),
        )
        expect(received).toHaveLength(1)
      })

      test('can be sent again, as the same message', async () => {
        const { id } = await hook(['created'])
        await add(owner, 'companies')
        await arrive(1)
        await settled(id, 'delivered')
        const [first] = await deliveries(id)
        const again = await owner.client.rpc('send_webhook_again', { delivery: first?.id ?? '' })
        expect(again.error).toBeNull()
        await arrive(2)
        const [one, two] = received
        expect(two?.body).toBe(one?.body)
        expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
        expect(await settled(id, 'delivered')).toMatchObject([{ tries: 2 }])
      })

      test('is sent again ten times a minute at most', async () => {
        const { id } = await hook(['created'])
        await add(owner, 'companies')
        await settled(id, 'delivered')
        const [first] = await deliveries(id)
        const statuses: number[] = []
        for (let time = 1; time <= 11; time += 1) {
          const again = await owner.client.rpc('send_webhook_again', { delivery: first?.id ?? '' })
          statuses.push(again.status)
        }
        expect(statuses).toEqual([...Array(10).fill(204), 429])
        await database().query(
          "update private.webhooks set sent_again_at = array[now() - interval '61 seconds'] || sent_again_at[2:] where id = ?",
          id,
        )
        const later = await owner.client.rpc('send_webhook_again', { delivery: first?.id ?? '' })
        expect(later.status).toBe(204)
      })

      test('for a week switches the webhook off, until its owner decides', async () => {
        const { id } = await hook(['created'])
        answer = { status: 404, text: '' }
        await add(owner, 'companies')
        await eventually(async () =>
          expect(await list()).toMatchObject([{ failing_since: expect.any(String) }]),
        )
        // Days without a message say little: of each quiet time one day counts.
        for (const [turn, days] of [30, 2, 2, 1, 1, 1].entries()) {
          await passTime(id, days)
          await add(owner, 'companies')
          await arrive(turn + 2)
          await eventually(async () => expect((await deliveries(id))[0]?.tries).toBe(1))
          expect(await list()).toMatchObject([{ switched_off_at: null }])
        }
        await passTime(id, 1)
        await add(owner, 'companies')
        await eventually(async () =>
          expect(await list()).toMatchObject([{ switched_off_at: expect.any(String) }]),
        )
        const count = (await deliveries(id)).length
        await add(owner, 'companies')
        expect(await deliveries(id)).toHaveLength(count)
        answer = { status: 200, text: '' }
        expect((await owner.client.rpc('pause_webhook', { id, pause: false })).error).toBeNull()
        expect(await list()).toMatchObject([{ switched_off_at: null, failing_since: null }])
        received = []
        await add(owner, 'companies')
        await arrive(1)
      })

      test('that is met by ten megabytes of HTML keeps the beginning of it, as text', async () => {
        const { id } = await hook(['created'])
        answer = { status: 200, text: `<script>alert(1)</script>${'x'.repeat(10_000_000)}` }
        await add(owner, 'companies')
        const [delivery] = await settled(id, 'delivered')
        const kept = String(Object(delivery).answer)
        expect(kept).toMatch(/^<script>alert\(1\)<\/script>x+$/)
        expect(kept.length).toBeLessThanOrEqual(400)
      })

      test('of which one arrives begins to count anew', async () => {
        const { id } = await hook(['created'])
        answer = { status: 500, text: '' }
        await add(owner, 'companies')
        await eventually(async () =>
          expect(await list()).toMatchObject([{ failing_since: expect.any(String) }]),
        )
        answer = { status: 204, text: '' }
        await owner.client.rpc('test_webhook', { id })
        await eventually(async () => expect(await list()).toMatchObject([{ failing_since: null }]))
      })
    })

    test('a test is sent at once, also while it is paused, when nothing else is', async () => {
      const { id } = await hook()
      expect((await owner.client.rpc('pause_webhook', { id, pause: true })).error).toBeNull()
      await add(owner, 'companies')
      expect((await owner.client.rpc('test_webhook', { id })).error).toBeNull()
      await arrive(1)
      expect(types()).toEqual(['test'])
      expect(await settled(id, 'delivered')).toHaveLength(1)
    })

    test('a new secret signs at once; the former one, too, for a day', async () => {
      const { id, secret } = await hook(['created'])
      const { secret: fresh } = (await ok(owner.client.rpc('renew_webhook_secret', { id }))) as {
        secret: string
      }
      expect(fresh).not.toBe(secret)
      await add(owner, 'companies')
      await arrive(1)
      const check = (key: string, { body, headers } = received.at(-1) as Received) =>
        new Webhook(key).verify(body, headers as Record<string, string>)
      expect(check(fresh)).toBeTruthy()
      expect(check(secret)).toBeTruthy()
      await database().query(
        "update private.webhook_secrets set former_until = now() - interval '1 second' where webhook_id = ?",
        id,
      )
      await add(owner, 'companies')
      await arrive(2)
      expect(check(fresh)).toBeTruthy()
      expect(() => check(secret)).toThrow()
    })

    test('half-written work is told when it is whole, and not when it was taken back', async () => {
      const { id } = await hook(['created'])
      await database().query(
        `insert into private.unfinished_work (user_id, name, arguments, batch, state, started_at)
        values (?, 'commit_import', '{}', gen_random_uuid(), '{}', now())`,
        owner.id,
      )
      const rows = await database().query<{ id: string }>(
        `insert into private.webhook_deliveries (user_id, webhook_id, event, body, batch)
        values (?, ?, 'contact.created', '{}', gen_random_uuid()) returning id`,
        owner.id,
        id,
      )
      const asked = () =>
        database().query<{ asked: unknown }>(
          'select private.delivery_to_send(?::uuid) as asked',
          rows[0]?.id,
        )
      expect(await asked()).toEqual([{ asked: { later: true } }])
      await database().query('delete from private.unfinished_work where user_id = ?', owner.id)
      expect(await asked()).toEqual([{ asked: null }])
      expect(await deliveries(id)).toEqual([])
    })

    test('nobody sees or touches the webhooks of others; secrets are in no answer', async () => {
      const { id, secret } = await hook(['created'])
      await add(owner, 'companies')
      await settled(id, 'delivered')
      const [delivery] = await deliveries(id)
      const other = await database().signUp()
      expect(await list(other)).toEqual([])
      expect(await deliveries(id, other)).toEqual([])
      const url = 'https://evil.example/'
      const calls = await Promise.all([
        other.client.rpc('change_webhook', { id, url, events: ['created'] }),
        other.client.rpc('pause_webhook', { id, pause: true }),
        other.client.rpc('renew_webhook_secret', { id }),
        other.client.rpc('test_webhook', { id }),
        other.client.rpc('send_webhook_again', { delivery: delivery?.id ?? '' }),
      ])
      expect(calls.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
      await other.client.rpc('delete_webhook', { id })
      expect(await list()).toMatchObject([{ id, is_paused: false }])
      expect(JSON.stringify([await list(), await deliveries(id)])).not.toContain(secret)
      expect((await owner.client.rpc('delete_webhook', { id })).error).toBeNull()
      expect(await list()).toEqual([])
      const [left] = await database().query<{ count: number }>(
        `select (select count(*) from private.webhook_secrets where webhook_id = ?)
          + (select count(*) from private.webhook_deliveries where webhook_id = ?) as count`,
        id,
        id,
      )
      expect(left?.count).toBe(0)
    })

    test.each([
      ['', all],
      ['ftp://example.com/', all],
      ['https://user:secret@example.com/', all],
      ['https://exa mple.com/', all],
      [`https://example.com/${'x'.repeat(2000)}`, all],
      ['https://example.com/', []],
      ['https://example.com/', ['everything']],
    ])('%s with %j is refused in words', async (url, events) => {
      const { status, error } = await owner.client.rpc('create_webhook', { url, events })
      expect(status).toBe(400)
      expect(error?.message).toMatch(/Nothing was saved/)
      expect(await list()).toEqual([])
    })
  },
  { allowPrivateAddresses: true },
)
