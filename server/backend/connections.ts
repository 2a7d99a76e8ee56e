import type { Connection, ConnectionContextOptions, VarsContext } from '@supabase/lite'
import { PostgresConnection } from '@supabase/lite/postgres'
import {
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
} from 'kysely'
import pg from 'pg'
import { limitAnswer } from './answer-size.ts'
import { exclusiveDialect, exclusively } from './embedded/dialect.ts'
import { EmbeddedStatements } from './embedded/statements.ts'
import { DatabaseThread, type Hearer } from './embedded/thread.ts'
import { asWritten, isoTimestamp } from './embedded/types.ts'
import { withSingleLinks } from './embedded-tables.ts'
import { FairQueue } from './fair-queue.ts'
import { endHungConnections } from './hung-server.ts'
import { applicationName, keepConnected } from './kept-connection.ts'
import { DatabaseAway, translateDatabaseError } from './public-error.ts'
import { type AnyDatabase, runAsRequest, settingsOf } from './request-context.ts'
import { lastFailure, noteFailedQuery, noteFailure } from './request-failures.ts'
import { currentShare } from './request-share.ts'
import { hearServer, type NoticePatience } from './server-notices.ts'
import { sessionSettings, settingsText } from './session-settings.ts'

const numeric = 1700
const timestamptz = 1184
const bigint = 20
const nameArray = 1003
const textArray = 1009

function serverTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  for (const type of asWritten) types.setTypeParser(type, String)
  types.setTypeParser(bigint, Number)
  types.setTypeParser(numeric, Number)
  types.setTypeParser(timestamptz, isoTimestamp)
  // The library reads lists of names from the catalogue. (Declared to parse a number, it parses text.)
  const asTexts = types.getTypeParser(textArray) as unknown as (value: string) => string[]
  types.setTypeParser(nameArray, asTexts)
  return types
}

/** `pg` writes every list as an array of PostgreSQL; a list of objects must go as JSON. */
class ServerQueryCompiler extends PostgresQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    const isJson = Array.isArray(parameter) && parameter.some((each) => isObject(each))
    super.addParameter(isJson ? JSON.stringify(parameter) : parameter)
  }
}

function isObject(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Object]'
}

class ServerDialect extends PostgresDialect {
  override createQueryCompiler() {
    return new ServerQueryCompiler()
  }
}

/** The size of the pool to a PostgreSQL server. */
const connections = 10
/** More than a busy hour brings; nobody works with more. */
const mostWaiting = { mostOfOne: 200, mostOfAll: 2000 }

type Schema = Awaited<ReturnType<Connection['introspect']>>

/** Throws for an empty schema: the library gets one when it could not read it, and would deny that a table exists. */
function expectTables(schema: Schema): Schema {
  if (schema.tables.length === 0) throw lastFailure() ?? new DatabaseAway()
  return schema
}

type Rpc = NonNullable<ConnectionContextOptions['rpc']>

/** A connection with a short path for requests of one statement. */
export type RequestConnection = Connection & {
  /** Runs one statement as the caller. */
  runAs(vars: VarsContext, query: CompiledQuery, rpc: Rpc): Promise<unknown[]>
  /** Hears what committed transactions announce, until the returned function is called. */
  hear(hearer: Hearer): () => Promise<void>
}

/** The embedded database in a folder of its own, or in memory. */
export class EmbeddedConnection extends PostgresConnection implements RequestConnection {
  readonly thread: DatabaseThread
  readonly #statements: EmbeddedStatements
  readonly #queue = new FairQueue({ parallel: 1, patience: 60_000, ...mostWaiting })

  constructor(folder: string | null) {
    // The library's own driver connects on first use and is never used.
    super({ url: 'postgres://embedded' })
    this.thread = new DatabaseThread(folder)
    this.#statements = new EmbeddedStatements(this.thread)
    const dialect = exclusiveDialect(this.#statements, this.#queue)
    this.kysely = new Kysely({ dialect, log: noteFailedQuery })
  }

  override withContext<T>(
    vars: VarsContext | undefined,
    work: (db: AnyDatabase) => Promise<T>,
    options?: ConnectionContextOptions,
  ): Promise<T> {
    // The embedded database has no statement timeout; its thread is ended instead.
    return exclusively(() => runAsRequest(this.kysely, vars, work, options, 0), {
      isReadOnly: options?.rpc?.readOnly ?? false,
    })
  }

  async runAs(vars: VarsContext, query: CompiledQuery, rpc: Rpc): Promise<unknown[]> {
    const statements = [settingsOf(vars, rpc, 0), query]
    const giveBack = await this.#queue.acquire(currentShare())
    try {
      const { rows } = await this.#statements.runTogether(
        statements.map(({ sql, parameters }) => ({ text: sql, values: parameters })),
        giveBack,
      )
      return rows
    } catch (error) {
      noteFailure(error)
      throw error
    } finally {
      giveBack()
    }
  }

