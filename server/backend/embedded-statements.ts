import { messages, type PGlite, protocol } from '@electric-sql/pglite'

type Prepared = {
  /** Empty for one that is used once. */
  name: string
  parameterTypes: number[]
  columns: { name: string; type: number }[]
}

type Outcome = { rows: Record<string, unknown>[]; affectedRows: number }

/** More than the product asks; what a client makes up by itself must not fill the memory. */
const mostPrepared = 200

/**
 * In milliseconds. A plan suits tables as large as they were when it was made: one for a dozen contacts reads
 * the whole table, and must not outlive the import of a hundred thousand. Statements have plans, and so have
 * those within functions.
 */
const planLifetime = 10_000

/** What leaves every prepared statement as good as it was. */
const keepsSchema = /^\s*(select|insert|update|delete|with|begin|commit|rollback)\b/i

/**
 * Statements on the embedded database, each prepared once and then one call into it. The driver's own
 * `query` makes six calls, plans anew and copies its table of types each time: about ten times as long
 * for a small statement.
 */
export class EmbeddedStatements {
  readonly #database: PGlite
  readonly #prepared = new Map<string, Prepared>()
  #count = 0
  /** Whether the open transaction has changed the schema: until its end nothing is worth keeping. */
  #isChanging = false
  /** When everything is to be planned anew, on the process's clock. */
  #plansUntil = performance.now() + planLifetime

  constructor(database: PGlite) {
    this.#database = database
  }

  async run(text: string, values: readonly unknown[]): Promise<Outcome> {
    await this.#database.waitReady
    return this.#database.runExclusive(() => this.#runAlone(text, values))
  }

  async #runAlone(text: string, values: readonly unknown[]): Promise<Outcome> {
    if (this.#database.closed) throw new Error('The database is closed.')
    await this.#renewPlans()
    if (!keepsSchema.test(text)) {
      for (const known of [...this.#prepared.keys()]) await this.#forget(known)
      this.#isChanging = true
    }
    try {
      const statement = this.#prepared.get(text) ?? (await this.#prepare(text))
      const { name, columns } = statement
      const answers = await this.#send(
        protocol.serialize.bind({ statement: name, values: this.#written(statement, values) }),
        protocol.serialize.execute(),
        protocol.serialize.sync(),
      )
      return this.#read(answers, columns)
    } catch (error) {
      // It may have failed because of what was prepared; then the next attempt must not.
      await this.#forget(text)
      throw error
    } finally {
      this.#isChanging &&= this.#database.isInTransaction()
    }
  }

  /** Between transactions: one that has failed takes no statement any more. */
  async #renewPlans(): Promise<void> {
    if (performance.now() < this.#plansUntil || this.#database.isInTransaction()) return
    this.#plansUntil = performance.now() + planLifetime
    await this.#send(protocol.serialize.query('discard plans'))
  }

  async #prepare(text: string): Promise<Prepared> {
    const isKept = !this.#isChanging && keepsSchema.test(text)
    this.#count += 1
    const name = isKept ? `s${this.#count}` : ''
    const answers = await this.#send(
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
      if (oldest !== undefined && this.#prepared.size >= mostPrepared) await this.#forget(oldest)
      this.#prepared.set(text, statement)
    }
    return statement
  }

  async #forget(text: string): Promise<void> {
    const statement = this.#prepared.get(text)
    if (!statement) return
    this.#prepared.delete(text)
    await this.#send(
      protocol.serialize.close({ type: 'S', name: statement.name }),
      protocol.serialize.sync(),
    )
  }

  #written({ parameterTypes }: Prepared, values: readonly unknown[]): (string | null)[] {
    return values.map((value, place) => {
      if (value === null || value === undefined) return null
      const write = this.#database.serializers[parameterTypes[place] ?? 0]
      return write ? write(value) : String(value)
    })
  }

  #read(answers: Awaited<ReturnType<PGlite['execProtocolStream']>>, columns: Prepared['columns']) {
    const { parsers } = this.#database
    const outcome: Outcome = { rows: [], affectedRows: 0 }
    for (const answer of answers) {
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
      }
    }
    return outcome
  }

  #send(...parts: Uint8Array[]) {
    return this.#database.execProtocolStream(Buffer.concat(parts), { syncToFs: false })
  }
}
