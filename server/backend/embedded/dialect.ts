import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { currentShare } from '../request-share.ts'
import type { FairQueue } from '../fair-queue.ts'
import type { EmbeddedStatements } from './statements.ts'
import { DatabaseRestarted } from './thread.ts'

/** Marks the asynchronous work of one transaction, so that it cannot wait for itself. */
const transaction = new AsyncLocalStorage<{ isOpen: boolean; isReadOnly: boolean }>()

/** Runs a transaction on the exclusive connection; see `ExclusiveDriver`. */
export function exclusively<T>(
  work: () => Promise<T>,
  { isReadOnly = false }: { isReadOnly?: boolean } = {},
): Promise<T> {
  return transaction.run({ isOpen: false, isReadOnly }, work)
}

/** The one connection, as whoever has his turn sees it. */
class ExclusiveConnection implements DatabaseConnection {
  readonly #statements: EmbeddedStatements
  readonly release: () => void
  readonly #isReadOnly: boolean
  /** The thread in which the open transaction was begun. */
  #generation: number | undefined
  /** Whether a transaction is to begin with the next statement: the database is told both at once. */
  #isBeginning = false

  constructor(statements: EmbeddedStatements, release: () => void, isReadOnly: boolean) {
    this.#statements = statements
    this.release = release
    this.#isReadOnly = isReadOnly
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const isFirst = this.#isBeginning
    this.#isBeginning = false
    const { rows, affectedRows, generation } = await this.#statements.run(sql, parameters, {
      generation: this.#generation,
      isFirst,
    })
    if (isFirst) this.#generation = generation
    // The library's type leaves the row open to the caller of the query.
    return { rows: rows as R[], numAffectedRows: BigInt(affectedRows) }
  }

  streamQuery(): never {
    throw new Error('The embedded database does not stream.')
  }

  begin(): void {
    this.#isBeginning = true
  }

  async commit(): Promise<void> {
    if (this.#isBeginning) return
    if (this.#isReadOnly) this.#statements.endRead(this.#generation)
    else await this.#end('commit')
  }

  async rollBack(): Promise<void> {
    if (this.#isBeginning) return
    // A statement that was broken off while it was written spoils the one after it. Were that the last
    // word of a transaction, it would stay open, and every later request would fail in it.
    await this.#end('rollback')
      .catch(() => this.#end('rollback'))
      .catch((error: unknown) => {
        // What was begun in a thread that is gone was rolled back with it.
        if (!(error instanceof DatabaseRestarted)) throw error
      })
  }

  async #end(how: string): Promise<void> {
    await this.#statements.run(how, [], { generation: this.#generation })
    this.#generation = undefined
  }
}

/**
 * The embedded database has one connection for all requests. Whoever begins a transaction on it
 * must have it alone until the end: otherwise the statements of another request would run inside
 * it, under the first one's role. The library's driver hands the connection out to everyone at
 * once; this one lets everybody have a turn.
 */
class ExclusiveDriver implements Driver {
  readonly #statements: EmbeddedStatements
  readonly #queue: FairQueue

  constructor(statements: EmbeddedStatements, queue: FairQueue) {
    this.#statements = statements
    this.#queue = queue
  }

  async init() {}

  async acquireConnection() {
    const current = transaction.getStore()
    if (current?.isOpen) throw new Error('A transaction asked for a second connection.')
    const release = await this.#queue.acquire(currentShare())
    if (current) current.isOpen = true
    return new ExclusiveConnection(this.#statements, release, current?.isReadOnly ?? false)
  }

  async beginTransaction(connection: ExclusiveConnection) {
    connection.begin()
  }

  commitTransaction(connection: ExclusiveConnection) {
    return connection.commit()
  }

  rollbackTransaction(connection: ExclusiveConnection) {
    return connection.rollBack()
  }

  async releaseConnection(connection: ExclusiveConnection) {
    const current = transaction.getStore()
    if (current) current.isOpen = false
    connection.release()
  }

  async destroy() {}
}

/** PostgreSQL in this process, one request at a time. */
export function exclusiveDialect(statements: EmbeddedStatements, queue: FairQueue): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ExclusiveDriver(statements, queue),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
