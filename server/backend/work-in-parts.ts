import { setImmediate as others } from 'node:timers/promises'
import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { z } from 'zod'
import { describeError, log, logProblem } from '../log.ts'
import { AccountLock } from './account-lock.ts'
import type { Keys } from './keys.ts'
import { type Answerer, jsonAnswer } from './plain-requests.ts'
import { DatabaseAway, publicAnswer } from './public-error.ts'
import type { AnyDatabase } from './request-context.ts'
import { type SessionClaims, sessionClaims } from './session-token.ts'

/** The functions that run in parts, with their arguments; other arguments are left to the library to refuse. */
const works = {
  commit_import: z.strictObject({ id: z.uuid(), duplicates: z.string().optional() }),
  finish_restore: z.strictObject({ restore: z.uuid() }),
  undo_batch: z.strictObject({ batch: z.uuid(), conflicts: z.string().optional() }),
}
type WorkName = keyof typeof works

type Options = {
  /** The rows of the first part; later parts grow or shrink towards the aim. */
  rows?: number
  /** Keeps all parts as large as the first. */
  isFixed?: boolean
  /** Awaited before each part. */
  beforePart?: () => Promise<void>
}

/** In milliseconds: how long a part should take, while other accounts wait. */
const aim = 100
const pause = 1000
const leastRows = 10
const mostRows = 2000

/**
 * Runs imports, undos and restores on the embedded database in parts, because it has one connection for everybody.
 * Each part is a transaction, and other accounts are served between them. The account itself waits, so nobody sees
 * a half-done result. Work that cannot be finished is taken back; see decision 030.
 */
export class WorkInParts {
  readonly #connection: Connection
  readonly #keys: Pick<Keys, 'publishableKey' | 'jwtSecret'>
  readonly #options: Options
  readonly #lock = new AccountLock()
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(
    connection: Connection,
    keys: Pick<Keys, 'publishableKey' | 'jwtSecret'>,
    options: Options = {},
  ) {
    this.#connection = connection
    this.#keys = keys
    this.#options = options
  }

  /** Answers calls of long work; other requests of the same account wait for it. */
  answer(ask: Answerer): Answerer {
    return async (request) => {
      if (!/^https?:\/\/[^/]+\/rest\/v1\//.test(request.url)) return ask(request)
      const [, token] = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '') ?? []
      const claims = token ? sessionClaims(token, this.#keys.jwtSecret, new Date()) : null
      if (!claims) return ask(request)
      const call = await calledWork(request)
      return call && request.headers.get('apikey') === this.#keys.publishableKey
        ? this.#lock.exclusive(claims.sub, () => this.#do(claims, call, request, ask))
        : this.#lock.shared(claims.sub, () => ask(request))
    }
  }

  /** Resolves when an account has no long work under way. */
  settled(account: string): Promise<void> {
    return this.#lock.shared(account, async () => {})
  }

  /** The account of a calendar, if it has unfinished work. */
  async unfinishedOf(token: string, db: AnyDatabase): Promise<string | null> {
    await resetRole(db)
    const { rows } = await sql<{ user_id: string }>`
      select u.user_id from private.unfinished_work u
      join public.calendar_feeds f on f.user_id = u.user_id where f.token = ${token}`.execute(db)
    return rows[0]?.user_id ?? null
  }

  /** Takes back work that was cut off when the server stopped, in the background. */
  async takeBackUnfinished(): Promise<void> {
    const { rows } = await sql<{ user_id: string }>`
      select user_id from private.unfinished_work`.execute(this.#connection.kysely)
    for (const { user_id: account } of rows) {
      this.#keep(this.#lock.exclusive(account, () => this.#takeBack(account)))
    }
  }

  /** Work under way ends after its part; the next start takes it back. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#underWay)
  }

  async #do(
    claims: SessionClaims,
    { name, body, given }: Call,
    request: Request,
    ask: Answerer,
  ): Promise<Response> {
    const account = claims.sub
    const headers = { 'Content-Range': '0-0/*' }
    try {
      const work = this.#begin(claims, name, given, request)
      this.#keep(work)
      const begun = await work
      if (begun !== null) return jsonAnswer({ body: begun, headers })
    } catch (error) {
      // Nothing was written. Errors without a message of ours are left to the library.
      const refusal = publicAnswer(this.#connection.normalizeDbError(error))
      return refusal ?? ask(new Request(request, { body }))
    }
    const parts = this.#doParts(account)
    this.#keep(parts)
    try {
      return jsonAnswer({ body: await parts, headers })
    } catch (error) {
      const takingBack = this.#takeBack(account)
      this.#keep(takingBack)
      await takingBack
      return this.#refusal(error)
    }
  }

  /** The answer where there is nothing to do. */
  #begin(claims: SessionClaims, name: WorkName, given: object, { headers }: Request) {
    const auth = { uid: claims.sub, role: claims.role, jwt: claims }
    const rpc = {
      method: 'POST',
      path: `/rpc/${name}`,
      readOnly: false,
      requestHeaders: Object.fromEntries(headers),
    }
    const { rows = 100 } = this.#options
    const begin = async (db: AnyDatabase) => {
      await resetRole(db)
      const { rows: found } = await sql<{ answer: string | null }>`
        select private.begin_work(
          ${name}, ${JSON.stringify(given)}::jsonb, ${rows}::integer
        )::text as answer`.execute(db)
      return found[0]?.answer ?? null
    }
    return this.#connection.withContext({ auth }, begin, { rpc })
  }

  async #doParts(account: string): Promise<string> {
    const { isFixed = false, beforePart } = this.#options
    let { rows: size = 100 } = this.#options
    for (;;) {
      await beforePart?.()
      // Let the process accept new requests: the database may answer without yielding.
      await others()
      if (this.#isClosed) throw new DatabaseAway()
      const { value, took } = await this.#inTurn<string>(
        account,
        sql`select private.work_part(${size}::integer)::text as value`,
      )
      if (value !== null) return value
      if (isFixed) continue
      // Change the size by a factor of two at most: a part may be slow for another reason.
      const change = Math.min(Math.max(aim / took, 0.5), 2)
      size = Math.min(Math.max(Math.round(size * change), leastRows), mostRows)
    }
  }

