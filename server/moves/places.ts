import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedConnection, ServerConnection } from '../backend/connections.ts'
import { prepareFolder } from '../backend/data-folder.ts'
import { lockFolder } from '../backend/folder-lock.ts'
import { type Keys, keysInDatabase, keysInFolder, writeKeys } from '../backend/keys.ts'
import { hasTable } from '../backend/migration-mark.ts'
import { knownVersions, lastMigration } from '../backend/migrations.ts'
import type { AnyDatabase } from '../backend/request-context.ts'
import { lockHolders, withStartLock } from '../backend/start-lock.ts'
import { refuseWhileUsed, schemasIn } from '../copies/postgres.ts'
import { finishRestore } from '../copies/restore-embedded.ts'
import { noMailbox } from '../mail/no-mailbox.ts'
import { openBackend } from '../open-backend.ts'
import { readSettings } from '../settings.ts'
import { StartError } from '../start-error.ts'
import { rowsOf } from './tables.ts'

/** Where an installation is, or will be. */
export type Place =
  | { kind: 'folder'; dataDir: string }
  | { kind: 'postgres'; url: string }
  /** A hosted project: its address, and that of its database. The key of an administrator is for its accounts. */
  | { kind: 'supabase'; address: string; url: string; serviceKey: string | null }

/** An open installation that nobody else uses meanwhile; of a hosted project that cannot be promised. */
export type OpenPlace = {
  place: Place
  db: AnyDatabase
  /** Null on a hosted project, which keeps its own. */
  keys: Keys | null
  /** Makes these the keys of the installation. */
  takeKeys(keys: Keys): Promise<void>
}

/** A place for people, without a password. */
export function nameOf(place: Place): string {
  if (place.kind === 'folder') return `the folder ${place.dataDir}`
  if (place.kind === 'supabase') return `the project at ${place.address}`
  const { hostname, port, pathname } = new URL(place.url)
  return `the database ${decodeURIComponent(pathname.slice(1))} at ${hostname}:${port || 5432}`
}

/** Opens what is to be moved. */
export async function withSource<T>(
  place: Place,
  work: (source: OpenPlace) => Promise<T>,
): Promise<T> {
  const found = `There is no Solo CRM in ${nameOf(place)}: nothing to move.`
  if (place.kind === 'folder' && !existsSync(join(place.dataDir, 'database', 'PG_VERSION'))) {
    throw new StartError(found)
  }
  return withPlace(place, async (source) => {
    const last = await lastMigration(source.db)
    if (!last) throw new StartError(found)
    await refuseOtherVersion(place, last)
    const [unfinished] = await rowsOf(source.db, 'select from private.unfinished_work limit 1')
    if (unfinished) {
      throw new StartError(
        `In ${nameOf(place)} an import, or the like, was cut off in the middle. Start Solo CRM on it once, which takes it back, and stop it again. Nothing was moved.`,
      )
    }
    return work(source)
  })
}

/** Opens where it moves to. On an empty folder or database, the schema is made first. */
export async function withTarget<T>(
  place: Place,
  work: (target: OpenPlace) => Promise<T>,
): Promise<T> {
  if (place.kind !== 'supabase') await makeSchema(place)
  return withPlace(place, async (target) => {
    const last = await lastMigration(target.db)
    if (!last) {
      throw new StartError(
        `${capital(nameOf(place))} has no tables of Solo CRM: apply supabase/migrations to it first (supabase db push). Nothing was moved.`,
      )
    }
    await refuseOtherVersion(place, last)
    return work(target)
  })
}

/** For a dry run: what would be found there, without a change. Null where there is nothing yet. */
export async function lookAtTarget<T>(
  place: Place,
  look: (target: OpenPlace) => Promise<T>,
): Promise<T | null> {
  if (place.kind === 'folder' && !existsSync(join(place.dataDir, 'database', 'PG_VERSION'))) {
    return null
  }
  if (place.kind === 'supabase') return withTarget(place, look)
  if (place.kind === 'postgres') {
    if ((await withServer(place.url, refuseForeign)) === null) return null
  }
  return withPlace(place, async (target) => {
    const last = await lastMigration(target.db)
    if (!last) return null
    await refuseOtherVersion(place, last)
    return look(target)
  })
}

async function makeSchema(place: Exclude<Place, { kind: 'supabase' }>): Promise<void> {
  const env = place.kind === 'folder' ? { DATA_DIR: place.dataDir } : { DATABASE_URL: place.url }
  // Asked without the lock, which we may hold ourselves: the source may be the same database under another name.
  const last =
    place.kind === 'postgres'
      ? await withServer(place.url, refuseForeign)
      : existsSync(join(place.dataDir, 'database', 'PG_VERSION'))
        ? await withPlace(place, ({ db }) => lastMigration(db))
        : null
  // One that is there is never brought up to date: somebody may use it.
  if (last) return refuseOtherVersion(place, last)
  const backend = await openBackend(readSettings(env), noMailbox)
  await backend.close()
}

