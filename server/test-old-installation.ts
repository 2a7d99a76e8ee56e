import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { App } from '@supabase/lite'
import { sql } from 'kysely'
import { EmbeddedConnection } from './backend/connections.ts'
import { keysInFolder } from './backend/keys.ts'
import { applyMigrations, migrationsFolder, planMigrations } from './backend/migrations.ts'
import { ensureRoles } from './backend/roles.ts'

export const oldAccount = { email: 'old@example.com', password: 'secret-1' }

/** Fills a folder with the migrations up to this one, and one further of this text. */
export async function migrationsUpTo(
  folder: string,
  last: string,
  further?: string,
): Promise<string> {
  for (const file of await readdir(migrationsFolder)) {
    if (file.slice(0, 14) <= last) await cp(join(migrationsFolder, file), join(folder, file))
  }
  if (further) await writeFile(join(folder, `${Number(last) + 1}_further.sql`), further)
  return folder
}

/** A data folder as a version of long ago left it: with its schema, an account, and rows of it. */
export async function makeOldInstallation(dataDir: string, last: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const keys = await keysInFolder(dataDir)
  const connection = new EmbeddedConnection(join(dataDir, 'database'))
  const app = new App({
    connection,
    api: { schemas: ['public'] },
    auth: {
      enabled: true,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
    },
    storage: { enabled: false },
  })
  await app.ensureSystemSchema()
  await ensureRoles(connection)
  const migrations = await migrationsUpTo(`${dataDir}-migrations`, last)
  const plan = await planMigrations(connection, migrations, { newest: async () => null })
  await applyMigrations(connection, plan, null)
  const signedUp = await app.fetch(
    new Request('http://127.0.0.1/auth/v1/signup', {
      method: 'POST',
      headers: { apikey: keys.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify(oldAccount),
    }),
  )
  if (!signedUp.ok) throw new Error(await signedUp.text())
  await sql`
    with owner as (select id from auth.users),
      company as (
        insert into public.companies (user_id, name) select id, 'Änderhaus' from owner returning *
      )
    insert into public.contacts (user_id, company_id, first_name, email)
    select user_id, id, 'Contact ' || n, 'c' || n || '@example.com'
    from company, generate_series(1, 500) as n`.execute(connection.kysely)
  await connection.close()
}
