import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Connection, generateApiKey } from '@supabase/lite'
import { sql } from 'kysely'
import { z } from 'zod'
import { StartError } from '../start-error.ts'

const keysSchema = z.object({
  /** Sent by the browser; it grants no access by itself. */
  publishableKey: z.string().startsWith('sb_publishable_'),
  /** Bypasses row-level security. Never leaves the server. */
  secretKey: z.string().startsWith('sb_secret_'),
  jwtSecret: z.string().min(32),
})

/** The keys of one installation, made at its first start. */
export type Keys = z.infer<typeof keysSchema>

async function makeKeys(): Promise<Keys> {
  return {
    publishableKey: (await generateApiKey('publishable')).key,
    secretKey: (await generateApiKey('secret')).key,
    jwtSecret: randomBytes(48).toString('base64url'),
  }
}

/** Keys kept in a file of the data folder that only its owner can read. */
export async function keysInFolder(folder: string): Promise<Keys> {
  const path = join(folder, 'keys.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text !== null) {
    const known = parseKeys(text)
    if (known) return known
    throw new StartError(
      `${path} is damaged. Restore it from a backup; or delete it, and everyone must sign in again.`,
    )
  }
  const keys = await makeKeys()
  await writeKeys(folder, keys)
  return keys
}

/** Makes these the keys of a data folder. */
export async function writeKeys(folder: string, keys: Keys): Promise<void> {
  const path = join(folder, 'keys.json')
  // Written to another name and renamed, so that a crash leaves no partial file.
  await writeFile(`${path}.new`, JSON.stringify(keys, null, 2), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

function parseKeys(text: string): Keys | null {
  try {
    return keysSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Keys kept in the database, in a schema that no request can read, so that all server processes accept the same
 * tokens.
 */
export async function keysInDatabase(connection: Connection): Promise<Keys> {
  const db = connection.kysely
  await sql`create schema if not exists solo_server`.execute(db)
  await sql`revoke all on schema solo_server from public`.execute(db)
  await sql`create table if not exists solo_server.keys (
    only_row boolean primary key default true check (only_row), keys jsonb not null)`.execute(db)
  await sql`insert into solo_server.keys (keys) values (${JSON.stringify(await makeKeys())}::text::jsonb)
    on conflict do nothing`.execute(db)
  const { rows } = await sql<{ keys: unknown }>`select keys from solo_server.keys`.execute(db)
  return keysSchema.parse(rows[0]?.keys)
}
