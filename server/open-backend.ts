import { EmbeddedConnection, ServerConnection } from './backend/connections.ts'
import { prepareFolder } from './backend/data-folder.ts'
import { lockFolder } from './backend/folder-lock.ts'
import { keysInDatabase, keysInFolder } from './backend/keys.ts'
import { type Backend, startBackend } from './backend/start-backend.ts'
import { withStartLock } from './backend/start-lock.ts'
import { startUpkeep } from './backend/upkeep.ts'
import { embeddedCopies } from './copies/embedded.ts'
import { serverCopies } from './copies/postgres.ts'
import { finishRestore } from './copies/restore-embedded.ts'
import { type OpenDatabase, removeSnapshots, serveSnapshots } from './copies/snapshot.ts'
import type { Mailbox } from './mail/mailbox.ts'
import { mailKeyOf } from './mailbox/mail-key.ts'
import type { Settings } from './settings.ts'
import { StartError } from './start-error.ts'

/** Opens the backend that the settings ask for: the embedded database, or a PostgreSQL server. */
export function openBackend(settings: Settings, mailbox: Mailbox): Promise<Backend> {
  return settings.backend.kind === 'postgres'
    ? openOnServer(settings, settings.backend.url, mailbox)
    : openEmbedded(settings, mailbox)
}

async function openEmbedded(settings: Settings, mailbox: Mailbox): Promise<Backend> {
  const { dataDir } = settings
  const folder = await prepareFolder(dataDir)
  let open: OpenDatabase | null = null
  const unlock = await lockFolder(dataDir, (client) => serveSnapshots(client, open))
  let connection: EmbeddedConnection | null = null
  try {
    await finishRestore(dataDir)
    await removeSnapshots(dataDir)
    connection = new EmbeddedConnection(folder)
    await connection.thread.ready().catch(() => {
      throw new StartError(
        `The database in ${folder} cannot be opened. Look whether its disk is full; otherwise restore a backup.`,
      )
    })
    const keys = await keysInFolder(dataDir)
    const copies = embeddedCopies(dataDir, connection)
    const { statementLimit } = settings
    const backend = await startBackend({
      connection,
      keys,
      settings,
      mailbox,
      copies,
      mail: await mailOf(settings),
      statementLimit,
    })
    open = { connection, dataDir }
    const upkeep = startUpkeep(connection)
    return {
      ...backend,
      fetch(request, peerAddress, client) {
        upkeep.noteRequest()
        return backend.fetch(request, peerAddress, client)
      },
      async close() {
        open = null
        await upkeep.stop()
        await backend.close()
        await unlock()
      },
    }
  } catch (error) {
    await connection?.close().catch(() => {})
    await unlock()
    throw error
  }
}

async function openOnServer(settings: Settings, url: string, mailbox: Mailbox): Promise<Backend> {
  return withStartLock(url, async ({ isPooled }) => {
    const connection = new ServerConnection(url, { isPooled })
    try {
      const keys = await keysInDatabase(connection)
      const copies = serverCopies(settings.dataDir, url)
      const { statementLimit } = settings
      const mail = await mailOf(settings)
      return await startBackend({
        connection,
        keys,
        settings,
        mailbox,
        copies,
        mail,
        statementLimit,
      })
    } catch (error) {
      await connection.close().catch(() => {})
      throw error
    }
  })
}

async function mailOf(settings: Settings) {
  return {
    key: await mailKeyOf(settings),
    rule: { allowPrivate: settings.allowPrivateAddresses },
  }
}
