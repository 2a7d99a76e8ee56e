import { connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import { createClient } from '@supabase/supabase-js'
import { sql } from 'kysely'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import WebSocket from 'ws'
import { ServerConnection } from '#server/backend/connections.ts'
import type { News } from '#server/backend/live-accounts.ts'
import { withShare } from '#server/backend/request-share.ts'
import { listen } from '#server/listen.ts'
import { createLiveServer } from '#server/live/live-server.ts'
import { isLong } from '#server/test-length.ts'
import { claimsOf, sign } from './forged-tokens.ts'
import { freezingProxy } from './freezing-proxy.ts'
import {
  type Account,
  copiedDatabase,
  ok,
  onAnyDatabase,
  onEachDatabase,
  openAt,
  type TestDatabase,
} from './harness.ts'
import { withMigratedDatabase } from './server-database.ts'
import { jwtSecret } from './test-keys.ts'

const patient = { timeout: 20_000, interval: 20 }
const cleanings: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanings.splice(0).reverse()) await clean()
})

type Limits = NonNullable<Parameters<typeof createLiveServer>[0]['limits']>

/** The channels of a backend, on a port of their own. */
async function serve({ backend }: Pick<TestDatabase, 'backend'>, limits: Limits = {}) {
  const settings = { publicUrl: 'https://crm.example', trustedProxies: 0 }
  const live = createLiveServer({ settings, backend, limits })
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    answer: () => new Response('no'),
    upgrade: live.upgrade,
  })
  const stop = () => Promise.all([live.close(), server.close(100)])
  cleanings.push(stop)
  return { ...server, stop }
}

const query = 'apikey=sb_publishable_test&vsn=2.0.0'

