import { messages, protocol } from '@electric-sql/pglite'
import { currentShare } from '../request-share.ts'
import { DatabaseRestarted, type DatabaseThread } from './thread.ts'
import { EmbeddedTypes } from './types.ts'

type Answer = Parameters<Parameters<protocol.Parser['parse']>[1]>[0]

type Prepared = {
  /** Empty for one that is used once. */
  name: string
  parameterTypes: number[]
  columns: { name: string; type: number }[]
}

export type Statement = { text: string; values: readonly unknown[] }
type Outcome = { rows: Record<string, unknown>[]; affectedRows: number }
/** With the thread that it was asked of. */
type ThreadOutcome = Outcome & { generation: number }

/** More than the product asks; what a client makes up by itself must not fill the memory. */
const mostPrepared = 200

/**
 * In milliseconds. A plan suits tables as large as they were when it was made: one for a dozen contacts reads
 * the whole table, and must not outlive the import of a hundred thousand. Statements have plans, and so have
 * those within functions.
 */
const planLifetime = 10_000

const listTypes =
  'select oid::int as element, typarray::int as list from pg_type where typarray <> 0'

const begin = protocol.serialize.query('begin')
const commit = protocol.serialize.query('commit')
/** In milliseconds, for what nobody asked for. */
const ownLimit = 10_000

/** What leaves every prepared statement as good as it was. */
const keepsSchema = /^\s*(select|insert|update|delete|with|begin|commit|rollback)\b/i

/**
 * Statements on the embedded database, each prepared once and then one call into it. The driver's own
 * `query` makes six calls, plans anew and copies its table of types each time: about ten times as long
 * for a small statement.
 */
export class EmbeddedStatements {
  readonly #database: DatabaseThread
  readonly #types = new EmbeddedTypes()
  readonly #prepared = new Map<string, Prepared>()
  /** The end of what was asked before. */
  #last: Promise<unknown> = Promise.resolve()
  /** The thread in which everything was prepared; another one knows nothing of it. */
  #generation = 0
  #count = 0
  #isInTransaction = false
  /** The end of a transaction that has only read, and the beginning of the next: sent with what comes next. */
  readonly #before: Uint8Array[] = []
  /** Whether the open transaction has changed the schema: until its end nothing is worth keeping. */
  #isChanging = false
  /** When everything is to be planned anew, on the process's clock. */
  #plansUntil = 0

  constructor(database: DatabaseThread) {
    this.#database = database
  }

  /**
   * @param generation the thread in which a transaction was begun: it cannot go on in another one
   * @param isFirst whether it begins a transaction, which is told in the same call
   */
  run(
    text: string,
    values: readonly unknown[],
    { generation, isFirst = false }: { generation?: number | undefined; isFirst?: boolean } = {},
  ): Promise<ThreadOutcome> {
    const { limit } = currentShare()
    const told = this.#last.then(async () => {
      await this.#database.ready()
      if (generation !== undefined && generation !== this.#database.generation) throw new DatabaseRestarted()
      if (this.#generation !== this.#database.generation) await this.#startGeneration(limit)
      if (isFirst) {
        await this.#renewPlans(limit)
        this.#before.push(begin)
      }
      return { ...(await this.#runAlone(text, values, limit)), generation: this.#generation }
    })
    this.#last = told.catch(() => {})
    return told
  }

  /** A transaction in one call: each statement, or none at all. Gives what the last one gave. */
  runTogether(statements: readonly Statement[]): Promise<Outcome> {
    const { limit } = currentShare()
    const told = this.#last.then(async () => {
      await this.#database.ready()
      if (this.#generation !== this.#database.generation) await this.#startGeneration(limit)
      await this.#renewPlans(limit)
      return this.#runAllAlone(statements, limit)
    })
    this.#last = told.catch(() => {})
    return told
  }

  /**
   * Ends a transaction that has only read, with whatever is asked next: nobody waits for an end that changes
   * nothing. If nothing is asked, it is ended by itself.
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
    if (this.#before.length > 0 && this.#generation === this.#database.generation) await this.#send(ownLimit)
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
      // It may have failed because of what was prepared; then the next attempt must not.
      await this.#forget(text, limit).catch(() => {})
      throw error
    } finally {
      this.#isChanging &&= this.#isInTransaction
    }
  }

  async #runAllAlone(statements: readonly Statement[], limit: number): Promise<Outcome> {
    try {
      const parts = [begin]
      let last: Prepared | undefined
      for (const { text, values } of statements) {
        last = this.#prepared.get(text) ?? (await this.#prepare(text, limit))
        parts.push(...this.#call(last, values))
      }
      // After a failure everything up to the synchronisation is passed over, and the commit rolls back.
      const answers = await this.#send(limit, ...parts, protocol.serialize.sync(), commit)
      return this.#read(answers, last?.columns ?? [])
    } catch (error) {
      if (this.#isInTransaction && this.#generation === this.#database.generation) {
        await this.#send(limit, protocol.serialize.query('rollback'))
      }
      for (const { text } of statements) await this.#forget(text, limit).catch(() => {})
      throw error
    }
  }

  /** Between transactions: one that has failed takes no statement any more. */
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

  /** What the last statement gave; before it a transaction may have been begun, and after it ended. */
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

  /** The first thing that failed is thrown, once everything has been answered. */
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
