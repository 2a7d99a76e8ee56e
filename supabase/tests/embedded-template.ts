import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { TestProject } from 'vitest/node'
import { EmbeddedConnection } from '#server/backend/connections.ts'
import { startBackend } from '#server/backend/start-backend.ts'
import { quietConsole } from '#server/log.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'
import { keys } from './test-keys.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with a migrated, empty database, for tests to copy: making one takes seconds. */
    embeddedTemplate: string
  }
}

/** Makes the database that every test on PGlite begins with. */
export default async function makeTemplate(project: TestProject): Promise<() => Promise<void>> {
  // `npm test` has made it beside its checks, and keeps it for the servers of the browser tests.
  const kept = process.env.KEPT_TEMPLATE
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'solo-template-')))
  // Several projects ask for it, one after the other, each with this module loaded anew: the first one makes it.
  process.env.EMBEDDED_TEMPLATE ??= await makeTemplateIn(folder)
  project.provide('embeddedTemplate', process.env.EMBEDDED_TEMPLATE)
  return async () => {
    if (!kept) await rm(folder, { recursive: true, force: true })
  }
}

/** Makes the database in this folder, unless it is there, and tells where it is. */
export async function makeTemplateIn(folder: string): Promise<string> {
  const made = join(folder, 'database')
  if (existsSync(made)) return made
  // Under another name until it is complete.
  const draft = join(folder, 'draft')
  // As in server/test-process.ts: it is not used for long enough to be compiled for speed.
  setFlagsFromString('--liftoff-only')
  const loud = quietConsole(() => {})
  const backend = await startBackend({
    connection: new EmbeddedConnection(draft),
    keys,
    settings: { publicUrl: 'http://127.0.0.1:3000', confirmEmail: false },
    mailbox: noMailbox,
  })
  await backend.close()
  loud()
  await rename(draft, made)
  return made
}
