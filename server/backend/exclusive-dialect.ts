import { AsyncLocalStorage } from 'node:async_hooks'
import type { PGlite } from '@electric-sql/pglite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { EmbeddedStatements } from './embedded-statements.ts'

/** Marks the asynchronous work of one transaction, so that it cannot wait for itself. */
const transaction = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Runs a transaction on the exclusive connection; see `ExclusiveDriver`. */
export function exclusively<T>(work: () => Promise<T>): Promise<T> {
  return transaction.run({ isOpen: false }, work)
}

/**
 * The embedded database has one connection for all requests. Whoever begins a transaction on it
 * must have it alone until the end: otherwise the statements of another request would run inside
 * it, under the first one's role. The library's driver hands the connection out to everyone at
 * once; this one queues.
 */
class ExclusiveDriver implements Driver {
  readonly #connection: DatabaseConnection
  #free: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(database: PGlite) {
    const statements = new EmbeddedStatements(database)
    this.#connection = {
      async executeQuery(query) {
        const { rows, affectedRows } = await statements.run(query.sql, query.parameters)
        // The library's type leaves the row open to the caller of the query.
        return { rows: rows as never[], numAffectedRows: BigInt(affectedRows) }
      },
      streamQuery() {
        throw new Error('The embedded database does not stream.')
      },
    }
  }

  async init() {}

  async acquireConnection() {
    const current = transaction.getStore()
    if (current?.isOpen) throw new Error('A transaction asked for a second connection.')
    const before = this.#free
    let release = () => {}
    this.#free = new Promise((resolve) => {
      release = resolve
    })
    await before
    this.#release = release
    if (current) current.isOpen = true
    return this.#connection
  }

  async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin'))
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    const rollBack = () => connection.executeQuery(CompiledQuery.raw('rollback'))
    // A statement that was broken off while it was written spoils the one after it. Were that the last
    // word of a transaction, it would stay open, and every later request would fail in it.
    await rollBack().catch(rollBack)
  }

  async releaseConnection() {
    const current = transaction.getStore()
    if (current) current.isOpen = false
    this.#release()
  }

  async destroy() {}
}

/** PostgreSQL in this process, one request at a time. */
export function exclusiveDialect(database: PGlite): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ExclusiveDriver(database),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
