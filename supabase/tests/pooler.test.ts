import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import WebSocket from 'ws'
import type { Backend } from '#server/backend/start-backend.ts'
import { quietConsole } from '#server/log.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'
import { openBackend } from '#server/open-backend.ts'
import { readSettings } from '#server/settings.ts'
import { isLong } from '#server/test-length.ts'
import { eventually, ok } from './harness.ts'
import { freePort } from './postgres-server.ts'
import { withServerDatabase } from './server-database.ts'

const adminUrl = inject('postgresUrl')
const program = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((file) => existsSync(file))

// Where PgBouncer is not installed, there is nothing to prove this on.
describe.runIf(adminUrl && program && isLong)('behind PgBouncer in transaction mode', () => {
  const folder = mkdtempSync(join(tmpdir(), 'solo-pooler-'))
  const stops: (() => unknown)[] = []
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A pooler with few connections, so that each transaction may get another one. */
  async function startPooler(url: string): Promise<string> {
    const { hostname, port, username } = new URL(url)
    const listenPort = await freePort()
    const isRoot = process.getuid?.() === 0
    writeFileSync(
      join(folder, 'pooler.ini'),
      `[databases]\n${username} = host=${hostname} port=${port} user=${username}\n[pgbouncer]\n` +
        `listen_addr = 127.0.0.1\nlisten_port = ${listenPort}\nauth_type = any\npool_mode = transaction\n` +
        'default_pool_size = 6\nmax_client_conn = 500\nunix_socket_dir =\n',
    )
    chmodSync(folder, 0o755)
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
    const user = isRoot ? { uid: id('-u'), gid: id('-g') } : {}
    const child = spawn(program ?? '', [join(folder, 'pooler.ini')], { ...user, stdio: 'ignore' })
    stops.push(() => child.kill('SIGKILL'))
    const through = new URL(url)
    through.port = String(listenPort)
    await eventually(async () => {
      const db = postgres(through.href, { max: 1, prepare: false, connect_timeout: 2 })
      await db`select 1`.finally(() => db.end())
    })
    return through.href
  }

  function clientOf(backend: Backend) {
    return createClient('http://127.0.0.1:3000', backend.publicKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: (input, init) => backend.fetch(new Request(input, init), null) },
      realtime: { transport: WebSocket as never },
    })
  }

  test('two servers start, answer many requests at once, tell what is new and count together, and say what is slower', async () => {
    const loud = quietConsole(() => {})
    const problems = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    stops.push(loud, () => problems.mockRestore())
    const [direct, one, other] = await withServerDatabase(adminUrl ?? '', async (url) => {
      const through = await startPooler(url)
      const open = () => openBackend(readSettings({ DATABASE_URL: through }), noMailbox)
      const both = await Promise.all([open(), open()])
      stops.push(...both.map((backend) => () => backend.close()))
      return [url, ...both] as const
    })
    const client = clientOf(one)
    const { data } = await client.auth.signUp({
      email: `${randomUUID()}@example.com`,
      password: 'secret-1',
    })
    const account = data.session?.user.id ?? ''
    await clientOf(other).auth.setSession(data.session ?? { access_token: '', refresh_token: '' })
    await eventually(() =>
      expect(problems.mock.calls.flat().join()).toContain('a pooler that passes on no notices'),
    )

    let news = 0
    const stop = other.live.follow({
      account,
      session: randomUUID(),
      onNews: () => (news += 1),
      onEnd: () => {},
    })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, place) =>
        place % 2 === 0
          ? client.from('contacts').insert({ first_name: `Contact ${place}` })
          : client.from('contacts').select('id, first_name').limit(5),
      ),
    )
    expect(answers.filter(({ error }) => error)).toEqual([])
    expect((await ok(client.from('contacts').select('id'))).length).toBe(50)
    await eventually(() => expect(news).toBeGreaterThan(0))
    stop()

    const counters = [one, other].map(({ attempts }) => attempts?.('test', 3, 60))
    for (const counter of [...counters, counters[0]]) await counter?.consume('somebody')
    await expect(counters[1]?.consume('somebody')).rejects.toMatchObject({ remainingPoints: 0 })

    const db = postgres(direct, { max: 1 })
    const locks =
      await db`select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`
    expect(locks).toHaveLength(0)
    const [{ zone = '' } = {}] = await db`select current_setting('TimeZone') as zone`
    expect(zone).toBe('UTC')
    await db.end()
  }, 240_000)
})