/** A bare socket, which sends what it is told and keeps what it gets. */
async function open(port: number, { headers = {}, search = query } = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime/v1/websocket?${search}`, {
    headers,
  })
  const got: unknown[][] = []
  socket.on('message', (data) => got.push(JSON.parse(data.toString())))
  socket.on('error', () => {})
  cleanings.push(() => socket.terminate())
  const closed = new Promise<[number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]))
  })
  let count = 0
  await Promise.race([new Promise((resolve) => socket.once('open', resolve)), closed])
  /** Sends a message and waits for its answer. */
  async function ask(topic: string, event: string, payload: object) {
    count += 1
    const ref = String(count)
    socket.send(JSON.stringify(['1', ref, topic, event, payload]))
    await expect.poll(() => got.some((message) => message[1] === ref), patient).toBe(true)
    const [, , , , answer] = got.find((message) => message[1] === ref) ?? []
    return answer
  }
  const join = (account: string, token: string, config: object = { private: true }) =>
    ask(`realtime:account:${account}`, 'phx_join', { config, access_token: token })
  return { socket, got, closed, ask, join }
}

const accepted = { status: 'ok', response: {} }
const refused = (reason: string) => ({ status: 'error', response: { reason } })

function newsIn(got: unknown[][]): News[] {
  return got
    .filter(([, , , event]) => event === 'broadcast')
    .map(([, , , , payload]) => (payload as { payload: News }).payload)
}

/** Without gaps: the connection to a server may only now be heard for the first time. */
const changesIn = (got: unknown[][]) => newsIn(got).filter(({ tables }) => tables !== null)

const change = ({ client }: Account) =>
  ok(client.from('companies').insert({ name: 'Acme' }).select('id'))

onEachDatabase((database) => {
  test('a window of supabase-js hears what another one changes', async () => {
    const account = await database().signUp()
    const { address } = await serve(database())
    const client = createClient(address, database().backend.publicKey, {
      realtime: { transport: WebSocket as never },
      accessToken: async () => account.token,
    })
    cleanings.push(() => client.removeAllChannels())
    const heard: unknown[] = []
    await client.realtime.setAuth()
    const channel = client.channel(`account:${account.id}`, { config: { private: true } })
    await new Promise<void>((resolve, reject) => {
      channel
        .on(
          'broadcast',
          { event: 'changes' },
          ({ payload }) => payload.tables && heard.push(payload),
        )
        .subscribe((status, error) => (status === 'SUBSCRIBED' ? resolve() : reject(error)))
    })
    await change(account)
    await expect
      .poll(() => heard, patient)
      .toEqual([{ tables: ['companies'], batch: expect.any(String), window: null }])
  })

  test('a session that ends is cut off at once, and one with an expired token', async () => {
    const account = await database().signUp()
    const { port } = await serve(database())
    const first = await open(port)
    expect(await first.join(account.id, account.token)).toEqual(accepted)
    const topic = `realtime:account:${account.id}`
    const soon = sign(
      { ...claimsOf(account.token), exp: Math.floor(Date.now() / 1000) + 2 },
      jwtSecret,
    )
    const second = await open(port)
    expect(await second.join(account.id, soon)).toEqual(accepted)
    const renewed = await open(port)
    expect(await renewed.join(account.id, soon)).toEqual(accepted)
    renewed.socket.send(
      JSON.stringify(['1', '9', topic, 'access_token', { access_token: account.token }]),
    )
    expect(await second.closed).toEqual([1008, 'The token has expired.'])
    expect(first.socket.readyState).toBe(WebSocket.OPEN)
    expect(renewed.socket.readyState).toBe(WebSocket.OPEN)
    await account.client.auth.signOut()
    expect(await first.closed).toEqual([1008, 'The session has ended.'])
    expect(await renewed.closed).toEqual([1008, 'The session has ended.'])
  })

  test('a deleted account is cut off', async () => {
    const account = await database().signUp()
    const { port } = await serve(database())
    const { join, closed } = await open(port)
    expect(await join(account.id, account.token)).toEqual(accepted)
    await account.client.rpc('delete_account', { address: account.email })
    expect(await closed).toEqual([1008, 'The session has ended.'])
  })
})

onAnyDatabase((database) => {
  test.runIf(isLong)(
    'a window whose connection died unheard misses its heartbeat, joins again and hears on',
    async () => {
      const account = await database().signUp()
      const { address } = await serve(database())
      const proxy = await freezingProxy(address)
      cleanings.push(() => proxy.close())
      const client = createClient(proxy.url.replace(/\/$/, ''), database().backend.publicKey, {
        // Every 25 seconds in the page.
        realtime: { transport: WebSocket as never, heartbeatIntervalMs: 300 },
        accessToken: async () => account.token,
      })
      cleanings.push(() => client.removeAllChannels())
      await client.realtime.setAuth()
      let joined = 0
      let answered = 0
      const heard: unknown[] = []
      client.realtime.onHeartbeat((status) => {
        if (status === 'ok') answered += 1
      })
      client
        .channel(`account:${account.id}`, { config: { private: true } })
        .on(
          'broadcast',
          { event: 'changes' },
          ({ payload }) => payload.tables && heard.push(payload),
        )
        .subscribe((status) => {
          if (status === 'SUBSCRIBED') joined += 1
        })
      await expect.poll(() => joined, patient).toBe(1)
      // Answered, heartbeats leave the connection as it is.
      await expect.poll(() => answered, patient).toBeGreaterThan(2)
      expect([joined, proxy.opened()]).toEqual([1, 1])
      proxy.freeze()
      const before = proxy.opened()
      // Connections that are opened from now on pass.
      await expect
        .poll(() => {
          if (proxy.opened() > before) proxy.thaw()
          return joined
        }, patient)
        .toBeGreaterThan(1)
      await change(account)
      await expect.poll(() => heard.length, patient).toBeGreaterThan(0)
    },
  )

  test('joins are refused that are not of the own account, private, or of a valid token', async () => {
    const [account, other] = [await database().signUp(), await database().signUp()]
    const { port } = await serve(database())
    const { join, ask, socket, got } = await open(port)
    const claims = claimsOf(account.token)
    expect(await join(other.id, account.token)).toEqual(refused('This channel is not yours.'))
    expect(await join(account.id, account.token, { private: false })).toEqual(
      refused('Only private channels can be joined.'),
    )
    const forged = [
      sign(claims, 'another secret'),
      sign({ ...claims, exp: 1 }, jwtSecret),
      sign({ ...claims, sub: other.id }, jwtSecret),
      sign({ ...claims, role: 'service_role' }, jwtSecret),
      'nonsense',
    ]
    for (const token of forged)
      expect(await join(account.id, token)).toEqual(refused('The session has ended.'))
    // Nothing of all that lets anybody hear anything.
    await change(account)
    expect(await join(account.id, account.token)).toEqual(accepted)
    await change(account)
    await expect.poll(() => changesIn(got).length, patient).toBe(1)
    expect(await ask('phoenix', 'heartbeat', {})).toEqual(accepted)
    expect(await ask(`realtime:account:${account.id}`, 'broadcast', {})).toEqual(
      refused('Clients cannot send to channels.'),
    )
    expect(await ask(`realtime:account:${account.id}`, 'phx_leave', {})).toEqual(accepted)
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })
})

describe('limits', () => {
  test('of sockets and messages, and who may open one', async () => {
    const backend = {
      publicKey: 'sb_publishable_test',
      live: {
        admit: async (token: string) => ({
          account: token,
          session: 'session',
          expires: new Date(Date.now() + 60_000),
        }),
        follow: () => () => {},
      },
    } as unknown as TestDatabase['backend']
    const { port } = await serve({ backend }, { perAccount: 1, perAddress: 4, messages: 5 })
    const own = { headers: { origin: `http://127.0.0.1:${port}` } }
    const one = await open(port, own)
    const other = await open(port, { headers: { origin: 'https://crm.example' } })
    expect(await one.join('a', 'a')).toEqual(accepted)
    expect(await other.join('a', 'a')).toEqual(refused('Too many windows are open.'))
    expect(await other.join('b', 'b')).toEqual(accepted)

    const evil = await open(port, { headers: { origin: 'https://evil.example' } })
    const keyless = await open(port, { search: 'vsn=2.0.0' })
    const old = await open(port, { search: 'apikey=sb_publishable_test&vsn=1.0.0' })
    for (const { socket } of [evil, keyless, old]) expect(socket.readyState).not.toBe(1)

    for (let count = 0; count < 5; count += 1) one.socket.send('["1","1","phoenix","heartbeat",{}]')
    expect(await one.closed).toEqual([1008, 'Too many messages.'])
    const third = await open(port, own)
    third.socket.send('x'.repeat(20_000))
    expect((await third.closed)[0]).toBe(1009)
    const fourth = await open(port, own)
    fourth.socket.send('{"not": "a message"}')
    expect(await fourth.closed).toEqual([1008, 'The message cannot be read.'])
    const more = await Promise.all([open(port), open(port), open(port), open(port)])
    expect(more.filter(({ socket }) => socket.readyState === WebSocket.OPEN)).toHaveLength(3)
  })

  test('who joins nothing is closed, and a stop closes all', async () => {
    const backend = { publicKey: 'sb_publishable_test' } as unknown as TestDatabase['backend']
    const impatient = await serve({ backend }, { joining: 50 })
    const { closed } = await open(impatient.port)
    expect(await closed).toEqual([1008, 'Nothing was joined.'])
    const server = await serve({ backend })
    const waiting = await open(server.port)
    await server.stop()
    expect((await waiting.closed)[0]).toBe(1001)
  })
})

