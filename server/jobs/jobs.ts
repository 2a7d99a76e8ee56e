import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import type { RequestConnection } from '../backend/connections.ts'
import { withShare } from '../backend/request-share.ts'
import { describeError, logProblem } from '../log.ts'

/** A job that this process has claimed. */
type Job = {
  kind: string
  key: string
  /** The account that it is for; the job goes with it. */
  account: string | null
  payload: unknown
  /** Counts from 1. Also counts a process that died over it. */
  tries: number
}

/** Does the jobs of one kind. */
export type JobHandler = {
  /**
   * Does the job; it may be done twice where a process dies at the wrong moment. When it resolves, the job is done and
   * gone, or due again in `againIn` seconds. It may take as long as it likes, because its claim is renewed. The signal
   * is aborted when the server stops, and when the job was cancelled or another process took it over: then it must
   * stop soon, and throw if the job is not done (`signal.throwIfAborted()`), which counts as no try.
   */
  work(job: Job, signal: AbortSignal): Promise<{ againIn: number } | undefined>
  /** After so many tries that failed, in how many seconds it is tried again; null gives it up. */
  pause(tries: number, error: unknown): number | null
  /** How many this process does at once; 1 if not said. */
  atOnce?: number
}

/** What can be said of a job that is planned; the meaning of each is that of `private.plan_job`. */
type Plan = {
  key?: string
  account?: string
  payload?: object
  /** In seconds from now. */
  dueIn?: number
  lane?: string
}

