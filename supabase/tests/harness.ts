import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createClient, type EmailOtpType, type SupabaseClient } from '@supabase/supabase-js'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, vi } from 'vitest'
import WebSocket from 'ws'
import type { Database } from '#lib/database.types.ts'
import {
  EmbeddedConnection,
  type RequestConnection,
  ServerConnection,
} from '#server/backend/connections.ts'
import { type Backend, startBackend } from '#server/backend/start-backend.ts'
import { quietConsole } from '#server/log.ts'
import type { MailMessage } from '#server/mail/message.ts'
import { copyFolder } from '#server/test-copy-folder.ts'
import { isLong } from '#server/test-length.ts'
import { withMigratedDatabase } from './server-database.ts'
import { keys } from './test-keys.ts'

type Client = SupabaseClient<Database>
export type Account = { id: string; email: string; token: string; client: Client }

/** Only where the tests ask for one; the mails then arrive in the background. */
type MailServer = { isDown: boolean }
type Options = {
  confirmEmail?: boolean
  hasMailServer?: boolean
  statementLimit?: number
  allowPrivateAddresses?: boolean
}

/**
 * A migrated database with the real protocol in front of it. The test files of a worker share it, so each works in
 * accounts of its own and takes back what it does to the schema; one that asks for options has its own.
 */
export type TestDatabase = {
  backend: Backend
  connection: RequestConnection
  /** What was sent, oldest first. */
  mails: MailMessage[]
  mailServer: MailServer
  /** A client without a session. */
  anonymous: Client
  /** Another one, which may sign in; past the backend's own way in, where one is given. */
  connect(fetch?: typeof globalThis.fetch): Client
  /** A new account, with a client that is signed in. */
  signUp(): Promise<Account>
  /** Runs SQL as the owner of the schema, past every policy. */
  query<Row>(statement: string, ...values: unknown[]): Promise<Row[]>
}

/**
 * Describes the same tests once on PGlite and, where the run has a server, once on PostgreSQL as an
 * ordinary user that owns its database.
 */
export function onEachDatabase(
  define: (database: () => TestDatabase) => void,
  options?: Options,
): void {
  describe('PGlite', () => withDatabase(openEmbedded, options, define))
  if (inject('postgresUrl'))
    describe('PostgreSQL', () => withDatabase(openOnServer, options, define))
}

/** Waits until what a job or another process does has happened, however busy the machine is. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: 20_000, interval: 20 })

/**
 * Describes tests of rules that SQL alone decides, where the two databases cannot differ: all of them on PostgreSQL,
 * which is faster, and on PGlite only those before `if (isSmoke) return`. All of them run on PGlite where there is no
 * PostgreSQL, and on both in `npm run test:long`.
 */
export function onOneDatabase(
  define: (database: () => TestDatabase, isSmoke: boolean) => void,
  options?: Options,
): void {
  const hasServer = inject('postgresUrl') !== null
  const isSmoke = hasServer && !isLong
  describe('PGlite', () => withDatabase(openEmbedded, options, (of) => define(of, isSmoke)))
  if (!hasServer) return
  describe('PostgreSQL', () => withDatabase(openOnServer, options, (of) => define(of, false)))
}

/**
 * Describes tests of what no database has a part in, such as sockets, pauses and the words of mails: on PostgreSQL,
 * or on PGlite where there is none, and on both in `npm run test:long`.
 */
export function onAnyDatabase(
  define: (database: () => TestDatabase) => void,
  options?: Options,
): void {
  const hasServer = inject('postgresUrl') !== null
  if (!hasServer || isLong) describe('PGlite', () => withDatabase(openEmbedded, options, define))
  if (hasServer) describe('PostgreSQL', () => withDatabase(openOnServer, options, define))
}

type Opened = {
  connection: RequestConnection
  backend: Backend
  mails: MailMessage[]
  mailServer: MailServer
  remove(): Promise<void>
}
type Open = (options: Options) => Promise<Opened>

/** Opened by the first test file of the worker that asks for it; ends with the worker. */
const shared = new Map<Open, Promise<Opened>>()

function openShared(open: Open): Promise<Opened> {
  const opened = shared.get(open) ?? open({})
  shared.set(open, opened)
  return opened
}

