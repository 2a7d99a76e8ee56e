// The server that the attack tests attack: the product's own code in a process of its own, so that whoever
// brings it down or makes it hang does not take the tests with it. Run by attacked-server.ts, which tells
// it the folder and the port by the usual settings.
import { join } from 'node:path'
import { EmbeddedConnection, ServerConnection } from '#server/backend/connections.ts'
import { quietConsole } from '#server/log.ts'
import { openBackend } from '#server/open-backend.ts'
import { start } from '#server/start.ts'
import { readCatalogue } from './catalogue.ts'

quietConsole()
const { DATA_DIR: dataDir = '', DATABASE_URL: url } = process.env
const catalogue = await readCatalogue(
  url ? new ServerConnection(url) : new EmbeddedConnection(join(dataDir, 'database')),
)
const { address, stop } = await start({
  env: process.env,
  clientDir: join(dataDir, '../client'),
  openBackend,
})
process.stdout.write(`${JSON.stringify({ address, catalogue })}\n`)
// Waits for the signal: modules that the server imports on first use are found only while this file runs.
await new Promise((resolve) => process.once('SIGTERM', resolve))
await stop()
process.exit(0)
