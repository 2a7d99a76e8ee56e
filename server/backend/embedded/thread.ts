import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describeError, logProblem } from '#server/log.ts'
import { AnswerTooLong, mostAnswerBytes } from '../answer-size.ts'
import { DatabaseAway } from '../public-error.ts'

export type ThreadOptions = {
  /** Null for a database in memory. */
  folder: string | null
  /** The channels whose notices it reports. */
  channels: readonly string[]
  /** The longest answer. */
  mostBytes: number
  postgresModule: WebAssembly.Module
  initdbModule: WebAssembly.Module
}

/** A message to the thread, which takes them one after the other. */
export type Order = { kind: 'run'; bytes: Uint8Array } | { kind: 'close' }

/** A notification of PostgreSQL. */
export type Notice = { channel: string; payload: string }

/** Hears notices; and of a gap, after which notices may be missing. */
export type Hearer = { onNotice(notice: Notice): void; onGap(): void }

/** A message from the thread. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'failed'; message: string }
  /** `leakedBytes`: bytes of the stack that the call did not free. */
  | { kind: 'answer'; bytes: Uint8Array; leakedBytes: number }
  | { kind: 'too much'; bytes: number }
  /** What a committed transaction has announced; it answers no order. */
  | { kind: 'notice'; notice: Notice }
  | { kind: 'closed' }

/** The statement reached its time limit, and the thread was ended. */
class StatementTooLong extends Error {
  override name = 'StatementTooLong'
  readonly code = '57014'
}

/** The thread that was asked has ended. */
export class DatabaseRestarted extends DatabaseAway {
  override name = 'DatabaseRestarted'
}

/**
 * The channels of the schema's notices, in the order of private.announce, private.announce_ended_sessions,
 * private.plan_job and private.read_mailbox_soon, which send them.
 */
export const channels = ['solo_changes', 'solo_sessions', 'solo_jobs', 'solo_mail'] as const

/** In milliseconds. After a crash, opening replays everything since the last checkpoint. */
const openingLimit = 120_000
const closingLimit = 15_000

/** Compiled once for all threads of the process, because it takes most of the time of opening a database. */
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

type Asked = { worker: Worker; begin(): void; settle(outcome: Report | Error): void }

/**
 * The embedded database in a thread of its own, so that it never blocks HTTP. PGlite cannot be interrupted: a
 * call over its time limit ends the thread, and the database opens again as after a crash. A thread that ends
 * by itself is replaced in the same way.
 */
export class DatabaseThread {
  readonly #folder: string | null
  #worker: Worker | null = null
  #opening: Promise<void> | null = null
  /** Orders without a report; the thread works on the first. */
  #asked: Asked[] = []
  #isClosed = false
  #generation = 0
  #restarts = 0
  #busySince: Date | null = null
  #leakedBytes = 0
  readonly #hearers = new Set<Hearer>()

  constructor(folder: string | null) {
    this.#folder = folder
  }

  /** Counts the threads: a transaction of one cannot continue in the next. */
  get generation(): number {
    return this.#generation
  }

  get restarts(): number {
    return this.#restarts
  }

  /** Since when it has been running one statement, or opening; null while idle. */
  get busySince(): Date | null {
    return this.#busySince
  }

  /** Bytes of the stack that the last call did not free. */
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

  /** Hears what committed transactions announce, in this thread and in those that replace it. */
  hear(hearer: Hearer): () => void {
    this.#hearers.add(hearer)
    return () => this.#hearers.delete(hearer)
  }

  /** Runs protocol messages, in the thread of this generation only. */
  async run(bytes: Uint8Array, { generation, limit }: { generation: number; limit: number }) {
    if (!this.#worker || generation !== this.#generation) throw new DatabaseRestarted()
    const report = await this.#ask(this.#worker, { kind: 'run', bytes }, limit)
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
    await this.#ask(worker, { kind: 'close' }, closingLimit).catch(() => {})
    this.#worker = null
    await worker.terminate()
  }

  async #open(): Promise<void> {
    compiled ??= compile()
    const workerData: ThreadOptions = {
      folder: this.#folder,
      channels,
      mostBytes: mostAnswerBytes,
      ...(await compiled),
    }
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData })
    worker.on('message', (report: Report) => {
      if (report.kind !== 'notice') return this.#settle(worker, report)
      for (const { onNotice } of this.#hearers) onNotice(report.notice)
    })
    worker.on('error', (error) => this.#lose(worker, `${describeError(error)}.`))
    worker.on('exit', () => this.#lose(worker, 'its thread ended.'))
    const report = await this.#ask(worker, null, openingLimit).catch(() => null)
    if (report?.kind !== 'ready') throw new DatabaseAway('The database cannot be opened.')
    this.#worker = worker
    this.#generation += 1
    // What the thread before has committed last may not have been heard.
    for (const { onGap } of this.#hearers) onGap()
  }

  /**
   * Sends an order; without one, waits for the first report of a new thread. The time limit counts from when the
   * orders before it are done.
   */
  #ask(worker: Worker, order: Order | null, limit: number): Promise<Report> {
    return new Promise<Report>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const asked: Asked = {
        worker,
        begin: () => {
          timer = setTimeout(() => {
            this.#settle(worker, new StatementTooLong('The statement took too long.'))
            this.#lose(worker, `it gave no answer for ${Math.round(limit / 100) / 10} seconds.`)
          }, limit)
          this.#busySince = new Date()
        },
        settle: (outcome) => {
          clearTimeout(timer)
          if (outcome instanceof Error) reject(outcome)
          else resolve(outcome)
        },
      }
      this.#asked.push(asked)
      if (this.#asked[0] === asked) asked.begin()
      // Keep the process alive during a statement; an idle thread must not keep it alive.
      worker.ref()
      if (order) worker.postMessage(order)
    })
  }

  /** Ends the first order, and begins the next. */
  #settle(worker: Worker, outcome: Report | Error): void {
    const [first, next] = this.#asked
    if (first?.worker !== worker) return
    this.#asked.shift()
    this.#busySince = null
    if (next) next.begin()
    else worker.unref()
    first.settle(outcome)
  }

  /** Ends a thread that has exited or hangs, and replaces it if it was in use. */
  #lose(worker: Worker, reason: string): void {
    const wasInUse = worker === this.#worker
    if (wasInUse) this.#worker = null
    const ended = worker.terminate()
    while (this.#asked[0]?.worker === worker) this.#settle(worker, new DatabaseRestarted())
    if (!wasInUse || this.#isClosed) return
    this.#restarts += 1
    this.#busySince = new Date()
    logProblem(`Restart ${this.#restarts} of the embedded database: ${reason}`)
    this.#opening = ended
      .then(() => this.#open())
      .finally(() => {
        this.#opening = null
      })
    // The next request tries again.
    this.#opening.catch(() => logProblem('The embedded database could not be opened.'))
  }
}