export type Jobs = {
  plan(kind: string, plan?: Plan): Promise<void>
  /** Does all that is due, and waits for it. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** `lease` in seconds: after it, others take over the jobs of a process that died. The rest in milliseconds. */
export type Pace = { lease: number; sleep: number; afterFailure: number; stopping: number }

/** `sleep`: the longest time without a look. `stopping`: how long a stop waits for the work of handlers. */
const usualPace: Pace = { lease: 60, sleep: 60_000, afterFailure: 10_000, stopping: 5000 }

type Claimed = Job & { claim: string }
type Running = { job: Claimed; controller: AbortController; done: Promise<void> }

/** How long one statement of a job may take, in milliseconds. */
const statementLimit = 60_000

/** Growing pauses: doubled from the first to the longest, in seconds, and without an end. */
export function doubled(first: number, longest: number): (tries: number) => number {
  return (tries) => Math.min(first * 2 ** (tries - 1), longest)
}

/**
 * All scheduled work of the server. A job has a kind, which names its handler here, and a key; it is planned by `plan`,
 * or in SQL by `private.plan_job(kind, key, account, payload, due_at, lane)` in the transaction that makes it necessary.
 * `private.cancel_job(kind, key)` drops it; to move it to a later time, cancel it and plan it again. Several processes
 * may run this on one database: one claims a job and renews the claim while it works; if it dies, another takes over
 * after the lease.
 *
 * Looks for work when a job is announced, when the next one is due, and once a minute. A kind without a handler waits.
 */
export function startJobs(
  connection: RequestConnection,
  handlers: Record<string, JobHandler>,
  pace: Partial<Pace> = {},
): Jobs {
  const { lease, sleep, afterFailure, stopping } = { ...usualPace, ...pace }
  const db = connection.kysely
  // Run outside of a request's async context, which marks its transaction.
  const outside = AsyncLocalStorage.snapshot()
  const running = new Set<Running>()
  let isAsked = false
  let isStopped = false
  let round: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  function look(): Promise<void> {
    isAsked = true
    round ??= outside(claimDue)
    return round
  }

  async function claimDue(): Promise<void> {
    clearTimeout(timer)
    let wait = afterFailure
    try {
      while (isAsked && !isStopped) {
        isAsked = false
        for (let job = await claim(); job; job = isStopped ? null : await claim()) begin(job)
        const next = isStopped ? null : await nextIn()
        // Never at once: a due job that was not claimed is locked by the transaction that plans it, whose end announces it.
        wait = Math.min(next === null ? sleep : Math.max(next, 0.25) * 1000, sleep)
      }
    } catch (error) {
      if (!isStopped) logProblem(`Jobs could not be looked for: ${describeError(error)}`)
    } finally {
      round = null
      if (!isStopped) timer = setTimeout(() => void look(), wait).unref()
    }
  }

  /** The kinds of which this process may do one more. */
  function freeKinds(): string[] {
    return Object.entries(handlers)
      .filter(([kind, { atOnce = 1 }]) => {
        const count = [...running].filter(({ job }) => job.kind === kind).length
        return count < atOnce
      })
      .map(([kind]) => kind)
  }

  async function claim(): Promise<Claimed | null> {
    const kinds = freeKinds()
    if (kinds.length === 0) return null
    const { rows } = await sql<Claimed>`
      select kind, key, user_id as account, payload, tries, claim
      from private.claim_job(${kinds}::text[], ${lease}::integer)`.execute(db)
    return rows[0] ?? null
  }

  async function nextIn(): Promise<number | null> {
    const kinds = freeKinds()
    const { rows } = await sql<{ seconds: number | null }>`
      select private.next_job_in(${kinds}::text[]) as seconds`.execute(db)
    return rows[0]?.seconds ?? null
  }

  function begin(job: Claimed): void {
    const controller = new AbortController()
    const { kind, key, claim } = job
    const renewing = setInterval(async () => {
      try {
        const { rows } = await sql<{ holds: boolean }>`
          select private.renew_job(${kind}, ${key}, ${claim}, ${lease}::integer) as holds`.execute(
          db,
        )
        if (!rows[0]?.holds) controller.abort()
      } catch {
        // The database is away; the next renewal may still be in time.
      }
    }, lease * 333).unref()
    const done = perform(job, controller.signal)
      // The claim runs out, and the job is done again.
      .catch((error: unknown) => {
        if (!isStopped) logProblem(`The end of a job was not noted: ${describeError(error)}`)
      })
      .finally(() => {
        clearInterval(renewing)
        running.delete(entry)
        if (!isStopped) void look()
      })
    const entry: Running = { job, controller, done }
    running.add(entry)
  }

  async function perform(job: Claimed, signal: AbortSignal): Promise<void> {
    const { kind, key, claim, account } = job
    const handler = handlers[kind]
    if (!handler) return
    try {
      const share = account ? { who: account, limit: statementLimit } : null
      const work = () => handler.work(job, signal)
      const result = await (share ? withShare(share, work) : work())
      const again = result?.againIn ?? null
      await sql`select private.end_job(${kind}, ${key}, ${claim}, ${again}::float8)`.execute(db)
    } catch (error) {
      if (signal.aborted) return release(job)
      const again = handler.pause(job.tries, error)
      const name = describeError(error)
      if (again === null) logProblem(`A job was given up (${kind}): ${name}`)
      await sql`select private.fail_job(${kind}, ${key}, ${claim}, ${name}, ${again}::float8)`.execute(
        db,
      )
    }
  }

  async function release({ kind, key, claim }: Claimed): Promise<void> {
    await sql`select private.release_job(${kind}, ${key}, ${claim})`.execute(db)
  }

  const stopHearing = connection.hear({
    onNotice: ({ channel, payload }) => {
      if (channel === 'solo_jobs' && payload in handlers) void look()
    },
    onGap: () => void look(),
  })
  void look()

  return {
    async plan(kind, { key, account, payload = {}, dueIn = 0, lane } = {}) {
      await sql`select private.plan_job(${kind}, ${key ?? null}::text, ${account ?? null}::uuid,
        ${JSON.stringify(payload)}::jsonb, now() + make_interval(secs => ${dueIn}::float8), ${lane ?? null}::text)`.execute(
        db,
      )
    },
    async settle() {
      do {
        await look()
        await Promise.all([...running].map(({ done }) => done))
      } while (running.size > 0 || round !== null)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await stopHearing()
      await round
      const left = [...running]
      for (const { controller } of left) controller.abort()
      const tooLong = new Promise<void>((resolve) => void setTimeout(resolve, stopping).unref())
      // Whoever still works then keeps the claim: another process must not do the same at the same time.
      await Promise.race([Promise.all(left.map(({ done }) => done)), tooLong])
    },
  }
}
