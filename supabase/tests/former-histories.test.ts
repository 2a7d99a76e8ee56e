import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import {
  EmbeddedConnection,
  type RequestConnection,
  ServerConnection,
} from '#server/backend/connections.ts'
import { foldedFingerprint, foldedUpTo } from '#server/backend/former-histories.ts'
import { markBegun } from '#server/backend/migration-mark.ts'
import {
  applyMigrations,
  knownVersions,
  lastMigration,
  migrationsFolder,
  planMigrations,
} from '#server/backend/migrations.ts'
import type { AnyDatabase } from '#server/backend/request-context.ts'
import { schemaFingerprint, schemaTables } from '#server/backend/schema-fingerprint.ts'
import { quietConsole } from '#server/log.ts'
import { isLong } from '#server/test-length.ts'
import {
  firstHistoryUpTo,
  makeOldDatabase,
  migrationsUpTo,
  oldAccount,
  secondHistoryUpTo,
} from '#server/test-old-installation.ts'
import { openAt } from './harness.ts'
import { withMigratedDatabase, withServerDatabase } from './server-database.ts'
import { keys } from './test-keys.ts'

/** A new database, and the way to open it as often as needed. */
type Place = () => RequestConnection

// Databases with former histories are made, and started from several times.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let folder = ''
let loud = () => {}
beforeAll(async () => {
  loud = quietConsole(() => {})
  folder = await mkdtemp(join(tmpdir(), 'solo-histories-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  loud()
})

async function subfolder(name: string): Promise<string> {
  await mkdir(join(folder, name), { recursive: true })
  return join(folder, name)
}

const adminUrl = inject('postgresUrl')
// An upgrade on PGlite is in server/update.test.ts; all of this runs there in the long run, which takes ten times as long.
if (!adminUrl || isLong) {
  describe('PGlite', () => {
    let count = 0
    const newFolder = () => {
      count += 1
      return subfolder(`database-${count}`)
    }
    define({
      async newPlace() {
        const database = await newFolder()
        return () => new EmbeddedConnection(database)
      },
      async freshPlace() {
        const database = await newFolder()
        await cp(inject('embeddedTemplate'), database, { recursive: true })
        return () => new EmbeddedConnection(database)
      },
    })
  })
}
if (adminUrl) {
  describe('PostgreSQL', () => {
    const newPlace = () =>
      withServerDatabase(adminUrl, async (url) => () => new ServerConnection(url))
    define({
      newPlace,
      freshPlace: () =>
        withMigratedDatabase(adminUrl, async (url) => () => new ServerConnection(url)),
    })
  })
}

type Kind = {
  newPlace(): Promise<Place>
  /** One that is brought up to date already. */
  freshPlace(): Promise<Place>
}

function define({ newPlace, freshPlace }: Kind): void {
  async function withConnection<T>(place: Place, work: (c: RequestConnection) => Promise<T>) {
    const connection = place()
    try {
      return await work(connection)
    } finally {
      await connection.close()
    }
  }
  const run = (place: Place, text: string) =>
    withConnection(place, ({ kysely }) => sql.raw(text).execute(kysely))

  /**
   * Every row of every table of the product, and which migrations there are. Without what is searched, which
   * follows from the rest, and by other rules in later versions.
   */
  function contentOf(place: Place): Promise<Map<string, unknown[]>> {
    return withConnection(place, ({ kysely }) => readContent(kysely))
  }

  async function readContent(kysely: AnyDatabase): Promise<Map<string, unknown[]>> {
    const { rows: tables } = await sql<{ name: string }>`
        select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('public', 'private', 'supabase_migrations', 'auth') order by 1`.execute(
      kysely,
    )
    const content = new Map<string, unknown[]>()
    for (const { name } of tables) {
      const { rows } = await sql
        .raw(`select to_jsonb(t) - 'search_text' as row from ${name} t order by t::text`)
        .execute(kysely)
      content.set(name, rows)
    }
    return content
  }

  async function makeOld(history: typeof firstHistoryUpTo, last?: string): Promise<Place> {
    const place = await newPlace()
    const migrations = await history(await subfolder(`${history.name}-${last ?? 'whole'}`), last)
    await withConnection(place, (connection) => makeOldDatabase(connection, keys, migrations))
    return place
  }

  async function expectNewSchema(place: Place): Promise<void> {
    const fresh = await freshPlace()
    const [here, there] = [await describeSchema(place), await describeSchema(fresh)]
    expect(here.fingerprint).toBe(there.fingerprint)
    expect(here.history).toEqual(there.history)
    for (const table of schemaTables) expect(here.told.get(table)).toEqual(there.told.get(table))
  }

  function describeSchema(at: Place) {
    return withConnection(at, async ({ kysely }) => {
      const { rows } = await sql`
        select version, name, statements from supabase_migrations.schema_migrations order by version`.execute(
        kysely,
      )
      const fingerprint = await schemaFingerprint(kysely, 'product')
      const told = await readContent(kysely)
      return { fingerprint, history: rows, told }
    })
  }

  /** All rows of before, in the tables whose rows are the account's. */
  function expectEveryRow(before: Map<string, unknown[]>, after: Map<string, unknown[]>): void {
    for (const [table, rows] of before) {
      // Letters have become jobs.
      if (/^(auth|supabase_migrations)\.|^private\.letters$/.test(table)) continue
      if (table === 'private.jobs') {
        // A start plans further ones, and may do these.
        const keys = (jobs: unknown) =>
          (jobs as { row: { key: string } }[]).map(({ row }) => row.key)
        expect(keys(after.get(table))).toEqual(expect.arrayContaining(keys(rows)))
      } else if (table === 'private.deeds') {
        expect(rows).toHaveLength(1)
        const { deed, ...rest } = (rows as { row: Record<string, unknown> }[])[0]?.row ?? {}
        expect(after.get('private.actions')).toEqual([{ row: { ...rest, action: deed } }])
      } else if (!schemaTables.includes(table)) {
        expect(after.get(table), table).toMatchObject(rows)
      }
    }
  }

  describe('a database with the whole first history', () => {
    let place: Place
    beforeAll(async () => {
      place = await makeOld(firstHistoryUpTo)
    })

    test('is refused with all of it kept when something else has changed the schema', async () => {
      await run(place, 'alter table public.contacts add column shoe_size integer')
      const before = await contentOf(place)
      await expect(openAt(place())).rejects.toThrow(
        /^The database cannot be updated: something else than Solo CRM has added, .* Nothing was changed, and your data is there\. Start the version before this one, /,
      )
      expect(await contentOf(place)).toEqual(before)
      await run(place, 'alter table public.contacts drop column shoe_size')
    })

    // Its files and the upgrade do not change any more, and the second history takes the same way.
    test.runIf(isLong)(
      'becomes what a new one is, with every row, also after it was cut off, and lets its user in',
      async () => {
        const before = await contentOf(place)
        await withConnection(place, ({ kysely }) => markBegun(kysely, '20261201000000', null))
        const { anonymous: client, backend } = await openAt(place())
        expect((await client.auth.signInWithPassword(oldAccount)).error).toBeNull()
        const found = await client.rpc('search_everything', { words: 'anderhaus' })
        expect(JSON.stringify(found.data)).toContain('Änderhaus')
        await backend.close()

        const after = await contentOf(place)
        expectEveryRow(before, after)
        expect(before.get('public.tasks')?.length).toBeGreaterThan(4)
        expect(after.get('public.changes')).toHaveLength(before.get('public.changes')?.length ?? 0)
        expect(after.get('public.pipeline_stages')).toEqual(
          expect.arrayContaining(
            [
              { name: 'Lead', outcome: 'open' },
              { name: 'Closed Won', outcome: 'won' },
              { name: 'Closed Lost', outcome: 'lost' },
            ].map((row) => ({ row: expect.objectContaining(row) })),
          ),
        )

        // The addresses and numbers of before are the first of their lists.
        const first = (value: unknown) => (value ? [{ label: '', value }] : [])
        const contacts = (after.get('public.contacts') ?? []) as { row: Record<string, unknown> }[]
        expect(contacts.map(({ row }) => row.email).filter(Boolean)).not.toEqual([])
        for (const { row } of contacts) {
          expect(row).toMatchObject({ emails: first(row.email), phones: first(row.phone_number) })
        }
        await expectNewSchema(place)
      },
    )
  })

  // Of the middle, in the long run: with fields, tags, lists and money, without tokens, forms, files and mails.
  const lasts = [
    ['the whole', '20261130006100'],
    ['the middle of the', '20261125000100'],
  ] as const
  test.each(isLong ? lasts : lasts.slice(0, 1))(
    'a database with %s second history becomes what a new one is, with every row',
    async (_, last) => {
      const place = await makeOld(secondHistoryUpTo, last)
      const before = await contentOf(place)
      expect(before.get('public.fields')).toHaveLength(1)
      expect(before.get('public.mails')?.length).toBe(last < '20261127' ? undefined : 1)
      const { backend } = await openAt(place())
      await backend.close()
      const after = await contentOf(place)
      expectEveryRow(before, after)
      expect(after.get('public.changes')).toHaveLength(before.get('public.changes')?.length ?? 0)
      await expectNewSchema(place)
    },
  )

  test('a gap in the second history is refused', async () => {
    const place = await makeOld(secondHistoryUpTo, '20261118001500')
    await run(
      place,
      "delete from supabase_migrations.schema_migrations where version = '20261118000700'",
    )
    await withConnection(place, async (connection) => {
      const copies = { newest: async () => null }
      await expect(planMigrations(connection, migrationsFolder, copies)).rejects.toThrow(
        'The database has migration 20261118001500 but lacks 20261118000700, which comes before it: something else than Solo CRM changed it.',
      )
    })
  })

  // Since there are such files, and one fingerprint, the whole second history shows both on its way.
  test.runIf(isLong)('what is added after these files is applied after the upgrade', async () => {
    const place = await makeOld(secondHistoryUpTo, '20261118001500')
    const further = await subfolder('further')
    await migrationsUpTo(further, foldedUpTo, 'create table public.further (id int);')
    await withConnection(place, async (connection) => {
      const plan = await planMigrations(connection, further, { newest: async () => null })
      await applyMigrations(connection, plan, null)
      expect(await lastMigration(connection.kysely)).toBe(String(Number(foldedUpTo) + 1))
      const again = await planMigrations(connection, further, { newest: async () => null })
      expect(again.pending).toEqual([])
    })
  })

  test.runIf(isLong)(
    'the fingerprint that an upgraded database must have is that of a new one',
    async () => {
      const place = await newPlace()
      const migrations = await migrationsUpTo(await subfolder('by-concept'), foldedUpTo)
      await withConnection(place, async (connection) => {
        await makeOldDatabase(connection, keys, migrations)
        expect(await schemaFingerprint(connection.kysely, 'product')).toBe(foldedFingerprint)
      })
    },
  )

  test('a part of the first history is refused, with the way to complete it', async () => {
    const last = '20261117000200'
    const place = await makeOld(firstHistoryUpTo, last)
    await withConnection(place, async (connection) => {
      const copies = { newest: async (known: Set<string>) => [...known].join() }
      await expect(planMigrations(connection, migrationsFolder, copies)).rejects.toThrow(
        `The database has a part of the first history of the schema (up to migration ${last}), and this version updates from the whole of it (up to 20261117000300). Nothing was changed. Start the version before this one once, which completes it, and then this one, or go back to the newest copy that this version can use: ${(await knownVersions()).join()}`,
      )
    })
  })
}
