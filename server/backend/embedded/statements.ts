import { messages, protocol } from '@electric-sql/pglite'
import { currentShare } from '../request-share.ts'
import { DatabaseRestarted, type DatabaseThread } from './thread.ts'
import { EmbeddedTypes } from './types.ts'

type Answer = Parameters<Parameters<protocol.Parser['parse']>[1]>[0]

type Prepared = {
  /** Empty for an unnamed statement, which is used once. */
  name: string
  parameterTypes: number[]
  columns: { name: string; type: number }[]
}

export type Statement = { text: string; values: readonly unknown[] }
type Outcome = { rows: Record<string, unknown>[]; affectedRows: number }
/** With the generation of the thread that ran it. */
type ThreadOutcome = Outcome & { generation: number }

/** More than the product uses; statements that a client invents must not fill the memory. */
const mostPrepared = 200

/**
 * In milliseconds. A plan fits the table sizes of its time: a plan for a dozen contacts reads the whole table,
 * and must not outlive an import of a hundred thousand. This includes plans inside functions.
 */
const planLifetime = 10_000

const listTypes =
  'select oid::int as element, typarray::int as list from pg_type where typarray <> 0'

const begin = protocol.serialize.query('begin')
const commit = protocol.serialize.query('commit')
/** The time limit for statements of our own, in milliseconds. */
const ownLimit = 10_000

/** Statements that do not change the schema, so that prepared statements stay valid. */
const keepsSchema = /^\s*(select|insert|update|delete|with|begin|commit|rollback)\b/i

/**
 * Runs statements on the embedded database: each is prepared once and then takes one call. PGlite's own `query`
 * makes six calls, plans again and copies its table of types each time, which takes about ten times as long
 * for a small statement.
 */
export class EmbeddedStatements {
  readonly #database: DatabaseThread
  readonly #types = new EmbeddedTypes()
  readonly #prepared = new Map<string, Prepared>()
  /** Settles when the statement before has ended. */
  #last: Promise<unknown> = Promise.resolve()
  /** Settles when the last transaction in one call is answered. */
  #lastCall: Promise<unknown> = Promise.resolve()
  /** The generation of the thread that holds the prepared statements. */
  #generation = 0
  #count = 0
  #isInTransaction = false
  /** The commit of a read-only transaction and the next `begin`, sent with the next statement. */
  readonly #before: Uint8Array[] = []
  /** Whether the open transaction has changed the schema: until it ends, statements are not kept. */
  #isChanging = false
  /** When all plans are dropped next, on the process's clock. */
  #plansUntil = 0

  constructor(database: DatabaseThread) {
    this.#database = database
  }

  /**
   * @param generation of the thread that runs the open transaction: it cannot continue in another thread
   * @param isFirst whether to send `begin` in the same call
   */
  run(
    text: string,
    values: readonly unknown[],
    { generation, isFirst = false }: { generation?: number | undefined; isFirst?: boolean } = {},
  ): Promise<ThreadOutcome> {
    const { limit } = currentShare()
    return this.#inTurn(async () => {
      await this.#database.ready()
      if (generation !== undefined && generation !== this.#database.generation)
        throw new DatabaseRestarted()
      if (this.#generation !== this.#database.generation) await this.#startGeneration(limit)
      if (isFirst) {
        await this.#renewPlans(limit)
        this.#before.push(begin)
      }
      return { ...(await this.#runAlone(text, values, limit)), generation: this.#generation }
    })
  }

  /**
   * Runs a transaction in one call, all or nothing. Returns the result of the last statement. The next call is sent
   * while this one runs, so that the thread need not wait for it.
   * @param onSent called when the next one may be sent
   */
  async runTogether(statements: readonly Statement[], onSent = () => {}): Promise<Outcome> {
    const { limit } = currentShare()
    try {
      const { answers, columns } = await this.#inTurn(async () => {
        await this.#database.ready()
        if (this.#generation !== this.#database.generation) await this.#startGeneration(limit)
        await this.#renewPlans(limit)
        const call = await this.#sendAll(statements, limit)
        // At most one call waits in the thread, because all calls in it fail when the thread is ended.
        await this.#lastCall
        this.#lastCall = call.answers.catch(() => {})
        return call
      })
      onSent()
      return this.#read(await answers, columns)
    } catch (error) {
      // Drops the statements as `#runAlone` does. Not awaited: the next attempt waits for its turn behind this.
      this.#inTurn(async () => {
        for (const { text } of statements) await this.#forget(text, limit)
      }).catch(() => {})
      throw error
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  /**
   * Commits a read-only transaction together with the next statement, so that nobody waits for the commit.
   * Without a next statement it is committed on its own.
   */
  endRead(generation: number | undefined): void {
    this.#last = this.#last.then(() => {
      if (generation !== this.#database.generation || generation !== this.#generation) return
      this.#before.push(commit)
      this.#isInTransaction = false
      setImmediate(() => {
        this.#last = this.#last.then(() => this.#endWaiting()).catch(() => {})
      })
    })
  }

  async #endWaiting(): Promise<void> {
    if (this.#before.length > 0 && this.#generation === this.#database.generation)
      await this.#send(ownLimit)
  }

