import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import WebSocket from 'ws'
import { isLong } from '#server/test-length.ts'
import { runBuilt } from '#server/test-process.ts'
import { type BalancingProxy, startBalancingProxy } from './balancing-proxy.ts'
import { eventually, ok } from './harness.ts'
import { withMigratedDatabase } from './server-database.ts'

const adminUrl = inject('postgresUrl')
const clients = 200
const seconds = 120
/** Between two requests of a client, in milliseconds. */
const pace = 2000

type Client = { token: string; refresh: string; id: string }

/** Takes two minutes, and all of the machine. */
describe.runIf(adminUrl && isLong)('four server processes behind a proxy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'solo-scale-'))
  let url = ''
  let key = ''
  let proxy: BalancingProxy
  let processes: ReturnType<typeof runBuilt>[] = []
  let started = 0

  function start(): ReturnType<typeof runBuilt> {
    started += 1
    return runBuilt(join(folder, String(started)), {
      DATABASE_URL: url,
      TRUST_PROXY: '1',
      ALLOW_PRIVATE_ADDRESSES: 'true',
      RATE_LIMIT_SIGN_UP: '100000',
      RATE_LIMIT_ADDRESS: '1000000',
      CONNECTIONS_PER_ADDRESS: '10000',
    })
  }

  beforeAll(async () => {
    url = await withMigratedDatabase(adminUrl ?? '', async (address) => address)
    processes = Array.from({ length: 4 }, start)
    proxy = await startBalancingProxy(await Promise.all(processes.map(({ ready }) => ready)))
    const page = await (await fetch(`${proxy.address}/app`)).text()
    key = /"supabaseKey":"([^"]+)"/.exec(page)?.[1] ?? ''
  }, 240_000)
  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGTERM')
    await Promise.all(processes.map(({ ended }) => ended))
    await proxy?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function ask(path: string, method: string, body?: unknown, token = key): Promise<Response> {
    return fetch(`${proxy.address}${path}`, {
      method,
      headers: {
        apikey: key,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  }

  function at(address: string, token: string): SupabaseClient {
    return createClient(address, key, {
      accessToken: async () => token,
      realtime: { transport: WebSocket as never },
    })
  }

  async function signUp(): Promise<Client & { email: string }> {
    const email = `${randomUUID()}@example.com`
    const answer = await ask('/auth/v1/signup', 'POST', { email, password: 'secret-1' })
    expect(answer.status).toBe(200)
    const { access_token: token, refresh_token: refresh, user } = await answer.json()
    return { token, refresh, id: user.id, email }
  }

  /** Follows an account at an address; gives what was heard so far. */
  async function follow(address: string, { token, id }: Client) {
    const client = at(address, token)
    let heard = 0
    let isJoined = false
    client
      .channel(`account:${id}`, { config: { private: true } })
      .on('broadcast', { event: '*' }, () => {
        heard += 1
      })
      .subscribe((state) => {
        isJoined = state === 'SUBSCRIBED'
      })
    await eventually(() => expect(isJoined).toBe(true))
    return { heard: () => heard, isJoined: () => isJoined, stop: () => client.removeAllChannels() }
  }

  test('count attempts to sign in together', async () => {
    const { email } = await signUp()
    const statuses: number[] = []
    for (let round = 0; round < 24; round += 1) {
      const body = { email, password: 'wrong-1' }
      const answer = await ask('/auth/v1/token?grant_type=password', 'POST', body)
      statuses.push(answer.status)
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(20)
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429])
  }, 60_000)

  test(`serve ${clients} clients through a rolling restart: no error, nobody signed out, live, and all work done once`, async () => {
    const everybody: Client[] = []
    for (let made = 0; made < clients; made += 10) {
      everybody.push(...(await Promise.all(Array.from({ length: 10 }, signUp))))
    }
    const [seller] = everybody
    if (!seller) throw new Error('There is no client.')

    const received: string[] = []
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']))
      request.resume()
      response.end('ok')
    })
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
    const hookAt = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const hook = at(proxy.address, seller.token).rpc('create_webhook', {
      url: hookAt,
      events: ['created'],
    })
    await ok(hook)

    const followers = await Promise.all(
      proxy.ports.map((port) => follow(`http://127.0.0.1:${port}`, seller)),
    )
    await ok(at(proxy.address, seller.token).from('companies').insert({ name: 'Heard' }).select())
    await eventually(() =>
      expect(followers.map(({ heard }) => heard() > 0)).toEqual([true, true, true, true]),
    )
    for (const { stop } of followers) await stop()
    const through = await follow(proxy.address, seller)

    const times: number[] = []
    const failures: string[] = []
    let sent = 0
    let written = 1
    const until = Date.now() + seconds * 1000
    async function request(client: Client, round: number): Promise<void> {
      const began = performance.now()
      const list = '/rest/v1/contacts?select=id,first_name,last_name&order=created_at.desc&limit=20'
      const isWrite = round % 5 === 2
      const isSeller = client === seller
      const answer = await (isWrite
        ? ask(
            `/rest/v1/${isSeller ? 'companies' : 'contacts'}`,
            'POST',
            isSeller ? { name: `Company ${round}` } : { first_name: `Contact ${round}` },
            client.token,
          )
        : round % 10 === 5
          ? ask('/auth/v1/user', 'GET', undefined, client.token)
          : ask(list, 'GET', undefined, client.token)
      ).catch((error: Error) => error)
      times.push(performance.now() - began)
      sent += 1
      if (answer instanceof Error) failures.push(`${answer.message} ${String(answer.cause)}`)
      else if (!answer.ok) failures.push(`${answer.status} ${await answer.text()}`)
      else {
        if (isSeller && isWrite) written += 1
        await answer.arrayBuffer()
      }
    }
    async function work(client: Client, place: number): Promise<void> {
      await sleep((place * pace) / clients)
      for (let round = 1; Date.now() < until; round += 1) {
        const next = sleep(pace)
        await request(client, round)
        if (round === 25) {
          const body = { refresh_token: client.refresh }
          const answer = await ask('/auth/v1/token?grant_type=refresh_token', 'POST', body)
          if (answer.ok) client.token = (await answer.json()).access_token
          else failures.push(`refresh ${answer.status}`)
        }
        await next
      }
    }
    const working = everybody.map(work)

    await sleep(15_000)
    for (const place of processes.keys()) {
      // As a proxy is told before: it sends nothing more there.
      const [port = 0] = proxy.ports.splice(0, 1)
      await vi.waitFor(() => expect(proxy.inFlight(port)).toBe(0), 120_000)
      processes[place]?.child.kill('SIGTERM')
      expect((await processes[place]?.ended)?.code).toBe(0)
      const fresh = start()
      processes[place] = fresh
      proxy.ports.push(await fresh.ready)
    }
    const restartedAfter = Math.round((Date.now() - until) / 1000 + seconds)
    await Promise.all(working)

    const sorted = [...times].sort((a, b) => a - b)
    const at95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0
    const wanted = (clients * seconds * 1000) / pace
    const figures = {
      requests: sent,
      wanted,
      failures: failures.length,
      median: Math.round(sorted[sorted.length >> 1] ?? 0),
      p95: Math.round(at95),
      longest: Math.round(sorted.at(-1) ?? 0),
      restartedAfter,
    }
    process.stdout.write(`${JSON.stringify(figures)}\n`)
    expect(failures.slice(0, 5)).toEqual([])
    // Everybody begins up to one pace late, and the machine kept up with them.
    expect(sent).toBeGreaterThan(wanted * 0.9)
    // Whoever was cut off by a restart has come back by itself, and hears.
    await eventually(() => expect(through.isJoined()).toBe(true))
    const before = through.heard()
    await ok(at(proxy.address, seller.token).from('companies').insert({ name: 'Last' }).select())
    await eventually(() => expect(through.heard()).toBeGreaterThan(before))
    await through.stop()
    await eventually(() => expect(new Set(received).size).toBe(written + 1))
    expect(received).toHaveLength(written + 1)
    receiver.closeAllConnections()
    receiver.close()
  }, 600_000)
})

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
