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
import { firstHistory } from '#server/backend/first-history.ts'
import { markBegun } from '#server/backend/migration-mark.ts'
import { knownVersions, migrationsFolder, planMigrations } from '#server/backend/migrations.ts'
import { schemaFingerprint } from '#server/backend/schema-fingerprint.ts'
import { quietConsole } from '#server/log.ts'
import { isLong } from '#server/test-length.ts'
import {
  firstHistoryUpTo,
  makeOldDatabase,
  migrationsUpTo,
  oldAccount,
} from '#server/test-old-installation.ts'
import { openAt, withMigratedDatabase, withServerDatabase } from './harness.ts'
import { keys } from './test-keys.ts'

/** A new database, and the way to open it as often as needed. */
type Place = () => RequestConnection

// A database with the whole first history is made, and started from several times.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let folder = ''
let loud = () => {}
beforeAll(async () => {
  loud = quietConsole(() => {})
  folder = await mkdtemp(join(tmpdir(), 'solo-first-history-'))
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
    return withConnection(place, async ({ kysely }) => {
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
    })
  }

  async function makeOld(last?: string): Promise<Place> {
    const place = await newPlace()
    const migrations = await firstHistoryUpTo(
      await subfolder(`first-history-${last ?? 'whole'}`),
      last,
    )
    await withConnection(place, (connection) => makeOldDatabase(connection, keys, migrations))
    return place
  }

  describe('a database with the whole first history', () => {
    let place: Place
    beforeAll(async () => {
      place = await makeOld()
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

    test('becomes what a new one is, with every row, also after it was cut off, and lets its user in', async () => {
      const before = await contentOf(place)
      await withConnection(place, ({ kysely }) => markBegun(kysely, '20261118000000', null))
      const { anonymous: client, backend } = await openAt(place())
      expect((await client.auth.signInWithPassword(oldAccount)).error).toBeNull()
      const found = await client.rpc('search_everything', { words: 'anderhaus' })
      expect(JSON.stringify(found.data)).toContain('Änderhaus')
      await backend.close()

      const after = await contentOf(place)
      for (const [table, rows] of before) {
        // How lists are ordered is told by the schema; letters have become jobs.
        if (!/^(auth|supabase_migrations)\.|^private\.(list_orders|letters)$/.test(table)) {
          expect(after.get(table)).toMatchObject(rows)
        }
      }
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

      const fresh = await freshPlace()
      const [here, there] = [await describeSchema(place), await describeSchema(fresh)]
      expect(here.fingerprint).toBe(there.fingerprint)
      expect(here.history).toEqual(there.history)
    })

    function describeSchema(at: Place) {
      return withConnection(at, async ({ kysely }) => {
        const { rows } = await sql`
          select version, name, statements from supabase_migrations.schema_migrations order by version`.execute(
          kysely,
        )
        return { fingerprint: await schemaFingerprint(kysely), history: rows }
      })
    }
  })

  test('the fingerprint that an upgraded database must have is that of a new one', async () => {
    const place = await newPlace()
    const migrations = await migrationsUpTo(await subfolder('by-concept'), firstHistory.upTo)
    await withConnection(place, async (connection) => {
      await makeOldDatabase(connection, keys, migrations)
      expect(await schemaFingerprint(connection.kysely, 'product')).toBe(firstHistory.fingerprint)
    })
  })

  test('a part of the first history is refused, with the way to complete it', async () => {
    const last = '20261117000200'
    const place = await makeOld(last)
    await withConnection(place, async (connection) => {
      const copies = { newest: async (known: Set<string>) => [...known].join() }
      await expect(planMigrations(connection, migrationsFolder, copies)).rejects.toThrow(
        `The database has a part of the first history of the schema (up to migration ${last}), and this version updates from the whole of it (up to 20261117000300). Nothing was changed. Start the version before this one once, which completes it, and then this one, or go back to the newest copy that this version can use: ${(await knownVersions()).join()}`,
      )
    })
  })
}
