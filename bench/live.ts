import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signUpAt, startBuiltServerOn } from '../scripts/built-product.ts'
import { startPostgres } from '../supabase/tests/postgres-server.ts'
import type { Figure } from './measure.ts'

const writes = 100
/** In milliseconds. */
const goal = 50

/** From sending a write to hearing of it in another window of the account. */
export async function benchLive(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-bench-'))
  const postgres = await startPostgres()
  try {
    const figures = [await benchServer('PGlite', join(folder, 'embedded'), {})]
    if (postgres) {
      const settings = { DATABASE_URL: postgres.url }
      figures.push(await benchServer('PostgreSQL', join(folder, 'server'), settings))
    }
    return figures
  } finally {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchServer(
  name: string,
  folder: string,
  settings: Record<string, string>,
): Promise<Figure> {
  const server = await startBuiltServerOn(folder, settings)
  try {
    const { client, session } = await signUpAt(server.address, 'live@example.com')
    let hear = () => {}
    await client.realtime.setAuth(session.access_token)
    await new Promise<void>((resolve, reject) => {
      client
        .channel(`account:${session.user.id}`, { config: { private: true } })
        .on('broadcast', { event: 'changes' }, () => hear())
        .subscribe((status, error) => (status === 'SUBSCRIBED' ? resolve() : reject(error)))
    })
    const times: number[] = []
    for (let count = 0; count < writes; count += 1) {
      const heard = new Promise<void>((resolve) => {
        hear = resolve
      })
      const started = performance.now()
      const written = client
        .from('companies')
        .insert({ name: `Company ${count}` })
        .throwOnError()
      await Promise.all([written, heard.then(() => times.push(performance.now() - started))])
    }
    await client.removeAllChannels()
    const ours = times.sort((one, other) => one - other)[writes / 2] ?? 0
    return {
      what: `${name}: from a write to the message in another window`,
      rows: writes,
      ours,
      plain: null,
      goal: `${goal} ms`,
      isMet: ours <= goal,
    }
  } finally {
    await server.stop()
  }
}
