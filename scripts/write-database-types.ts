import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedConnection } from '#server/backend/connections.ts'
import { startBackend } from '#server/backend/start-backend.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'
import { databaseTypes, typesFile } from './database-types.ts'

const folder = await mkdtemp(join(tmpdir(), 'solo-types-'))
const connection = new EmbeddedConnection(join(folder, 'database'))
try {
  const backend = await startBackend({
    connection,
    keys: { publishableKey: '', secretKey: '', jwtSecret: 'no request is served' },
    settings: { publicUrl: 'http://127.0.0.1', confirmEmail: false },
    mailbox: noMailbox,
  })
  await writeFile(typesFile, await databaseTypes(connection.kysely))
  await backend.close()
  console.log('Wrote src/lib/database.types.ts')
} finally {
  await connection.close().catch(() => {})
  await rm(folder, { recursive: true, force: true })
}
