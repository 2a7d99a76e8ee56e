import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { sql } from 'kysely'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import WebSocket from 'ws'
import type { Database } from '#lib/database.types.ts'
import { EmbeddedConnection } from '#server/backend/connections.ts'
import type { Backend } from '#server/backend/start-backend.ts'
import { quietConsole } from '#server/log.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'
import { move } from '#server/moves/command.ts'
import { openBackend } from '#server/open-backend.ts'
import { readSettings } from '#server/settings.ts'
import { isLong } from '#server/test-length.ts'
import { type Account, ok } from './harness.ts'
import { type HostedAdmin, startHostedAdmin } from './hosted-admin.ts'
import { add, type SampleTable, samples } from './samples.ts'
import { withMigratedDatabase } from './server-database.ts'

/** Passes everything on to a database server, until these words were sent so many times: then it cuts everything. */
async function startCuttingProxy(url: string, words: string, times: number) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let seen = 0
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
      one.on('data', (data: Buffer) => {
        if (one === client) seen += data.toString('latin1').split(words).length - 1
        if (seen < times) other.write(data)
        else for (const socket of sockets) socket.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: through.href, stop: () => new Promise((resolve) => server.close(resolve)) }
}

const adminUrl = inject('postgresUrl')
const password = 'secret-1'

type Env = Record<string, string>

