import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describeError, logProblem } from '#server/log.ts'
import { DatabaseAway } from '../public-error.ts'

/** What the thread is given when it starts. */
export type ThreadOptions = {
  /** Null for a database in memory. */
  folder: string | null
  /** An answer that is longer is not given. */
  mostBytes: number
  postgresModule: WebAssembly.Module
  initdbModule: WebAssembly.Module
}

/** What the thread is told to do, one at a time. */
export type Order = { kind: 'run'; bytes: Uint8Array } | { kind: 'close' }

/** What the thread tells. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'failed'; message: string }
  /** `leakedBytes`: how many bytes of its stack the database did not give back by itself. */
  | { kind: 'answer'; bytes: Uint8Array; leakedBytes: number }
  | { kind: 'too much'; bytes: number }
  | { kind: 'closed' }

/** The statement ran into its time limit, and the thread was ended with it. */
class StatementTooLong extends Error {
  override name = 'StatementTooLong'
  readonly code = '57014'
}

/** The answer would have been longer than anybody can need. */
class AnswerTooLong extends Error {
  override name = 'AnswerTooLong'
  readonly code = '53400'
}

/** The thread that this was asked of is no more. */
export class DatabaseRestarted extends DatabaseAway {
  override name = 'DatabaseRestarted'
}

const mostBytes = 64 * 2 ** 20
/** In milliseconds. What was written since the last checkpoint is played back when a database opens after a crash. */
const openingLimit = 120_000
const closingLimit = 15_000

/** Compiled once for all threads of the process: it takes longer than everything else in opening a database. */
let compiled: Promise<Pick<ThreadOptions, 'postgresModule' | 'initdbModule'>> | undefined

async function compile() {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  const [postgresModule, initdbModule] = await Promise.all(
    (['pglite.wasm', 'initdb.wasm'] as const).map(async (name) =>
      WebAssembly.compile(await readFile(join(folder, name))),
    ),
  )
  if (!postgresModule || !initdbModule) throw new Error('The embedded database is not installed.')
  return { postgresModule, initdbModule }
}

type Asked = { worker: Worker; settle(outcome: Report | Error): void }

/**
 * The embedded database in a thread of its own, so that whatever it does, requests are heard. It cannot be
 * interrupted: a call that takes longer than it may ends the thread, and the database is opened anew, as after
 * a crash. A thread that ends by itself is replaced in the same way.
 */
export class DatabaseThread {
  readonly #folder: string | null
  #worker: Worker | null = null
  #opening: Promise<void> | null = null
  #asked: Asked | null = null
  /** The end of the order before. */
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false
  #generation = 0
  #restarts = 0
  #busySince: Date | null = null
  #leakedBytes = 0

  constructor(folder: string | null) {
    this.#folder = folder
  }

  /** Counts the threads there were: what was begun in one does not go on in the next. */
  get generation(): number {
    return this.#generation
  }

  get restarts(): number {
    return this.#restarts
  }

  /** Since when it works at the same thing, or opens; null while it has nothing to do. */
  get busySince(): Date | null {
    return this.#busySince
  }

  /** How many bytes of the stack the last call did not give back by itself. */
  get leakedBytes(): number {
    return this.#leakedBytes
  }

  /** Opens the database, unless it is open. */
  ready(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new DatabaseAway('The database is closed.'))
    if (this.#worker) return Promise.resolve()
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null
    })
    return this.#opening
  }

  /** Runs messages of the protocol, in the thread of this life. */
  async run(bytes: Uint8Array, { generation, limit }: { generation: number; limit: number }) {
    const report = await this.#inTurn(() => {
      if (!this.#worker || generation !== this.#generation) throw new DatabaseRestarted()
      return this.#ask(this.#worker, { kind: 'run', bytes }, limit)
    })
    if (report.kind === 'too much') throw new AnswerTooLong()
    if (report.kind !== 'answer') throw new Error(`The database told "${report.kind}".`)
    this.#leakedBytes = report.leakedBytes
    return report.bytes
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {})
    this.#isClosed = true
    const worker = this.#worker
    if (!worker) return
    await this.#inTurn(() => this.#ask(worker, { kind: 'close' }, closingLimit)).catch(() => {})
    this.#worker = null
    await worker.terminate()
  }

  /** The thread hears one order at a time. */
  #inTurn(ask: () => Promise<Report>): Promise<Report> {
    const report = this.#last.then(ask)
    this.#last = report.catch(() => {})
    return report
  }

  async #open(): Promise<void> {
    compiled ??= compile()
    const workerData: ThreadOptions = { folder: this.#folder, mostBytes, ...(await compiled) }
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData })
    worker.on('message', (report: Report) => this.#settle(worker, report))
    worker.on('error', (error) => this.#lose(worker, `${describeError(error)}.`))
    worker.on('exit', () => this.#lose(worker, 'its thread ended.'))
    const report = await this.#ask(worker, null, openingLimit).catch(() => null)
    if (report?.kind !== 'ready') throw new DatabaseAway('The database cannot be opened.')
    this.#worker = worker
    this.#generation += 1
  }

  /** Gives an order, or waits for the first word of a thread that has just begun. */
  #ask(worker: Worker, order: Order | null, limit: number): Promise<Report> {
    return new Promise<Report>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#settle(worker, new StatementTooLong('The statement took too long.'))
        this.#lose(worker, `it gave no answer for ${Math.round(limit / 100) / 10} seconds.`)
      }, limit)
      this.#asked = {
        worker,
        settle: (outcome) => {
          clearTimeout(timer)
          worker.unref()
          if (outcome instanceof Error) reject(outcome)
          else resolve(outcome)
        },
      }
      this.#busySince ??= new Date()
      // No process ends in the middle of a statement; one with nothing else to do ends without asking us.
      worker.ref()
      if (order) worker.postMessage(order)
    })
  }

  #settle(worker: Worker, outcome: Report | Error): void {
    const asked = this.#asked
    if (asked?.worker !== worker) return
    this.#asked = null
    this.#busySince = null
    asked.settle(outcome)
  }

  /** This thread is gone, or hangs. Where it was the one in use, another takes its place at once. */
  #lose(worker: Worker, reason: string): void {
    const wasInUse = worker === this.#worker
    if (wasInUse) this.#worker = null
    const ended = worker.terminate()
    this.#settle(worker, new DatabaseRestarted())
    if (!wasInUse || this.#isClosed) return
    this.#restarts += 1
    this.#busySince = new Date()
    logProblem(`Restart ${this.#restarts} of the embedded database: ${reason}`)
    this.#opening = ended
      .then(() => this.#open())
      .finally(() => {
        this.#opening = null
      })
    // Whoever asks next tries again.
    this.#opening.catch(() => logProblem('The embedded database could not be opened.'))
  }
}