function withDatabase(
  open: Open,
  options: Options | undefined,
  define: (database: () => TestDatabase) => void,
): void {
  let database: TestDatabase | undefined
  let own: Opened | undefined
  let loud: (() => void) | undefined
  beforeAll(async () => {
    loud = quietConsole(() => {})
    if (options) own = await open(options)
    database = testDatabase(own ?? (await openShared(open)))
  })
  afterAll(async () => {
    await own?.backend.close()
    await own?.remove()
    loud?.()
  })
  define(() => {
    if (!database) throw new Error('The database is only there inside a test.')
    return database
  })
}

/** The same on a connection of the test's own, to a database that is there already. */
export async function openAt(connection: RequestConnection): Promise<TestDatabase> {
  return testDatabase({
    connection,
    ...(await start(connection, {})),
    remove: async () => {},
  })
}

async function openEmbedded(options: Options): Promise<Opened> {
  const { connection, remove } = await copiedDatabase()
  return { connection, ...(await start(connection, options)), remove }
}

/** A migrated database on PGlite that nobody else has: to migrate one takes ten seconds. */
export async function copiedDatabase() {
  const template = inject('embeddedTemplate')
  // Beside the template, which is removed with everything around it: nobody closes a shared one.
  const folder = await mkdtemp(join(dirname(template), 'copy-'))
  await copyFolder(template, join(folder, 'database'))
  const connection = new EmbeddedConnection(join(folder, 'database'))
  return { connection, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function openOnServer(options: Options): Promise<Opened> {
  return withMigratedDatabase(inject('postgresUrl') ?? '', async (url) => {
    const connection = new ServerConnection(url)
    return { connection, ...(await start(connection, options)), remove: async () => {} }
  })
}

async function start(
  connection: RequestConnection,
  {
    confirmEmail = false,
    hasMailServer = false,
    statementLimit = 120_000,
    allowPrivateAddresses = false,
  }: Options,
) {
  const mails: MailMessage[] = []
  const mailServer: MailServer = { isDown: false }
  const backend = await startBackend({
    connection,
    keys,
    settings: { publicUrl: 'http://127.0.0.1:3000', confirmEmail, allowPrivateAddresses },
    // On a busy machine the usual one is soon over.
    statementLimit,
    mailbox: {
      mayBeAway: hasMailServer,
      async send(mail) {
        if (mailServer.isDown) throw Object.assign(new Error('down'), { code: 'ESOCKET' })
        mails.push(mail)
      },
      async forget(account) {
        const others = mails.filter((mail) => mail.account !== account)
        mails.splice(0, mails.length, ...others)
      },
    },
  })
  return { backend, mails, mailServer }
}

function testDatabase({ backend, connection, mails, mailServer }: Opened): TestDatabase {
  const connect = (
    fetch: typeof globalThis.fetch = (input, init) => backend.fetch(new Request(input, init), null),
  ) =>
    createClient<Database>('http://127.0.0.1:3000', backend.publicKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch },
      // Node 20 has no WebSocket of its own; nothing is ever connected.
      realtime: { transport: WebSocket as never },
    })
  return {
    backend,
    connection,
    mails,
    mailServer,
    connect,
    anonymous: connect(),
    async signUp() {
      const client = connect()
      const email = `${randomUUID()}@example.com`
      const { data, error } = await client.auth.signUp({ email, password: 'secret-1' })
      if (error || !data.session) throw error ?? new Error('Sign-up gave no session.')
      return { id: data.session.user.id, email, token: data.session.access_token, client }
    },
    async query<Row>(statement: string, ...values: unknown[]) {
      const parts = statement.split('?')
      const { rows } = await sql<Row>(parts as unknown as TemplateStringsArray, ...values).execute(
        connection.kysely,
      )
      return rows
    },
  }
}

type Answer<T> = { data: T; error: { message: string } | null }

/** The data of an answer that must have succeeded. */
export async function ok<T>(answer: PromiseLike<Answer<T>>): Promise<NonNullable<T>> {
  const { data, error } = await answer
  expect(error).toBeNull()
  if (data === null || data === undefined) throw new Error('The answer has no data.')
  return data
}

/** What the link of a letter asks to confirm, as the page hands it to the client library. */
export function linkIn(mail: MailMessage | undefined) {
  const [, fragment] = /http\S+\/auth#(\S+)/.exec(mail?.text ?? '') ?? []
  const parameters = new URLSearchParams(fragment)
  return {
    token_hash: parameters.get('token_hash') ?? '',
    type: parameters.get('type') as EmailOtpType,
  }
}