  hear(hearer: Hearer): () => Promise<void> {
    const stop = this.thread.hear(hearer)
    return async () => stop()
  }

  override runInTransaction<T>(work: (db: AnyDatabase) => Promise<T>): Promise<T> {
    return exclusively(() => super.runInTransaction(work))
  }

  override async introspect(options?: { useCache?: boolean }) {
    return withSingleLinks(expectTables(await super.introspect(options)))
  }

  override normalizeDbError(error: unknown): unknown {
    return translateDatabaseError(error)
  }

  override async close(): Promise<void> {
    await this.thread.close()
    await super.close()
  }
}

/**
 * The pool as Kysely sees it: it queues requests, and notes refused connections, because Kysely reports only
 * failed statements.
 */
function queued(pool: pg.Pool, queue: FairQueue): PostgresPool {
  return {
    end: () => pool.end(),
    async connect() {
      const giveBack = await queue.acquire(currentShare())
      try {
        const client = await pool.connect()
        const release = client.release.bind(client)
        const stopLimiting = currentShare().isOwn ? () => {} : limitAnswer(client)
        client.release = (error) => {
          giveBack()
          stopLimiting()
          release(error)
        }
        return client
      } catch (error) {
        giveBack()
        noteFailure(error)
        throw error
      }
    },
  }
}

type ServerOptions = {
  patience?: number
  idle?: number
  lockWait?: number | string
  isPooled?: boolean
  noticePatience?: NoticePatience
}

/** A PostgreSQL server, over `pg`: see docs/decisions for why not over the library's own driver. */
export class ServerConnection extends PostgresConnection implements RequestConnection {
  readonly #pool: pg.Pool
  readonly #stopKeeping: () => void
  readonly #notices: { url: string; patience: NoticePatience | undefined }
  readonly #hearers = new Set<Hearer>()
  #stopHearing: (() => Promise<void>) | null = null

  /**
   * @param patience how long the server may not answer, in milliseconds
   * @param idle after how many milliseconds without work a connection is closed, the last one excepted
   * @param lockWait how long a statement waits for a lock that somebody else holds, in milliseconds
   * @param isPooled whether there is a pooler before it: see `start-lock.ts`
   * @param noticePatience see {@link hearServer}
   */
  constructor(url: string, options: ServerOptions = {}) {
    // The library's own driver connects on first use and is never used.
    super({ url })
    const { patience = 10_000, idle = 10_000, lockWait = sessionSettings.lock_timeout } = options
    this.#notices = { url, patience: options.noticePatience }
    this.#pool = new pg.Pool({
      connectionString: url,
      application_name: applicationName,
      max: connections,
      min: 1,
      idleTimeoutMillis: idle,
      connectionTimeoutMillis: patience,
      // One connection stays open while idle: without this a router or proxy could drop it unnoticed.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...(options.isPooled ? {} : { options: settingsText({ lock_timeout: lockWait }) }),
      types: serverTypes(),
    })
    // The pool replaces a dead connection on demand; the request that used it fails by itself.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
    endHungConnections(this.#pool, url, patience)
    this.#stopKeeping = keepConnected(this.#pool)
    const queue = new FairQueue({ parallel: connections, patience, ...mostWaiting })
    const dialect = new ServerDialect({ pool: queued(this.#pool, queue) })
    this.kysely = new Kysely({ dialect, log: noteFailedQuery })
  }

  override withContext<T>(
    vars: VarsContext | undefined,
    work: (db: AnyDatabase) => Promise<T>,
    options?: ConnectionContextOptions,
  ): Promise<T> {
    return runAsRequest(this.kysely, vars, work, options, currentShare().limit)
  }

  runAs(vars: VarsContext, query: CompiledQuery, rpc: Rpc): Promise<unknown[]> {
    const run = async (db: AnyDatabase) => (await db.executeQuery(query)).rows
    return this.withContext(vars, run, { rpc })
  }

  hear(hearer: Hearer): () => Promise<void> {
    this.#hearers.add(hearer)
    // All hear on one connection.
    this.#stopHearing ??= hearServer(
      this.#notices.url,
      this.#pool,
      {
        onNotice: (notice) => {
          for (const { onNotice } of this.#hearers) onNotice(notice)
        },
        onGap: () => {
          for (const { onGap } of this.#hearers) onGap()
        },
      },
      this.#notices.patience,
    )
    return async () => {
      this.#hearers.delete(hearer)
      if (this.#hearers.size > 0) return
      const stop = this.#stopHearing
      this.#stopHearing = null
      await stop?.()
    }
  }

  override async introspect(options?: { useCache?: boolean }) {
    return withSingleLinks(expectTables(await super.introspect(options)))
  }

  override normalizeDbError(error: unknown): unknown {
    return translateDatabaseError(error)
  }

  override async close(): Promise<void> {
    this.#stopKeeping()
    await this.#pool.end()
    await super.close()
  }
}