/** The last migration of a database on a server; null for an empty one. */
async function refuseForeign(connection: ServerConnection): Promise<string | null> {
  const [held] = await rowsOf(
    connection.kysely,
    `select from pg_locks l where l.database = (select oid from pg_database where datname = current_database())
      and l.pid in (${lockHolders.compile(connection.kysely).sql}) limit 1`,
  )
  if (held) {
    throw new StartError(
      'The database to move to is the one that is moved, or a Solo CRM is just starting on it. Nothing was moved.',
    )
  }
  const last = await lastMigration(connection.kysely)
  if (!last && (await schemasIn(connection)).length > 0) {
    throw new StartError(
      'The database to move to is not empty: something else than Solo CRM is in it. Make one of its own. Nothing was moved.',
    )
  }
  return last
}

async function withPlace<T>(place: Place, work: (open: OpenPlace) => Promise<T>): Promise<T> {
  if (place.kind === 'folder') return withFolder(place, work)
  if (place.kind === 'supabase') {
    return withServer(place.url, ({ kysely: db }) =>
      work({ place, db, keys: null, takeKeys: async () => {} }),
    )
  }
  return withStartLock(place.url, () =>
    withServer(place.url, async (connection) => {
      await refuseWhenUsed(connection)
      const db = connection.kysely
      const isOurs = await hasTable(db, 'solo_server.keys')
      const keys = isOurs ? await keysInDatabase(connection) : null
      return work({
        place,
        db,
        keys,
        takeKeys: async (taken) => {
          if (!isOurs) await keysInDatabase(connection)
          const text = JSON.stringify(taken)
          await rowsOf(db, 'update solo_server.keys set keys = $1::text::jsonb', [text])
        },
      })
    }),
  )
}

/** A server that was just stopped takes a moment to leave. */
async function refuseWhenUsed(connection: ServerConnection): Promise<void> {
  for (let left = 10; left > 0; left -= 1) {
    const isFree = await refuseWhileUsed(connection).then(
      () => true,
      () => false,
    )
    if (isFree) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await refuseWhileUsed(connection)
}

async function withFolder<T>(
  place: Extract<Place, { kind: 'folder' }>,
  work: (open: OpenPlace) => Promise<T>,
): Promise<T> {
  const { dataDir } = place
  const folder = await prepareFolder(dataDir)
  const unlock = await lockFolder(dataDir)
  let connection: EmbeddedConnection | null = null
  try {
    await finishRestore(dataDir)
    connection = new EmbeddedConnection(folder)
    await connection.thread.ready().catch(() => {
      throw new StartError(
        `The database in ${folder} cannot be opened. Look whether its disk is full; otherwise restore a backup.`,
      )
    })
    return await work({
      place,
      db: connection.kysely,
      keys: await keysInFolder(dataDir),
      takeKeys: (keys) => writeKeys(dataDir, keys),
    })
  } finally {
    await connection?.close().catch(() => {})
    await unlock()
  }
}

async function withServer<T>(
  url: string,
  work: (connection: ServerConnection) => Promise<T>,
): Promise<T> {
  const connection = new ServerConnection(url)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** Takes over the key for the passwords of mailboxes; the one that the new folder was made with has encrypted nothing. */
export async function keepMailKey(dataDir: string, key: string): Promise<void> {
  const path = join(dataDir, 'mail.key')
  await writeFile(`${path}.new`, `${key}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** The key that an installation encrypts with: `MAIL_KEY`, or that of its folder. */
export async function mailKeyIn(place: Place, mailKey: string | null): Promise<string | null> {
  if (mailKey || place.kind !== 'folder') return mailKey
  const text = await readFile(join(place.dataDir, 'mail.key'), 'utf8').catch(() => '')
  return text.trim() || null
}

async function refuseOtherVersion(place: Place, last: string): Promise<void> {
  const known = await knownVersions()
  if (last === known.at(-1)) return
  const [what, way] = known.includes(last)
    ? [
        'an older',
        place.kind === 'supabase'
          ? 'Apply supabase/migrations to it (supabase db push; from an older history: supabase/upgrades/README.md)'
          : 'Start this version on it once, and stop it again',
      ]
    : ['another', 'Move it with the version that it was made by']
  throw new StartError(
    `${capital(nameOf(place))} is of ${what} version of Solo CRM (migration ${last}). ${way}. Nothing was moved.`,
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
