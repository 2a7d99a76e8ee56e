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
import type { FairQueue } from '../fair-queue.ts'
import { currentShare } from '../request-share.ts'
import type { EmbeddedStatements } from './statements.ts'
import { DatabaseRestarted } from './thread.ts'

/** Marks the asynchronous work of one transaction, to detect when it asks for a second connection. */
const transaction = new AsyncLocalStorage<{ isOpen: boolean; isReadOnly: boolean }>()

/** Runs a transaction on the exclusive connection; see `ExclusiveDriver`. */
export function exclusively<T>(
  work: () => Promise<T>,
  { isReadOnly = false }: { isReadOnly?: boolean } = {},
): Promise<T> {
  return transaction.run({ isOpen: false, isReadOnly }, work)
}

/** The one connection, held by one request at a time. */
class ExclusiveConnection implements DatabaseConnection {
  readonly #statements: EmbeddedStatements
  readonly release: () => void
  readonly #isReadOnly: boolean
  /** The generation of the thread that runs the open transaction. */
  #generation: number | undefined
  /** `begin` is sent together with the next statement. */
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
    // The caller of the query names the type of its rows.
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
    // A statement that broke off halfway makes the next one fail. If that is the rollback, the transaction
    // would stay open and every later request would fail in it: so try twice.
    await this.#end('rollback')
      .catch(() => this.#end('rollback'))
      .catch((error: unknown) => {
        // A restart of the thread has rolled the transaction back.
        if (!(error instanceof DatabaseRestarted)) throw error
      })
  }

  async #end(how: string): Promise<void> {
    await this.#statements.run(how, [], { generation: this.#generation })
    this.#generation = undefined
  }
}

/**
 * The embedded database has one connection for all requests. A transaction must hold it alone until its end:
 * otherwise statements of another request would run inside it, under the first one's role. The library's
 * driver shares the connection; this one queues for it.
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
