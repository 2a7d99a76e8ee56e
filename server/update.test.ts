import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { EmbeddedConnection } from './backend/connections.ts'
import { lastOfFirstHistory } from './backend/former-histories.ts'
import { forgetMark, markBegun } from './backend/migration-mark.ts'
import { applyMigrations, knownVersions, planMigrations } from './backend/migrations.ts'
import { restore } from './copies/commands.ts'
import { readManifest } from './copies/copy-file.ts'
import { embeddedCopies, migrationOf } from './copies/embedded.ts'
import { quietConsole } from './log.ts'
import { isLong } from './test-length.ts'
import {
  firstHistoryUpTo,
  makeOldInstallation,
  migrationsUpTo,
  oldAccount,
} from './test-old-installation.ts'
import { connectTo, newDataFolder, runBuilt } from './test-process.ts'
import { temporaryFolder } from './test-server.ts'

const [beforeLast = '', last = ''] = (await knownVersions()).slice(-2)
const next = String(Number(last) + 1)
let folder = ''

// Several starts of the server, each of seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'solo-old-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Starts it, and kills it when the copy is made: the upgrade is as good as not begun, or done. */
async function killInUpdate(dataDir: string): Promise<void> {
  const first = runBuilt(dataDir)
  const tooLate = first.ready.then(() => expect.fail('It was ready without a copy.'))
  await Promise.race([first.says('Before the update everything was copied to '), tooLate])
  first.child.kill('SIGKILL')
  await first.ended
  // As before or as after the upgrade: the kill may come late on a busy machine.
  const killed = await migrationOf(join(dataDir, 'database'))
  expect([lastOfFirstHistory, (await knownVersions()).at(-1)]).toContain(killed)
}

// Of the version before the schema was written by concept. Neither its files nor the upgrade change any more: in the short
// run what comes after is seen below, and an upgrade of all rows in supabase/tests/former-histories.test.ts.
test.runIf(isLong)(
  'an old data folder is copied and brought up to date with every row, also when killed in between',
  async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const loud = quietConsole(() => {})
    const migrations = await firstHistoryUpTo(await mkdtemp(join(folder, 'migrations-')))
    await makeOldInstallation(dataDir, migrations)
    loud()
    const copies = join(dataDir, 'backups')
    await killInUpdate(dataDir)

    const second = runBuilt(dataDir, { RATE_LIMIT_SIGN_IN: '50' })
    const client = await connectTo(await second.ready)
    expect((await client.auth.signInWithPassword(oldAccount)).error).toBeNull()
    const contacts = await client.from('contacts').select('id', { count: 'exact', head: true })
    expect(contacts.count).toBe(499)
    const found = await client.rpc('search_everything', { words: 'anderhaus' })
    expect(JSON.stringify(found.data)).toContain('Änderhaus')
    second.child.kill('SIGTERM')
    await second.ended
    expect(await migrationOf(join(dataDir, 'database'))).toBe((await knownVersions()).at(-1))

    const files = (await readdir(copies)).sort()
    expect(files.every((name) => name.startsWith('before-20261201000000'))).toBe(true)
    const copy = join(copies, files[0] ?? '')
    expect((await readManifest(copy)).lastMigration).toBe(lastOfFirstHistory)
    const lines = await restore({ DATA_DIR: dataDir }, [copy])
    expect(lines[1]).toContain(`What was there before is in ${dataDir}/before-restore-`)
    expect(await migrationOf(join(dataDir, 'database'))).toBe(lastOfFirstHistory)
    const third = runBuilt(dataDir, { RATE_LIMIT_SIGN_IN: '50' })
    const again = await connectTo(await third.ready)
    expect((await again.auth.signInWithPassword(oldAccount)).error).toBeNull()
    third.child.kill('SIGTERM')
    await third.ended
  },
)

describe('a start', () => {
  let connection: EmbeddedConnection
  let copies: ReturnType<typeof embeddedCopies>
  let wayBack: string | null
  const query = (text: string) => sql.raw(text).execute(connection.kysely)
  const migrations = (upTo: string, further?: string) =>
    migrationsUpTo(temporaryFolder(), upTo, further)

  // One database and one copy of it for all: each test but the last takes back what it does to them.
  beforeAll(async () => {
    const loud = quietConsole(() => {})
    const dataDir = await newDataFolder(join(folder, 'new'))
    connection = new EmbeddedConnection(join(dataDir, 'database'))
    copies = embeddedCopies(dataDir, connection)
    wayBack = await copies.before(next, last)
    loud()
  })
  afterAll(() => connection.close())

  test('goes on after an update that was cut off, and refuses one that is half applied', async () => {
    const folder = await migrations(last, 'select 1;')
    expect(wayBack).toMatch(new RegExp(`^npm run restore -- .*before-${next}-.*\\.tar\\.gz$`))

    await markBegun(connection.kysely, next, wayBack)
    const plan = await planMigrations(connection, folder, copies)
    expect(plan.pending.map((migration) => migration.version)).toEqual([next])

    await markBegun(connection.kysely, next, wayBack)
    await query('alter table public.contacts add column half text')
    await expect(planMigrations(connection, folder, copies)).rejects.toThrow(
      `Migration ${next} is half applied: the database is neither as before nor as after it. Go back to the copy made before: ${wayBack}`,
    )
    await query('alter table public.contacts drop column half')
    await forgetMark(connection.kysely)
  })

  test('tells in words that an update failed, and keeps nothing of it', async () => {
    const folder = await migrations(last, 'create table public.half (id int); select 1 / 0;')
    const plan = await planMigrations(connection, folder, copies)
    await expect(applyMigrations(connection, plan, 'npm run restore -- x')).rejects.toThrow(
      new RegExp(
        `^The update of the database failed in migration ${next} \\(\\w+ 22012\\)\\. Nothing of that migration was kept, and your data is there\\. .* npm run restore -- x$`,
      ),
    )
    const { rows } = await query("select to_regclass('public.half') is null as is_gone")
    expect(rows).toEqual([{ is_gone: true }])
    await expect(planMigrations(connection, folder, copies)).resolves.toMatchObject({ last })
  })

  test('refuses a database of a newer version, or one with a gap, and names the way back', async () => {
    await expect(planMigrations(connection, await migrations(beforeLast), copies)).rejects.toThrow(
      `made by a newer version of Solo CRM (it has migration ${last}). Start that version, or restore a backup made by this version.`,
    )
    const gap = '20261201000500'
    // The last test: this is not taken back.
    await query(`delete from supabase_migrations.schema_migrations where version = '${gap}'`)
    await expect(planMigrations(connection, await migrations(last), copies)).rejects.toThrow(
      `has migration ${last} but lacks ${gap}, which comes before it: something else than Solo CRM changed it. Put that right, or go back to the newest copy that this version can use: ${wayBack}`,
    )
  })
})
