import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { EmbeddedConnection } from '../backend/connections.ts'
import { connectToHolder, lockFolder } from '../backend/folder-lock.ts'
import { type CopiesForUpdate, lastMigration } from '../backend/migrations.ts'
import { log } from '../log.ts'
import { StartError } from '../start-error.ts'
import { copiesFolder, copyName, newestCopy, removeOldCopies } from './copies-folder.ts'
import { type Manifest, type Part, writeCopy } from './copy-file.ts'
import { restoreCommand } from './restore-command.ts'
import { requestSnapshot } from './snapshot.ts'

/** What an installation with the embedded database consists of. */
export const installationParts = ['database', 'keys.json', 'outbox']

function partsOf(dataDir: string, database = join(dataDir, 'database')): Part[] {
  return installationParts.map((name) => ({
    name,
    path: name === 'database' ? database : join(dataDir, name),
  }))
}

/** Copies a data folder into one file, whether a server runs on it or not. */
export async function backupEmbedded(
  dataDir: string,
  file: string,
  signal?: AbortSignal,
): Promise<Manifest> {
  if (!existsSync(join(dataDir, 'database', 'PG_VERSION'))) {
    throw new StartError(`There is no Solo CRM in ${dataDir} yet: nothing to copy.`)
  }
  const server = await connectToHolder(dataDir)
  if (server) {
    try {
      const { database, lastMigration: last } = await requestSnapshot(server)
      const about = { kind: 'embedded', lastMigration: last } as const
      return await writeCopy(file, about, partsOf(dataDir, database), signal)
    } finally {
      server.destroy()
    }
  }
  // The lock keeps a server from starting on the folder during the copy.
  const unlock = await lockFolder(dataDir)
  try {
    const last = await migrationOf(join(dataDir, 'database'))
    if (!last) throw new StartError(`There is no Solo CRM in ${dataDir} yet: nothing to copy.`)
    const about = { kind: 'embedded', lastMigration: last } as const
    return await writeCopy(file, about, partsOf(dataDir), signal)
  } finally {
    await unlock()
  }
}

/** Opens an unused database and returns its last migration; this also proves that it opens. */
export async function migrationOf(folder: string): Promise<string | null> {
  const connection = new EmbeddedConnection(folder)
  try {
    await connection.thread.ready()
    return await lastMigration(connection.kysely)
  } catch {
    throw new StartError(`The database in ${folder} cannot be opened.`)
  } finally {
    await connection.close().catch(() => {})
  }
}

/** The copies before an update, made while no request can reach the open database. */
export function embeddedCopies(dataDir: string, connection: Connection): CopiesForUpdate {
  return {
    async before(next, last) {
      const file = join(copiesFolder(dataDir), copyName(`before-${next}`))
      await sql`checkpoint`.execute(connection.kysely)
      await writeCopy(file, { kind: 'embedded', lastMigration: last }, partsOf(dataDir))
      log(`Before the update everything was copied to ${file}`)
      await removeOldCopies(dataDir)
      return restoreCommand(file)
    },
    async newest(known) {
      const file = await newestCopy(dataDir, known)
      return file ? restoreCommand(file) : null
    },
  }
}