  /** Retries in the background while the database cannot be reached; until then the account has to wait. */
  async #takeBack(account: string): Promise<void> {
    let lines = 0
    try {
      for (;;) {
        await others()
        if (this.#isClosed) return
        const { value } = await this.#inTurn<number>(
          account,
          sql`select private.take_back_part(${account}::uuid) as value`,
        )
        if (value === null) break
        lines += value
      }
      log(`Work that could not be finished was taken back: ${lines} changes.`)
    } catch (error) {
      logProblem(`Unfinished work could not be taken back yet: ${describeError(error)}`)
      setTimeout(() => {
        if (this.#isClosed) return
        this.#keep(this.#lock.exclusive(account, () => this.#takeBack(account)))
      }, pause).unref()
    }
  }

  /** Runs one statement for the account with the rights of the connection; its token has been checked. */
  #inTurn<T>(account: string, statement: ReturnType<typeof sql>) {
    const auth = { uid: account, role: 'service_role', jwt: { sub: account } }
    return this.#connection.withContext({ auth }, async (db) => {
      const started = performance.now()
      await resetRole(db)
      const { rows } = await statement.execute(db)
      const [row] = rows as { value: T | null }[]
      return { value: row?.value ?? null, took: performance.now() - started }
    })
  }

  #refusal(error: unknown): Response {
    const translated = this.#connection.normalizeDbError(error)
    const answer = publicAnswer(translated)
    if (answer) return answer
    const { code = '', message = '' } = translated as { code?: string; message?: string }
    const [, status] = /^PT([2-5]\d\d)$/.exec(code) ?? []
    return Response.json(
      { code, details: null, hint: null, message },
      { status: Number(status ?? 500) },
    )
  }

  #keep(work: Promise<unknown>): void {
    const kept = work
      .catch(() => {})
      .finally(() => {
        this.#underWay.delete(kept)
      })
    this.#underWay.add(kept)
  }
}

/** Resets the role, because only the server may call functions of the schema "private"; the claims stay set. */
async function resetRole(db: AnyDatabase): Promise<void> {
  await sql`select set_config('role', 'none', true)`.execute(db)
}

type Call = { name: WorkName; given: object; body: string }

/**
 * The long work that a request calls. Headers about the form of the answer are ignored: the library would honour
 * them, but run the work in one statement while everybody waits.
 */
async function calledWork(request: Request): Promise<Call | null> {
  const [, name = ''] = /\/rest\/v1\/rpc\/([a-z_]+)\/?$/.exec(new URL(request.url).pathname) ?? []
  const isPublic = (request.headers.get('content-profile') ?? 'public') === 'public'
  if (request.method !== 'POST' || !isPublic || !isWork(name)) return null
  const body = await request.clone().text()
  const given = works[name].safeParse(parsed(body))
  return given.success ? { name, given: given.data, body } : null
}

function isWork(name: string): name is WorkName {
  return Object.hasOwn(works, name)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
