import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { EmbeddedConnection } from '#server/backend/connections.ts'
import { startBackend } from '#server/backend/start-backend.ts'
import { quietConsole } from '#server/log.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'
import { keys } from './test-keys.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with a migrated, empty database, for test files to copy: making one takes seconds. */
    embeddedTemplate: string
  }
}

/** Makes the database that every test file on PGlite begins with. */
export default async function makeTemplate(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'solo-template-'))
  const loud = quietConsole(() => {})
  const backend = await startBackend({
    connection: new EmbeddedConnection(join(folder, 'database')),
    keys,
    settings: { publicUrl: 'http://127.0.0.1:3000', confirmEmail: false },
    mailbox: noMailbox,
  })
  await backend.close()
  loud()
  project.provide('embeddedTemplate', join(folder, 'database'))
  return () => rm(folder, { recursive: true, force: true })
}
