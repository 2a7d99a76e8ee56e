import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { ServerConnection } from '#server/backend/connections.ts'
import { keysInDatabase } from '#server/backend/keys.ts'
import { backup, restore } from '#server/copies/commands.ts'
import { serverCopies } from '#server/copies/postgres.ts'
import { quietConsole } from '#server/log.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'
import { openBackend } from '#server/open-backend.ts'
import { readSettings } from '#server/settings.ts'
import { isLong } from '#server/test-length.ts'
import { firstHistoryUpTo, makeOldDatabase, oldAccount } from '#server/test-old-installation.ts'
import { withServerDatabase } from './server-database.ts'

const adminUrl = inject('postgresUrl')
const account = { email: 'ada@example.com', password: 'secret-1' }

describe.runIf(adminUrl)('a copy of a database on a server', () => {
  let env: { DATABASE_URL: string; DATA_DIR: string }
  let loud = () => {}
  let folder = ''

  beforeAll(async () => {
    loud = quietConsole(() => {})
    folder = await mkdtemp(join(tmpdir(), 'solo-copies-'))
    env = await withServerDatabase(adminUrl ?? '', async (DATABASE_URL) => {
      const made = { DATABASE_URL, DATA_DIR: join(folder, 'data') }
      const backend = await openBackend(readSettings(made), noMailbox)
      expect((await ask(backend, 'signup', account)).status).toBe(200)
      await backend.close()
      return made
    })
    await query("insert into companies (user_id, name) select id, 'Acme' from auth.users")
  })
  afterAll(async () => {
    loud()
    await rm(folder, { recursive: true, force: true })
  })

  type Backend = Awaited<ReturnType<typeof openBackend>>
  function ask(backend: Backend, path: string, body: unknown): Promise<Response> {
    const headers = { apikey: backend.publicKey, 'content-type': 'application/json' }
    const address = `http://127.0.0.1/auth/v1/${path}`
    const request = new Request(address, { method: 'POST', headers, body: JSON.stringify(body) })
    return backend.fetch(request, null)
  }

  async function query(text: string, url = env.DATABASE_URL) {
    const db = postgres(url, { max: 1, onnotice: () => {} })
    const rows = await db.unsafe(text)
    await db.end()
    return [...rows]
  }

  async function copy(): Promise<string> {
    const [line = ''] = await backup(env, [])
    return /copied to (\S+) \(/.exec(line)?.[1] ?? ''
  }

  const schema = `select count(*)::int as n, md5(string_agg(line, '|' order by line)) as all
    from (
      select concat_ws(' ', c.oid::regclass, c.relrowsecurity, a.attname, a.atttypid::regtype) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace::regnamespace::text in ('public', 'private', 'auth') and not a.attisdropped
      union all select concat_ws(' ', tablename, policyname, roles, qual, with_check) from pg_policies
      union all select concat_ws(' ', table_name, column_name, grantee, privilege_type)
        from information_schema.column_privileges where grantee in ('anon', 'authenticated')
      union all select concat_ws(' ', oid::regprocedure, prosecdef, md5(prosrc))
        from pg_proc where pronamespace::regnamespace::text in ('public', 'private')
    ) as lines`

  test('is restored into an empty one: rows, rights, keys and accounts', async () => {
    const file = await copy()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await withServerDatabase(adminUrl ?? '', async (DATABASE_URL) => {
      const other = { DATABASE_URL, DATA_DIR: join(folder, 'other') }
      expect(await restore(other, [file])).toHaveLength(1)
      expect(await query(schema, DATABASE_URL)).toEqual(await query(schema))
      const backend = await openBackend(readSettings(other), noMailbox)
      onTestFinished(() => backend.close())
      expect((await ask(backend, 'token?grant_type=password', account)).status).toBe(200)
      expect(await query('select name from companies', DATABASE_URL)).toEqual([{ name: 'Acme' }])
    })
    expect(await readdir(env.DATA_DIR)).toEqual(['backups'])
  })

  test('takes the place of what is there only when that is asked for, and all or nothing', async () => {
    const file = await copy()
    await query("insert into companies (user_id, name) select id, 'Later' from auth.users")
    await query('create table public.of_a_newer_version ()')
    await expect(restore(env, [file])).rejects.toThrow(/not empty.*add --replace/)
    const db = postgres(env.DATABASE_URL, { max: 1 })
    await db`select 1`
    await expect(restore(env, [file, '--replace'])).rejects.toThrow(
      /in use \(open connections: \d, of .*postgres\.js.*\)\. Stop every Solo CRM on it first\./,
    )
    await db.end()

    // What hinders in the middle: nothing of the old is gone.
    await query('create role solo_hindrance_of_copies', adminUrl ?? '')
    const elsewhere = new URL(adminUrl ?? '')
    elsewhere.pathname = new URL(env.DATABASE_URL).pathname
    await query('create schema hindrance authorization solo_hindrance_of_copies', elsewhere.href)
    await expect(restore(env, [file, '--replace'])).rejects.toThrow(/psql failed: .*must be owner/)
    const names = 'select name from companies order by name'
    expect(await query(names)).toEqual([{ name: 'Acme' }, { name: 'Later' }])
    await query('drop schema hindrance', elsewhere.href)

    const lines = await restore(env, [file, '--replace'])
    expect(await query(names)).toEqual([{ name: 'Acme' }])
    expect(await query("select to_regclass('public.of_a_newer_version') as gone")).toEqual([
      { gone: null },
    ])
    const [, kept = ''] = /before is in (\S+): /.exec(lines[1] ?? '') ?? []
    await restore(env, [kept, '--replace'])
    expect(await query(names)).toEqual([{ name: 'Acme' }, { name: 'Later' }])
  })

  test('is not restored while anybody else is connected, another user of the server included', async () => {
    const file = await copy()
    const elsewhere = new URL(adminUrl ?? '')
    elsewhere.pathname = new URL(env.DATABASE_URL).pathname
    const admin = postgres(elsewhere.href, { max: 1 })
    onTestFinished(() => admin.end())
    // A lock of its own makes it no part of the command.
    await admin`select pg_advisory_lock(1)`
    await expect(restore(env, [file, '--replace'])).rejects.toThrow('in use (open connections: ')
  })

  test('is not restored while a server runs that nobody asks anything, and that lost its connection', async () => {
    const file = await copy()
    const server = new ServerConnection(env.DATABASE_URL, { idle: 50 })
    onTestFinished(() => server.close())
    const admin = postgres(adminUrl ?? '', { max: 1 })
    onTestFinished(() => admin.end())
    const connected = async () => {
      const name = new URL(env.DATABASE_URL).username
      const rows = await admin`select pid from pg_stat_activity where datname = ${name}`
      return rows.map((row) => row.pid)
    }
    const refused = 'in use (open connections: 1, of Solo CRM). Stop every Solo CRM on it first.'
    const several = Array.from({ length: 3 }, () =>
      sql`select pg_sleep(0.1)`.execute(server.kysely),
    )
    await Promise.all(several)
    // Those that idle longer than they may are closed, but for one.
    const only = async () => {
      const [one, ...others] = await connected()
      expect([typeof one, others]).toEqual(['number', []])
      return one
    }
    const kept = await vi.waitFor(only, 30_000)
    await expect(restore(env, [file, '--replace'])).rejects.toThrow(refused)

    // Those of the command itself are gone a moment after it.
    await vi.waitFor(async () => expect(await only()).toBe(kept), 30_000)
    await admin`select pg_terminate_backend(${kept})`
    await vi.waitFor(async () => expect(await only()).not.toBe(kept), 30_000)
    await expect(restore(env, [file, '--replace'])).rejects.toThrow(refused)
  })

  // On a folder, without the restore, in every run: server/update.test.ts.
  test.runIf(isLong)(
    'of the version before is restored, and the next start brings it up to date',
    async () => {
      const old = await withServerDatabase(adminUrl ?? '', async (DATABASE_URL) => {
        const connection = new ServerConnection(DATABASE_URL)
        const migrations = join(folder, 'first-history')
        await mkdir(migrations)
        await firstHistoryUpTo(migrations)
        await makeOldDatabase(connection, await keysInDatabase(connection), migrations)
        await connection.close()
        return { DATABASE_URL, DATA_DIR: join(folder, 'old') }
      })
      const [line = ''] = await backup(old, [])
      const [, file = ''] = /copied to (\S+) \(/.exec(line) ?? []
      await restore(old, [file, '--replace'])
      const backend = await openBackend(readSettings(old), noMailbox)
      expect((await ask(backend, 'token?grant_type=password', oldAccount)).status).toBe(200)
      await backend.close()
      const count = await query('select count(*)::int from contacts', old.DATABASE_URL)
      expect(count).toEqual([{ count: 499 }])
    },
  )

  test('says what is missing where the programs of PostgreSQL are not installed', async () => {
    const file = await copy()
    vi.stubEnv('PATH', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(backup(env, [])).rejects.toThrow('pg_dump is not installed here.')
    await expect(restore(env, [file, '--replace'])).rejects.toThrow('pg_restore is not installed')
    const embedded = { DATA_DIR: env.DATA_DIR }
    await expect(restore(embedded, [file])).rejects.toThrow('set DATABASE_URL to where')
  })

  test('is made before an update, or the update says that it goes on without', async () => {
    const copies = serverCopies(env.DATA_DIR, env.DATABASE_URL)
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    onTestFinished(() => written.mockRestore())
    const command = await copies.before('20991231000000', '20261118001500')
    expect(command).toMatch(/^npm run restore -- \S+before-20991231000000-\S+ --replace$/)
    vi.stubEnv('PATH', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await copies.before('20991231000000', '20261118001500')).toBeNull()
    expect(written).toHaveBeenLastCalledWith(
      expect.stringMatching(/^The update goes on without a copy of the database: pg_dump is not/),
    )
  })
})