describe.runIf(adminUrl)('an installation that moves', () => {
  let folder = ''
  let loud = () => {}
  let admin: Sql
  let hosted: HostedAdmin
  const databases: Sql[] = []
  const lines: string[] = []
  const run = (env: Env, ...args: string[]) => move(env, args, (line) => void lines.push(line))

  beforeAll(async () => {
    loud = quietConsole(() => {})
    folder = await mkdtemp(join(tmpdir(), 'solo-move-'))
    admin = postgres(adminUrl ?? '', { max: 1, onnotice: () => {} })
  })
  afterAll(async () => {
    await hosted?.stop()
    for (const db of [admin, ...databases]) await db.end()
    await rm(folder, { recursive: true, force: true })
    loud()
  })

  /** A data folder with a migrated database and nobody in it. */
  async function emptyFolder(name: string): Promise<string> {
    const dataDir = join(folder, name)
    await mkdir(dataDir, { mode: 0o700 })
    await cp(inject('embeddedTemplate'), join(dataDir, 'database'), { recursive: true })
    return dataDir
  }

  async function emptyDatabase(): Promise<string> {
    return withMigratedDatabase(adminUrl ?? '', async (url) => url)
  }

  function adminOf(url: string): string {
    const address = new URL(adminUrl ?? '')
    address.pathname = new URL(url).pathname
    return address.href
  }

  /** A database as its administrator sees it; the connection goes when it is not used. */
  function asAdmin(url: string): Sql {
    const db = postgres(adminOf(url), { max: 1, idle_timeout: 1, onnotice: () => {} })
    databases.push(db)
    return db
  }

  async function inDatabase<T>(url: string, work: (db: Sql) => Promise<T>): Promise<T> {
    const db = postgres(adminOf(url), { max: 1, onnotice: () => {} })
    try {
      return await work(db)
    } finally {
      await db.end()
    }
  }

  /** How many parts of a move wait there; null where none does. */
  function waitingAt(url: string): Promise<number | null> {
    return inDatabase(url, async (db) => {
      const [there] = await db`select to_regclass('solo_moving.parts') is not null as is`
      if (!there?.is) return null
      const [row] = await db`select count(*)::int as n from solo_moving.parts`
      return Number(row?.n)
    })
  }

  async function serving<T>(env: Env, work: (backend: Backend) => Promise<T>): Promise<T> {
    const backend = await openBackend(readSettings(env), noMailbox)
    try {
      return await work(backend)
    } finally {
      await backend.close()
    }
  }

  function clientOf(backend: Backend) {
    return createClient<Database>('http://127.0.0.1:3000', backend.publicKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: (input, init) => backend.fetch(new Request(input, init), null) },
      realtime: { transport: WebSocket as never },
    })
  }

  async function signUp(backend: Backend): Promise<Account> {
    const client = clientOf(backend)
    const email = `${randomUUID()}@example.com`
    const { data, error } = await client.auth.signUp({ email, password })
    if (error || !data.session) throw error ?? new Error('Sign-up gave no session.')
    return { id: data.session.user.id, email, token: data.session.access_token, client }
  }

  /** Every row of every table of ours, and of the accounts, as text. */
  const listing = `select c.oid::regclass::text as name from pg_class c
    where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'private') order by 1`
  const rowsIn = (name: string) => `select coalesce(json_agg(r order by r), '[]')::text as rows
    from (select to_jsonb(t)::text collate "C" as r from ${name} t) r`
  const accounts = `select coalesce(json_agg(json_build_array(id, email, encrypted_password, email_confirmed_at is not null)
    order by id), '[]')::text as rows from auth.users`

  type Picture = Record<string, string>
  async function pictureOf(read: <R>(text: string) => Promise<R[]>): Promise<Picture> {
    const picture: Picture = {}
    for (const { name } of await read<{ name: string }>(listing)) {
      const [row] = await read<{ rows: string }>(rowsIn(name))
      picture[name.replace(/^public\./, '')] = row?.rows ?? ''
    }
    const [row] = await read<{ rows: string }>(accounts)
    return { ...picture, accounts: row?.rows ?? '' }
  }
  async function pictureOfFolder(dataDir: string): Promise<Picture> {
    const connection = new EmbeddedConnection(join(dataDir, 'database'))
    try {
      return await pictureOf(async <R>(text: string) => {
        return (await sql.raw<R>(text).execute(connection.kysely)).rows
      })
    } finally {
      await connection.close()
    }
  }
  async function pictureOfDatabase(url: string): Promise<Picture> {
    const db = postgres(adminOf(url), { max: 1, onnotice: () => {} })
    await db`select set_config('TimeZone', 'UTC', false)`
    const picture = await pictureOf(
      async <R>(text: string) => (await db.unsafe(text)) as unknown as R[],
    )
    await db.end()
    return picture
  }

  test('goes from one server to another: refused where it may not, cut off twice, changed meanwhile, and equal at the end', async () => {
    const from = await emptyDatabase()
    const ada = await serving({ DATABASE_URL: from }, async (backend) => {
      const account = await signUp(backend)
      for (const name of ['contacts', 'tasks', 'files'] as const) await add(account, name)
      const note = 'Line one\nLine two: "quoted", \\ and \u{1F600}'
      await ok(account.client.from('contacts').insert({ first_name: 'Zoë', notes: note }).select())
      await ok(account.client.from('contacts').delete().eq('first_name', 'Ada').select())
      return account
    })
    const url = await emptyDatabase()
    const way = { DATABASE_URL: from, TO_DATABASE_URL: url }
    await serving({ DATABASE_URL: from }, async () => {
      await expect(run(way, '--to', 'postgres')).rejects.toThrow('Stop every Solo CRM on it first.')
    })
    const onto = { ...way, TO_DATABASE_URL: from }
    await expect(run(onto, '--to', 'postgres')).rejects.toThrow('onto itself')
    await expect(run(way, '--to', 'folder')).rejects.toThrow('Expected: npm run move')
    await expect(run({ DATABASE_URL: from }, '--to', 'postgres')).rejects.toThrow(
      'TO_DATABASE_URL: ',
    )
    const version = "'29990101000000'"
    await inDatabase(url, async (db) => {
      await db.unsafe(
        `insert into supabase_migrations.schema_migrations (version) values (${version})`,
      )
    })
    await expect(run(way, '--to', 'postgres')).rejects.toThrow('is of another version')
    await inDatabase(url, async (db) => {
      await db.unsafe(
        `delete from supabase_migrations.schema_migrations where version = ${version}`,
      )
    })
    const would = await run(way, '--to', 'postgres', '--dry-run')
    expect(would[0]).toMatch(
      /^Would move from the database .* accounts: 1, rows: \d+ in \d+ tables, files: 1\.$/,
    )
    expect(await waitingAt(url)).toBeNull()

    // While rows are sent, then while they are put in place.
    let arrived = 0
    for (const [words, times] of [
      ['insert into solo_moving.parts', 6],
      ['insert into public.tasks', 1],
    ] as const) {
      const proxy = await startCuttingProxy(url, words, times)
      const cut = run({ ...way, TO_DATABASE_URL: proxy.url }, '--to', 'postgres')
      await expect(cut).rejects.toThrow(/connection to a database was lost.*the same command goes/)
      await proxy.stop()
      expect(await waitingAt(url)).toBeGreaterThan(arrived)
      arrived = (await waitingAt(url)) ?? 0
      await inDatabase(url, async (db) => {
        expect(await db`select from public.contacts`).toHaveLength(0)
        expect(await db`select from auth.users`).toHaveLength(0)
      })
    }
    // What has arrived is no longer true.
    await inDatabase(from, (db) => db`update public.contacts set last_name = 'Later'`)
    const before = await pictureOfDatabase(from)
    lines.length = 0
    const done = await run(way, '--to', 'postgres')
    expect(lines).toContain('An earlier move was cut off: what has arrived is not sent again.')
    expect(lines.join('\n')).toMatch(/Changed meanwhile, and copied again: .*public\.contacts/)
    expect(done[0]).toMatch(/^Everything was moved .* accounts: 1, .*Every row was compared/)
    expect(done).toContain('Sessions and keys come along: nobody is signed out.')
    expect(await waitingAt(url)).toBeNull()
    expect(await pictureOfDatabase(url)).toEqual(before)
    // As after a kill in its last moment: what is there already is not called a failure.
    expect((await run(way, '--to', 'postgres'))[0]).toMatch(/^Everything was moved /)
    await inDatabase(url, (db) => db`update public.contacts set last_name = 'Used'`)
    await expect(run(way, '--to', 'postgres')).rejects.toThrow('is not empty: it has accounts (1)')
    await serving({ DATABASE_URL: url }, async (backend) => {
      const writer = clientOf(backend)
      expect((await writer.auth.getUser(ada.token)).data.user?.email).toBe(ada.email)
      const { error } = await writer.auth.signInWithPassword({ email: ada.email, password })
      expect(error).toBeNull()
      // The log goes on where it was.
      await ok(writer.from('companies').insert({ name: 'Later' }).select())
    })
  }, 120_000)

  test.runIf(isLong)(
    'goes from a folder to a server, to a project and back with every row, file and password, and says what does not',
    async () => {
      const home = await emptyFolder('home')
      const [ada, eve] = await serving({ DATA_DIR: home }, async (backend) => {
        const made = [await signUp(backend), await signUp(backend)] as const
        for (const name of Object.keys(samples) as SampleTable[]) await add(made[0], name)
        await ok(made[0].client.rpc('create_calendar_feed'))
        await ok(made[0].client.rpc('create_access_token', { name: 'mine', scope: 'write' }))
        await ok(made[1].client.rpc('load_sample_data'))
        const note = 'Line one\nLine two: "quoted", \\ and \u{1F600}'
        await ok(
          made[0].client.from('contacts').insert({ first_name: 'Zoë', notes: note }).select(),
        )
        await ok(made[0].client.from('companies').delete().eq('name', 'Acme').select())
        const away = { DATA_DIR: home, TO_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' }
        await expect(run(away, '--to', 'postgres')).rejects.toThrow(
          'Another Solo CRM is running on',
        )
        return made
      })
      const before = await pictureOfFolder(home)
      expect(Object.keys(before).length).toBeGreaterThan(50)
      expect(JSON.parse(before['private.file_parts'] ?? '').length).toBeGreaterThan(0)

      const url = await emptyDatabase()
      const toServer = { DATA_DIR: home, TO_DATABASE_URL: url }
      const would = await run(toServer, '--to', 'postgres', '--dry-run')
      expect(would[0]).toMatch(/^Would move from the folder .* accounts: 2, /)
      expect(await waitingAt(url)).toBeNull()
      const done = await run(toServer, '--to', 'postgres')
      expect(done[0]).toMatch(/^Everything was moved .* accounts: 2, .*Every row was compared/)
      expect(done).toContain('Sessions and keys come along: nobody is signed out.')
      expect(await pictureOfDatabase(url)).toEqual(before)
      await serving({ DATABASE_URL: url }, async (backend) => {
        const kept = await clientOf(backend).auth.getUser(ada.token)
        expect(kept.data.user?.email).toBe(ada.email)
        const { error } = await clientOf(backend).auth.signInWithPassword({
          email: eve.email,
          password,
        })
        expect(error).toBeNull()
        // The log goes on where it was.
        const writer = clientOf(backend)
        await writer.auth.signInWithPassword({ email: ada.email, password })
        await ok(writer.from('companies').insert({ name: 'Later' }).select())
      })

      // To a project, whose accounts are made by its own interface.
      const projectUrl = await emptyDatabase()
      const project = asAdmin(projectUrl)
      const [{ owner = '' } = {}] = await project`select tableowner as owner from pg_tables
      where schemaname = 'public' and tablename = 'contacts'`
      for (const name of ['users', 'identities', 'sessions', 'refresh_tokens']) {
        await project.unsafe(`alter table auth.${name} owner to current_user`)
        await project.unsafe(`revoke all on auth.${name} from ${owner}`)
      }
      await project.unsafe(`grant select, references on auth.users to ${owner}`)
      hosted = await startHostedAdmin(project)
      const onServer = await pictureOfDatabase(url)
      const toProject = {
        DATABASE_URL: url,
        TO_DATABASE_URL: projectUrl,
        TO_SUPABASE_URL: hosted.address,
        TO_SUPABASE_SERVICE_KEY: hosted.serviceKey,
      }
      const wrongKey = { ...toProject, TO_SUPABASE_SERVICE_KEY: 'sb_publishable_x' }
      await expect(run(wrongKey, '--to', 'supabase')).rejects.toThrow(
        'refuses TO_SUPABASE_SERVICE_KEY',
      )
      const elsewhere = { ...toProject, TO_DATABASE_URL: await emptyDatabase() }
      await expect(run(elsewhere, '--to', 'supabase')).rejects.toThrow('is not the database of')
      expect(await project`select from auth.users`).toHaveLength(0)
      const wouldMove = await run(toProject, '--to', 'supabase', '--dry-run')
      expect(wouldMove[0]).toMatch(/^Would move from the database .* accounts: 2, /)
      expect(await project`select from auth.users`).toHaveLength(0)
      expect(await waitingAt(projectUrl)).toBeNull()
      const moved = await run(toProject, '--to', 'supabase')
      expect(moved).toContain(
        'Everybody signs in again, with the same password. Links in mails that were sent before no longer work.',
      )
      expect(moved.join('\n')).toMatch(
        /only a server of ways 1 and 2 serves them \(.*access tokens.*: 1/,
      )
      expect(await pictureOfDatabase(projectUrl)).toEqual(onServer)
      await serving({ DATABASE_URL: adminOf(projectUrl) }, async (backend) => {
        const { error } = await clientOf(backend).auth.signInWithPassword({
          email: ada.email,
          password,
        })
        expect(error).toBeNull()
      })

      // And back to a folder.
      const back = await emptyFolder('back')
      const inProject = await pictureOfDatabase(projectUrl)
      const fromProject = {
        SUPABASE_URL: hosted.address,
        SUPABASE_ANON_KEY: 'sb_publishable_x',
        SUPABASE_DATABASE_URL: projectUrl,
      }
      await project.unsafe(`grant select on auth.identities to ${owner}`)
      await run(fromProject, '--to', 'folder', back)
      expect(await pictureOfFolder(back)).toEqual(inProject)
      for (const name of ['contacts', 'deals', 'tasks', 'notes', 'files', 'private.file_parts']) {
        expect(inProject[name]).toBe(before[name])
      }
      await serving({ DATA_DIR: back }, async (backend) => {
        const client = clientOf(backend)
        expect(
          (await client.auth.signInWithPassword({ email: ada.email, password })).error,
        ).toBeNull()
        const { data } = await client.from('contacts').select('notes').eq('first_name', 'Zoë')
        expect(data?.[0]?.notes).toContain('\u{1F600}')
      })
    },
    300_000,
  )

  test.runIf(isLong)(
    'is killed again and again in the middle, to a server and to a folder, and arrives whole',
    async () => {
      const home = await emptyFolder('killed')
      const ada = await serving({ DATA_DIR: home }, async (backend) => {
        const account = await signUp(backend)
        await ok(account.client.rpc('load_sample_data'))
        await add(account, 'files')
        for (let part = 0; part < 10; part += 1) {
          const rows = Array.from({ length: 1000 }, (_, n) => ({
            first_name: `Contact ${part}-${n}`,
            notes: 'x'.repeat(300),
          }))
          expect((await account.client.from('contacts').insert(rows)).error).toBeNull()
        }
        return account
      })
      const before = await pictureOfFolder(home)
      const url = await emptyDatabase()
      const there = await killedMove({ DATA_DIR: home, TO_DATABASE_URL: url }, ['--to', 'postgres'])
      expect(await pictureOfDatabase(url)).toEqual(before)
      const back = await emptyFolder('killed-back')
      const kills = await killedMove({ DATABASE_URL: url }, ['--to', 'folder', back])
      expect(await pictureOfFolder(back)).toEqual(before)
      expect(there + kills).toBeGreaterThan(5)
      await serving({ DATA_DIR: back }, async (backend) => {
        const { error } = await clientOf(backend).auth.signInWithPassword({
          email: ada.email,
          password,
        })
        expect(error).toBeNull()
      })
    },
    900_000,
  )

  /** Runs the command, and kills it a little later each time, until it is done. Returns how often it was killed. */
  async function killedMove(env: Env, args: string[]): Promise<number> {
    for (let kills = 0; ; kills += 1) {
      const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/move.ts', ...args], {
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let reported = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => (reported += data))
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      const killing = setTimeout(() => child.kill('SIGKILL'), 3000 + kills * 1500)
      const code = await ended
      clearTimeout(killing)
      if (code === 0) return kills
      expect({ code, reported }).toEqual({ code: null, reported: expect.any(String) })
    }
  }
})
