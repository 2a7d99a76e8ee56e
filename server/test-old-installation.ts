import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { App, type Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { EmbeddedConnection } from './backend/connections.ts'
import { type Keys, keysInFolder } from './backend/keys.ts'
import { hasTable } from './backend/migration-mark.ts'
import {
  applyMigrations,
  migrationsFolder,
  planMigrations,
  secondHistoryFolder,
} from './backend/migrations.ts'
import { ensureRoles } from './backend/roles.ts'

export const oldAccount = { email: 'old@example.com', password: 'secret-1' }

/** Fills a folder with the migrations up to this one, and one further of this text. */
export async function migrationsUpTo(
  folder: string,
  last: string,
  further?: string,
): Promise<string> {
  await copyUpTo(migrationsFolder, folder, last)
  if (further) await writeFile(join(folder, `${Number(last) + 1}_further.sql`), further)
  return folder
}

async function copyUpTo(from: string, to: string, last: string): Promise<void> {
  for (const file of await readdir(from)) {
    if (file.slice(0, 14) <= last) await cp(join(from, file), join(to, file))
  }
}

/** Fills a folder with the second history of the schema up to this migration. */
export async function secondHistoryUpTo(folder: string, last = '99999999999999'): Promise<string> {
  await copyUpTo(secondHistoryFolder, folder, last)
  return folder
}

/**
 * Fills a folder with the first history of the schema up to this migration. Its files lie one after the other in
 * `first-history.sql.gz`, each under a line with its name:
 * `for f in *.sql; do echo "-- ==== $f"; cat $f; done | gzip -9n`.
 */
export async function firstHistoryUpTo(folder: string, last = '99999999999999'): Promise<string> {
  const packed = await readFile(join(import.meta.dirname, 'test-files/first-history.sql.gz'))
  const [, ...parts] = gunzipSync(packed)
    .toString()
    .split(/^-- ==== (.+)\n/m)
  for (let at = 0; at < parts.length; at += 2) {
    const [file = '', text = ''] = parts.slice(at, at + 2)
    if (file.slice(0, 14) <= last) await writeFile(join(folder, file), text)
  }
  return folder
}

/** A data folder as a version with these migrations left it: with its schema, an account, and rows of it. */
export async function makeOldInstallation(dataDir: string, migrations: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const connection = new EmbeddedConnection(join(dataDir, 'database'))
  await makeOldDatabase(connection, await keysInFolder(dataDir), migrations)
  await connection.close()
}

/** The same in an open database without a schema. */
export async function makeOldDatabase(
  connection: Connection,
  keys: Keys,
  migrations: string,
): Promise<void> {
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
  for (const [table, ...statements] of [['auth.users', ...rows], ...laterRows]) {
    if (!(await hasTable(connection.kysely, table ?? ''))) continue
    for (const statement of statements) await sql.raw(statement).execute(connection.kysely)
  }
}

/** Of every kind that an account has. */
const rows = [
  `insert into public.companies (user_id, name, website) select id, 'Änderhaus', 'https://example.com' from auth.users`,
  `insert into public.contacts (user_id, company_id, first_name, email, phone_number)
   select c.user_id, c.id, 'Contact ' || n, 'c' || n || '@example.com', '+49 30 ' || 1000000 + n
   from public.companies c, generate_series(1, 500) as n`,
  `insert into public.deals (user_id, name, value, stage_id, company_id, contact_id)
   select s.user_id, 'Deal in ' || s.name, 100 * s."order", s.id, k.company_id, k.id
   from public.pipeline_stages s, public.contacts k where k.first_name = 'Contact 1'`,
  `insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
   select user_id, id, 'Closed Lost', 6, 0 from public.pipelines`,
  `update public.deals d set stage_id = s.id, lost_reason = 'Too dear'
   from public.pipeline_stages s where d.name = 'Deal in Lead' and s.name = 'Closed Lost'`,
  `insert into public.tasks (user_id, title, due_date, due_all_day, repeat, deal_id)
   select user_id, 'Call about ' || name, '2026-11-20 12:00+00', true, 'monthly', id from public.deals`,
  `update public.tasks set completed = true where title = 'Call about Deal in Lead'`,
  `insert into public.notes (user_id, kind, body, contact_id)
   select user_id, 'call', 'Said yes', id from public.contacts where first_name = 'Contact 1'`,
  `insert into public.collections (user_id, name) select id, 'Friends' from auth.users`,
  `insert into public.collection_members (user_id, collection_id, contact_id)
   select c.user_id, c.id, k.id from public.collections c, public.contacts k where k.first_name like 'Contact 1%'`,
  `insert into public.saved_views (user_id, screen, name, query) select id, 'contacts', 'New', 'status=New' from auth.users`,
  `insert into public.email_templates (user_id, name, subject) select id, 'Hello', 'Hello' from auth.users`,
  `update public.preferences set display_name = 'Old', time_zone = 'Europe/Berlin'`,
  `insert into public.calendar_feeds (user_id, token) select id, repeat('a', 64) from auth.users`,
  `insert into public.not_duplicates (user_id, one_contact_id, other_contact_id)
   select a.user_id, least(a.id, b.id), greatest(a.id, b.id) from public.contacts a, public.contacts b
   where a.first_name = 'Contact 1' and b.first_name = 'Contact 2'`,
  `delete from public.contacts where first_name = 'Contact 500'`,
]

/** What came later or is called otherwise today, each after a table that is there then. */
const laterRows = [
  [
    // Called private.actions today.
    'private.deeds',
    `insert into private.deeds (user_id, batch, deed, about)
     select user_id, batch, 'import', 'people.csv' from public.changes where table_name = 'contacts' limit 1`,
  ],
  [
    'public.fields',
    `insert into public.fields (user_id, record, name, kind) select id, 'contacts', 'Shoe size', 'number' from auth.users`,
    `update public.contacts c set custom = jsonb_build_object(f.id, 43) from public.fields f where c.first_name = 'Contact 3'`,
  ],
  [
    'public.deal_contacts',
    `update public.contacts set tags = '{Friend}', emails = emails || '[{"label": "home", "value": "home@example.com"}]',
       birthday = '--05-03', birthday_reminder = 7 where first_name = 'Contact 4'`,
    `update public.preferences set rates = '{"EUR": 1.1}', monthly_goal = 1000`,
    `update public.deals set currency = 'EUR' where name = 'Deal in Proposal'`,
    `insert into public.deal_contacts (user_id, deal_id, contact_id, role)
     select d.user_id, d.id, c.id, 'Buyer' from public.deals d, public.contacts c
     where d.name = 'Deal in Proposal' and c.first_name = 'Contact 4'`,
  ],
  [
    'private.agendas',
    `insert into private.agendas (user_id, hour) select id, 7 from auth.users`,
    `insert into private.access_tokens (user_id, name, hash, scope) select id, 'Claude', repeat('b', 64), 'read' from auth.users`,
    `insert into public.forms (user_id, name, title) select id, 'Website', 'Write to us' from auth.users`,
    `insert into public.mail_accounts (user_id, address, imap_host) select id, 'old@example.com', 'imap.example.com' from auth.users`,
    `insert into public.mails (user_id, account_id, message_id, thread, direction, sender, recipients, subject, sent_at)
     select user_id, id, 'one@example.com', gen_random_uuid(), 'in', 'c4@example.com', '[]', 'Offer', now() from public.mail_accounts`,
    `insert into private.file_contents (user_id, sha256, size, type) select id, repeat('c', 64), 3, 'text/plain' from auth.users`,
    `insert into private.file_parts (user_id, sha256, part, bytes) select id, repeat('c', 64), 0, 'abc' from auth.users`,
    `insert into public.files (user_id, name, sha256, contact_id)
     select user_id, 'offer.txt', repeat('c', 64), id from public.contacts where first_name = 'Contact 4'`,
  ],
]