describe('a database that is lost', () => {
  test('PGlite in a new thread is listened to again', async () => {
    const { connection, remove } = await copiedDatabase()
    const database = await openAt(connection)
    cleanings.push(remove, () => database.backend.close())
    const heard: string[] = []
    connection.hear({
      onNotice: ({ payload }) => heard.push(payload),
      onGap: () => heard.push('gap'),
    })
    // A statement over its limit ends the thread.
    const slow = () => sql`select pg_sleep(9)`.execute(connection.kysely)
    await expect(withShare({ who: 'somebody', limit: 50 }, slow)).rejects.toThrow()
    await expect.poll(() => heard, patient).toContain('gap')
    await database.query("select pg_notify('solo_changes', 'again')")
    await expect.poll(() => heard, patient).toContain('again')
  })

  const adminUrl = inject('postgresUrl')

  test.runIf(adminUrl)(
    'PostgreSQL is listened to again after the connection was lost',
    async () => {
      const database = await onServer((url) => url)
      const account = await database.signUp()
      const { port } = await serve(database)
      const { join, got } = await open(port)
      expect(await join(account.id, account.token)).toEqual(accepted)
      const ending =
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ~* '^listen'"
      await expect.poll(() => database.query(ending), patient).not.toEqual([])
      // Written while nobody listens: told as a gap, which windows answer with a question.
      await change(account)
      await expect
        .poll(() => newsIn(got), patient)
        .toContainEqual({ tables: null, batch: null, window: null })
      await change(account)
      await expect
        .poll(() => newsIn(got).some(({ tables }) => tables?.includes('companies')), patient)
        .toBe(true)
    },
  )

  test.runIf(adminUrl)('behind a pooler without notices it is asked what is new', async () => {
    const written: string[] = []
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text))
      return true
    })
    cleanings.push(() => vi.restoreAllMocks())
    const database = await onServer(withoutNotices)
    const account = await database.signUp()
    const { port } = await serve(database)
    const { join, got } = await open(port)
    expect(await join(account.id, account.token)).toEqual(accepted)
    // The first look tells every account; what is new after it, once.
    await expect.poll(() => newsIn(got).length, patient).toBe(1)
    await change(account)
    await expect.poll(() => newsIn(got).length, patient).toBe(2)
    expect(newsIn(got)[1]).toEqual({ tables: null, batch: null, window: null })
    expect(written.filter((line) => line.includes('pooler'))).toHaveLength(1)
  })

  async function onServer(through: (url: string) => string | Promise<string>) {
    const noticePatience = { pause: 20, probe: 500, poll: 100, retry: 60_000 }
    const database = await withMigratedDatabase(adminUrl ?? '', async (url) =>
      openAt(new ServerConnection(await through(url), { noticePatience })),
    )
    cleanings.push(() => database.backend.close())
    return database
  }
})

/** Stands before a server like a pooler: everything passes but notices. */
async function withoutNotices(databaseUrl: string): Promise<string> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const proxy: Server = createServer((near) => {
    const far = connectTo(Number(target.port), target.hostname)
    let rest = Buffer.alloc(0)
    near.pipe(far)
    far.on('data', (data) => {
      rest = Buffer.concat([rest, data])
      // Each message is a letter, its length and its content; "A" is a notice.
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const size = rest.readUInt32BE(1) + 1
        if (rest[0] !== 65) near.write(rest.subarray(0, size))
        rest = rest.subarray(size)
      }
    })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  cleanings.push(() => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  const bound = proxy.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof bound === 'object' && bound?.port)
  return url.href
}
