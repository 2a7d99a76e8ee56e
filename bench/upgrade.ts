import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { EmbeddedConnection, type RequestConnection } from '#server/backend/connections.ts'
import { applyMigrations, migrationsFolder, planMigrations } from '#server/backend/migrations.ts'
import { makeOldDatabase, secondHistoryUpTo } from '#server/test-old-installation.ts'
import { fillContacts } from './contacts.ts'
import { type Figure, once } from './measure.ts'

/** The last migration before records got fields of the user's own, tags, lists and currencies. */
const before = '20261119000100'

const keys = {
  publishableKey: 'sb_publishable_bench',
  secretKey: 'sb_secret_bench',
  jwtSecret: 'a secret for one run of the benchmark',
}

/** The first start of this version on a database of that one, in which two accounts have so many contacts together. */
export async function benchUpgrade(
  count: number,
  open: (folder: string) => RequestConnection = (folder) =>
    new EmbeddedConnection(join(folder, 'database')),
): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'solo-bench-'))
  const old = await mkdtemp(join(tmpdir(), 'solo-bench-'))
  const connection = open(folder)
  try {
    await makeOldDatabase(connection, keys, await secondHistoryUpTo(old, before))
    const query = (statement: string) => sql.raw(statement).execute(connection.kysely)
    const { rows } = await sql<{ id: string }>`select id from auth.users`.execute(connection.kysely)
    await query(`select set_config('solo.silent', 'on', false)`)
    await fillContacts(query, rows[0]?.id ?? '', count)
    await query('analyze')
    const plan = await planMigrations(connection, migrationsFolder, { newest: async () => null })
    const ours = await once(() => applyMigrations(connection, plan, null))
    return [
      {
        what: 'update from the version before',
        rows: count,
        ours,
        plain: null,
        isMet: null,
        goal: '–',
      },
    ]
  } finally {
    await connection.close()
    await rm(folder, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
}
