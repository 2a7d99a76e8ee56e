import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuiltServer, signUpAt, startBuiltServerOn } from '../scripts/built-product.ts'
import { startPostgres } from '../supabase/tests/postgres-server.ts'
import { type Figure, median } from './measure.ts'

const contacts = 1000
const listsPerSecond = 400
const listMilliseconds = 3

/** Eight clients of one address are no attack here. */
export const noRateLimits = { RATE_LIMIT_ADDRESS: '100000000', RATE_LIMIT_ACCOUNT: '100000000' }

/** The built server as its users meet it, over HTTP: how long it takes to start and what it answers in time. */
export async function benchRequests(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-bench-'))
  const postgres = await startPostgres()
  try {
    const figures = await benchServer('PGlite', join(folder, 'embedded'), {})
    if (!postgres) return figures
    const settings = { DATABASE_URL: postgres.url }
    return [...figures, ...(await benchServer('PostgreSQL', join(folder, 'server'), settings))]
  } finally {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchServer(
  name: string,
  folder: string,
  settings: Record<string, string>,
): Promise<Figure[]> {
  const figures: Figure[] = []
  // The goals are the embedded database's: the server's own process is not ours to make quicker.
  function add(what: string, ours: number, goal = '–', isMet: boolean | null = null) {
    const isSet = isMet !== null && name === 'PGlite'
    const set = isSet ? { goal, isMet } : { goal: '–', isMet: null }
    figures.push({ what: `${name}: ${what}`, rows: contacts, ours, plain: null, ...set })
  }
  const open = () => startBuiltServerOn(folder, { ...settings, ...noRateLimits })
  const first = await timed(open)
  add('first start', first.milliseconds)
  await first.value.stop()
  const second = await timed(open)
  add('second start', second.milliseconds)
  const server = second.value
  try {
    const send = await signedIn(server.address)
    const people = Array.from({ length: contacts }, (_, n) => ({ first_name: `Person ${n}` }))
    await send('contacts', people)
    const list = () => send('rpc/contact_page', {})
    const lists = {
      'page of contacts with its cards': list,
      'plain list of contacts': () => send('contacts?order=created_at.desc&limit=50'),
      'saved views of the contacts': () =>
        send('saved_views?select=id,name,query&screen=eq.contacts'),
    }
    for (const [what, ask] of Object.entries(lists)) {
      // A database in WebAssembly is compiled again where it is hot: a thousand pages go by until that is done.
      const one = await median(ask, 500, 1500)
      add(what, one, `< ${listMilliseconds} ms`, one < listMilliseconds)
      for (const clients of [1, 8, 64]) {
        const { perSecond, middle } = await load(ask, clients)
        const rate = `${what}, ${clients} at once: ${perSecond} requests/s`
        if (clients !== 8) add(rate, middle)
        else add(rate, middle, `≥ ${listsPerSecond} requests/s`, perSecond >= listsPerSecond)
      }
    }
    add('one insert', await median(() => send('contacts', { first_name: 'Ada' }), 200, 50))
    const spent = await processorTime(server, list)
    if (spent !== null) add('1,000 pages of contacts, time of the processor', spent)
  } finally {
    await server.stop()
  }
  return figures
}

/** With a body it writes or calls, without it reads. */
export type Send = (path: string, body?: unknown) => Promise<void>

/** A new account, and a way to send as its browser would. */
export async function signedIn(address: string): Promise<Send> {
  const { key, session } = await signUpAt(address, `${randomUUID()}@example.com`)
  const agent = new Agent({ keepAlive: true })
  const headers = {
    apikey: key,
    authorization: `Bearer ${session.access_token}`,
    'content-type': 'application/json',
  }
  return (path, body) =>
    new Promise((resolve, reject) => {
      const sent = { method: body === undefined ? 'GET' : 'POST', agent, headers }
      const outgoing = request(`${address}/rest/v1/${path}`, sent, (incoming) => {
        incoming.resume()
        const isGood = (incoming.statusCode ?? 500) < 300
        incoming.once('end', () =>
          isGood ? resolve() : reject(new Error(`${path}: ${incoming.statusCode}`)),
        )
      })
      outgoing.once('error', reject)
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
}

/** So many clients, each of which asks again as soon as it has its answer. */
async function load(ask: () => Promise<void>, clients: number) {
  const durations: number[] = []
  const started = performance.now()
  const until = started + 3000
  async function client() {
    for (let now = performance.now(); now < until; ) {
      await ask()
      durations.push(performance.now() - now)
      now = performance.now()
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const perSecond = Math.round((durations.length * 1000) / (performance.now() - started))
  durations.sort((a, b) => a - b)
  return { perSecond, middle: durations[Math.floor(durations.length / 2)] ?? 0 }
}

/** What a thousand requests cost the server's process, where the system tells it; in milliseconds. */
async function processorTime({ pid }: BuiltServer, ask: () => Promise<void>) {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return null
  const spent = () => {
    const [user, system] = readFileSync(file, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    // In hundredths of a second.
    return (Number(user) + Number(system)) * 10
  }
  const before = spent()
  for (let turn = 0; turn < 1000; turn++) await ask()
  return spent() - before
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; milliseconds: number }> {
  const started = performance.now()
  const value = await work()
  return { value, milliseconds: performance.now() - started }
}
