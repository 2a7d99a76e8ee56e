import { randomUUID } from 'node:crypto'
import postgres, { type Sql } from 'postgres'
import { ServerConnection } from '#server/backend/connections.ts'
import { startBackend } from '#server/backend/start-backend.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'
import { keys } from './test-keys.ts'

/**
 * A new, empty database on the run's server, with an ordinary user that owns it. Roles belong to the whole server,
 * so test files make theirs one after the other: others wait until the first start on it is done.
 */
export function withServerDatabase<T>(
  adminUrl: string,
  firstStart: (url: string) => Promise<T>,
): Promise<T> {
  return alone(adminUrl, async (admin) => {
    const name = newName()
    await makeOwner(admin, name)
    await admin.unsafe(`create database ${name} owner ${name}`)
    return firstStart(urlOf(adminUrl, name))
  })
}

/** The same with the schema in it: copied from a template, which takes a tenth of the time of the migrations. */
export function withMigratedDatabase<T>(
  adminUrl: string,
  firstStart: (url: string) => Promise<T>,
): Promise<T> {
  return alone(adminUrl, async (admin) => {
    const name = newName()
    const found = await admin`select from pg_database where datname = ${template}`
    if (found.length === 0) await makeServerTemplate(adminUrl, admin)
    await makeOwner(admin, name)
    await admin.unsafe(`create database ${name} template ${template} owner ${name}`)
    const inside = new URL(adminUrl)
    inside.pathname = `/${name}`
    const copy = postgres(inside.href, { max: 1, onnotice: () => {} })
    await copy.unsafe(`reassign owned by ${template} to ${name}`)
    await copy.end()
    return firstStart(urlOf(adminUrl, name))
  })
}

const template = 'solo_template'

async function makeServerTemplate(adminUrl: string, admin: Sql): Promise<void> {
  await makeOwner(admin, template)
  // Under another name until it is complete.
  const draft = newName()
  await admin.unsafe(`create database ${draft} owner ${template}`)
  const backend = await startBackend({
    connection: new ServerConnection(urlOf(adminUrl, template, draft)),
    keys,
    settings: { publicUrl: 'http://127.0.0.1:3000', confirmEmail: false },
    mailbox: noMailbox,
  })
  await backend.close()
  await admin.unsafe(`alter database ${draft} owner to current_user`)
  await admin.unsafe(`alter database ${draft} rename to ${template}`)
}

/**
 * An ordinary user. The first on a server makes the roles of requests itself. From PostgreSQL 16 on nobody else may give
 * them away then, and an administrator does it, as the server's message asks for.
 */
async function makeOwner(admin: Sql, name: string): Promise<void> {
  await admin.unsafe(`create role ${name} login createrole`)
  const [server] = await admin`select current_setting('server_version_num')::int >= 160000 and
    exists (select from pg_roles where rolname = 'service_role') as needed`
  if (server?.needed) {
    await admin.unsafe(`grant anon, authenticated, service_role to ${name}`)
  }
}

function newName(): string {
  return `solo_${randomUUID().replaceAll('-', '')}`
}

function urlOf(adminUrl: string, user: string, database = user): string {
  const url = new URL(adminUrl)
  url.username = user
  url.pathname = `/${database}`
  return url.href
}

/** Does this while no other test file does the like. */
async function alone<T>(adminUrl: string, work: (admin: Sql) => Promise<T>): Promise<T> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  try {
    await admin`select pg_advisory_lock(1)`
    return await work(admin)
  } finally {
    await admin.end()
  }
}