  async #startGeneration(limit: number): Promise<void> {
    this.#generation = this.#database.generation
    this.#prepared.clear()
    this.#before.length = 0
    this.#isInTransaction = false
    this.#isChanging = false
    this.#plansUntil = performance.now() + planLifetime
    const { rows } = await this.#runAlone(listTypes, [], limit)
    await this.#forget(listTypes, limit)
    this.#types.addLists(rows as { element: number; list: number }[])
  }

  async #runAlone(text: string, values: readonly unknown[], limit: number): Promise<Outcome> {
    await this.#renewPlans(limit)
    if (!keepsSchema.test(text)) {
      for (const known of [...this.#prepared.keys()]) await this.#forget(known, limit)
      this.#isChanging = true
    }
    try {
      const statement = this.#prepared.get(text) ?? (await this.#prepare(text, limit))
      const call = this.#call(statement, values)
      const answers = await this.#send(limit, ...call, protocol.serialize.sync())
      return this.#read(answers, statement.columns)
    } catch (error) {
      // The prepared statement itself may be the cause: drop it, so that the next attempt can succeed.
      await this.#forget(text, limit).catch(() => {})
      throw error
    } finally {
      this.#isChanging &&= this.#isInTransaction
    }
  }

  async #sendAll(statements: readonly Statement[], limit: number) {
    const parts = [begin]
    let last: Prepared | undefined
    for (const { text, values } of statements) {
      last = this.#prepared.get(text) ?? (await this.#prepare(text, limit))
      parts.push(...this.#call(last, values))
    }
    // After a failure PostgreSQL skips everything up to the sync, and the commit rolls back.
    const answers = this.#send(limit, ...parts, protocol.serialize.sync(), commit)
    // The caller awaits the answers later; a failure before that must not count as an unhandled rejection.
    answers.catch(() => {})
    return { answers, columns: last?.columns ?? [] }
  }

  /** Only between transactions: a failed transaction accepts no statement. */
  async #renewPlans(limit: number): Promise<void> {
    if (performance.now() < this.#plansUntil || this.#isInTransaction) return
    this.#plansUntil = performance.now() + planLifetime
    await this.#send(limit, protocol.serialize.query('discard plans'))
  }

  async #prepare(text: string, limit: number): Promise<Prepared> {
    const isKept = !this.#isChanging && keepsSchema.test(text)
    this.#count += 1
    const name = isKept ? `s${this.#count}` : ''
    const answers = await this.#send(
      limit,
      protocol.serialize.parse({ name, text }),
      protocol.serialize.describe({ type: 'S', name }),
      protocol.serialize.sync(),
    )
    const statement: Prepared = { name, parameterTypes: [], columns: [] }
    for (const answer of answers) {
      if (answer instanceof messages.ParameterDescriptionMessage) {
        statement.parameterTypes = answer.dataTypeIDs
      } else if (answer instanceof messages.RowDescriptionMessage) {
        statement.columns = answer.fields.map((field) => ({
          name: field.name,
          type: field.dataTypeID,
        }))
      }
    }
    if (isKept) {
      const [oldest] = this.#prepared.keys()
      if (oldest !== undefined && this.#prepared.size >= mostPrepared)
        await this.#forget(oldest, limit)
      this.#prepared.set(text, statement)
    }
    return statement
  }

  async #forget(text: string, limit: number): Promise<void> {
    const statement = this.#prepared.get(text)
    if (!statement) return
    this.#prepared.delete(text)
    await this.#send(
      limit,
      protocol.serialize.close({ type: 'S', name: statement.name }),
      protocol.serialize.sync(),
    )
  }

  #call(statement: Prepared, values: readonly unknown[]): Uint8Array[] {
    const written = this.#written(statement, values)
    return [
      protocol.serialize.bind({ statement: statement.name, values: written }),
      protocol.serialize.execute(),
    ]
  }

  #written({ parameterTypes }: Prepared, values: readonly unknown[]): (string | null)[] {
    return values.map((value, place) => {
      if (value === null || value === undefined) return null
      const write = this.#types.serializers[parameterTypes[place] ?? 0]
      return write ? write(value) : String(value)
    })
  }

  /** The result of the last statement, which may stand between a begin and a commit. */
  #read(answers: Answer[], columns: Prepared['columns']): Outcome {
    const { parsers } = this.#types
    const outcome: Outcome = { rows: [], affectedRows: 0 }
    const bound = answers.findLastIndex(({ name }) => name === 'bindComplete')
    for (const answer of answers.slice(bound)) {
      if (answer instanceof messages.DataRowMessage) {
        const { fields } = answer
        const row = columns.map(({ name, type }, place) => {
          const value = fields[place] ?? null
          const parse = parsers[type]
          return [name, value === null || !parse ? value : parse(value, type)]
        })
        outcome.rows.push(Object.fromEntries(row))
      } else if (answer instanceof messages.CommandCompleteMessage) {
        const [, count] = /^(?:INSERT 0|UPDATE|DELETE|MERGE) (\d+)$/.exec(answer.text) ?? []
        outcome.affectedRows = Number(count ?? 0)
        return outcome
      }
    }
    return outcome
  }

  /** Throws the first failure after all answers have arrived. */
  async #send(limit: number, ...parts: Uint8Array[]): Promise<Answer[]> {
    const bytes = await this.#database.run(Buffer.concat([...this.#before.splice(0), ...parts]), {
      generation: this.#generation,
      limit,
    })
    const answers: Answer[] = []
    new protocol.Parser().parse(bytes, (answer) => answers.push(answer))
    const ready = answers.findLast((answer) => answer instanceof messages.ReadyForQueryMessage)
    if (ready) this.#isInTransaction = ready.status !== 'I'
    const failure = answers.find((answer) => answer instanceof messages.DatabaseError)
    if (failure) throw failure
    return answers
  }
}
