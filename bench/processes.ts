import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signUpAt, startBuiltServerOn } from '../scripts/built-product.ts'
import { startPostgres } from '../supabase/tests/postgres-server.ts'
import { noRateLimits } from './requests.ts'

/**
 * What one server process serves, for docs/scaling.md: `node scripts/run.mjs bench/processes.ts [seconds]`. Clients ask
 * as fast as they are answered, on one process with each database. Nothing is written anywhere.
 */
const seconds = Number(process.argv[2] ?? 10)
const clientsAtOnce = 16

type Send = (path: string, body?: unknown) => Promise<void>

async function measure(name: string, settings: Record<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-processes-'))
  const server = await startBuiltServerOn(folder, {
    ...settings,
    ...noRateLimits,
    RATE_LIMIT_SIGN_UP: '1000',
  })
  try {
    const { key, session } = await signUpAt(server.address, 'bench@example.com')
    const send: Send = async (path, body) => {
      const answer = await fetch(`${server.address}/rest/v1/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          apikey: key,
          authorization: `Bearer ${session.access_token}`,
          'content-type': 'application/json',
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      await answer.arrayBuffer()
    }
    const people = Array.from({ length: 1000 }, (_, n) => ({ first_name: `Person ${n}` }))
    await send('contacts', people)
    const kinds: Record<string, (n: number) => Promise<void>> = {
      'page of contacts': () => send('rpc/contact_page', {}),
      'one contact added': (n) => send('contacts', { first_name: `New ${n}` }),
    }
    for (const [kind, ask] of Object.entries(kinds)) {
      const before = processorSeconds(server.pid)
      const { count, p95 } = await flood(ask)
      const used = processorSeconds(server.pid) - before
      const each = ((used / count) * 1000).toFixed(2)
      console.log(
        `${name}, ${kind}: ${Math.round(count / seconds)} a second, p95 ${p95} ms, ${each} ms of a processor each in the server process`,
      )
    }
    console.log(`${name}: ${memory(server.pid)} MB of memory after it`)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function flood(ask: (n: number) => Promise<void>): Promise<{ count: number; p95: number }> {
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: clientsAtOnce }, async () => {
      while (performance.now() < until) {
        const began = performance.now()
        await ask(times.length)
        times.push(performance.now() - began)
      }
    }),
  )
  times.sort((a, b) => a - b)
  return { count: times.length, p95: Math.round(times[Math.floor(times.length * 0.95)] ?? 0) }
}

/** The time that a process has had a processor, its threads included; Linux tells it in hundredths. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function memory(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

await measure('PGlite', {})
const database = await startPostgres()
if (database) {
  await measure('PostgreSQL', { DATABASE_URL: database.url })
  await database.stop()
}
process.exit(0)
