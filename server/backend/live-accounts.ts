import { sql } from 'kysely'
import { z } from 'zod'
import { describeError, logProblem } from '../log.ts'
import type { RequestConnection } from './connections.ts'
import type { Notice } from './embedded/thread.ts'
import type { Keys } from './keys.ts'
import { withShare } from './request-share.ts'
import { sessionClaims } from './session-token.ts'

/** The tables that have changed; null when notices may have been lost: the windows then ask whether anything is new. */
export type News = { tables: string[] | null; batch: string | null; window: string | null }

/** Somebody who follows an account, in one session. */
type Follower = {
  account: string
  session: string
  onNews(news: News): void
  /** The session has ended. */
  onEnd(): void
}

/** A token that may follow its account. */
export type Pass = { account: string; session: string; expires: Date }

/** Tells the windows of each account what has changed, and that their session has ended. */
export type LiveAccounts = {
  /** Null for a token that is not valid, or whose session has ended. Throws while the database is away. */
  admit(token: string): Promise<Pass | null>
  follow(follower: Follower): () => void
  close(): Promise<void>
}

const announcement = z.object({
  account: z.uuid(),
  tables: z.array(z.string()),
  batch: z.nullable(z.string()),
  window: z.nullable(z.string()),
})

const unknown: News = { tables: null, batch: null, window: null }

/** In milliseconds. Between two looks for sessions whose end was not announced. */
const looking = 60_000
const limit = 10_000
/** In milliseconds, after a look that failed; each time twice as long. */
const [firstPause, longestPause] = [1000, 30_000]

export function followAccounts(
  connection: RequestConnection,
  keys: Pick<Keys, 'jwtSecret'>,
  { pause: pauseAtFirst = firstPause } = {},
): LiveAccounts {
  const followers = new Set<Follower>()
  /** The mark of each account's newest change, as it was last asked for. */
  const marks = new Map<string, string>()
  let isLooking = false
  /** Notices may have been lost. A look clears this when it begins, and sets it again when it fails. */
  let isGap = false
  let pause = pauseAtFirst
  let again: ReturnType<typeof setTimeout> | undefined

  function tell(account: string, news: News): void {
    for (const follower of followers) if (follower.account === account) follower.onNews(news)
  }

  function endSession(session: string): void {
    for (const follower of [...followers]) if (follower.session === session) follower.onEnd()
  }

  function onNotice({ channel, payload }: Notice): void {
    if (channel === 'solo_sessions') {
      endSession(payload)
      return
    }
    const read = announcement.safeParse(parsed(payload))
    if (!read.success) return
    const { account, ...news } = read.data
    tell(account, news)
  }

  async function endOver(): Promise<void> {
    const sessions = [...new Set([...followers].map(({ session }) => session))]
    if (sessions.length === 0) return
    const { rows } = await sql<{ id: string }>`
      select id::text as id from auth.sessions where id::text = any (${sessions}::text[])`.execute(
      connection.kysely,
    )
    const alive = new Set(rows.map(({ id }) => id))
    for (const session of sessions) if (!alive.has(session)) endSession(session)
  }

  async function tellNew(): Promise<void> {
    const accounts = [...new Set([...followers].map(({ account }) => account))]
    for (const account of marks.keys()) if (!accounts.includes(account)) marks.delete(account)
    if (accounts.length === 0) return
    const { rows } = await sql<{ account: string; mark: string }>`
      select a.id::text as account, private.newest_change(a.id) as mark
      from unnest(${accounts}::uuid[]) as a (id)`.execute(connection.kysely)
    for (const { account, mark } of rows) {
      if (marks.get(account) !== mark) tell(account, unknown)
      marks.set(account, mark)
    }
  }

  /** One at a time: a slow database must not be asked the same twice. A gap that comes meanwhile is looked at next. */
  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    clearTimeout(again)
    try {
      do await lookOnce()
      while (isGap)
      pause = pauseAtFirst
    } catch (error) {
      logProblem(`What is new could not be read: ${describeError(error)}`)
      if (isGap) again = setTimeout(look, pause).unref()
      pause = Math.min(pause * 2, longestPause)
    } finally {
      isLooking = false
    }
  }

  async function lookOnce(): Promise<void> {
    const isAfterGap = isGap
    isGap = false
    try {
      await withShare({ who: 'live', limit }, async () => {
        await endOver()
        if (isAfterGap) await tellNew()
      })
    } catch (error) {
      isGap ||= isAfterGap
      throw error
    }
  }

  const stopHearing = connection.hear({
    onNotice,
    onGap() {
      isGap = true
      void look()
    },
  })
  const sweeping = setInterval(look, looking).unref()

  return {
    async admit(token) {
      const claims = sessionClaims(token, keys.jwtSecret, new Date())
      if (!claims) return null
      const { sub: account, session_id: session, exp } = claims
      const { rows } = await withShare({ who: account, limit }, () =>
        sql`select from auth.sessions where id::text = ${session} and user_id::text = ${account}`.execute(
          connection.kysely,
        ),
      )
      return rows.length > 0 ? { account, session, expires: new Date(exp * 1000) } : null
    },
    follow(follower) {
      followers.add(follower)
      return () => followers.delete(follower)
    },
    async close() {
      clearInterval(sweeping)
      isGap = false
      clearTimeout(again)
      await stopHearing()
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
