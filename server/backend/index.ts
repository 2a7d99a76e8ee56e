import type { Mailbox } from '../mail/mailbox.ts'
import type { Settings } from '../settings.ts'
import { StartError } from '../start-error.ts'
import { EmbeddedConnection, ServerConnection } from './connections.ts'
import { prepareFolder } from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { keysInDatabase, keysInFolder } from './keys.ts'
import { type Backend, startBackend } from './start-backend.ts'
import { withStartLock } from './start-lock.ts'

export type { Backend } from './start-backend.ts'

/** Opens the backend that the settings ask for: the embedded database, or a PostgreSQL server. */
export function openBackend(settings: Settings, mailbox: Mailbox): Promise<Backend> {
  return settings.backend.kind === 'postgres'
    ? openOnServer(settings, settings.backend.url, mailbox)
    : openEmbedded(settings, mailbox)
}

async function openEmbedded(settings: Settings, mailbox: Mailbox): Promise<Backend> {
  const folder = await prepareFolder(settings.dataDir)
  const unlock = await lockFolder(settings.dataDir)
  const connection = new EmbeddedConnection(folder)
  try {
    await connection.driver.waitReady.catch(() => {
      throw new StartError(
        `The database in ${folder} cannot be opened. Look whether its disk is full; otherwise restore a backup.`,
      )
    })
    const keys = await keysInFolder(settings.dataDir)
    const backend = await startBackend({ connection, keys, settings, mailbox })
    return {
      ...backend,
      async close() {
        await backend.close()
        await unlock()
      },
    }
  } catch (error) {
    await connection.close().catch(() => {})
    await unlock()
    throw error
  }
}

async function openOnServer(settings: Settings, url: string, mailbox: Mailbox): Promise<Backend> {
  return withStartLock(url, async () => {
    const connection = new ServerConnection(url)
    try {
      const keys = await keysInDatabase(connection)
      return await startBackend({ connection, keys, settings, mailbox })
    } catch (error) {
      await connection.close().catch(() => {})
      throw error
    }
  })
}
