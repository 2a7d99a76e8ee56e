import { App, type Connection } from '@supabase/lite'
import { sql } from 'kysely'
import type { CalendarEvents } from '../calendar-file.ts'
import { describeError, logProblem } from '../log.ts'
import { createAuthMailer, validSeconds } from '../mail/auth-mailer.ts'
import { keepLetters } from '../mail/kept-letters.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import type { Settings } from '../settings.ts'
import { mendConfirmations } from './confirmations.ts'
import { EmbeddedConnection } from './connections.ts'
import { answerFunctionCalls } from './function-calls.ts'
import type { Keys } from './keys.ts'
import { askInItsWords } from './library-requests.ts'
import {
  askMended,
  mendDeletedAccount,
  mendDoubleSignUp,
  mendPasswordChange,
  mendReusedToken,
  mendSessions,
} from './menders.ts'
import {
  applyMigrations,
  type CopiesForUpdate,
  copyBeforeUpdate,
  migrationsFolder,
  planMigrations,
} from './migrations.ts'
import { answerPlainReads } from './plain-reads.ts'
import { DatabaseAway, isUnreachable, publicAnswer, unreachable } from './public-error.ts'
import { guardUnfinishedWork } from './request-context.ts'
import { withFailure } from './request-failures.ts'
import { ensureRoles } from './roles.ts'
import { WorkInParts } from './work-in-parts.ts'

/** Accounts and data behind Supabase's protocol, in this process. */
export type Backend = {
  /** What the browser sends with every request; it opens nothing by itself. */
  publicKey: string
  /** Answers `/auth/v1` and `/rest/v1`. */
  fetch(request: Request, peerAddress: string | null): Promise<Response>
  /** What the calendar of this token shows, or null when there is no such calendar. Throws {@link DatabaseAway}. */
  calendarEvents(token: string): Promise<CalendarEvents | null>
  /** True when the database answers. */
  isHealthy(): Promise<boolean>
  close(): Promise<void>
}

type Parts = {
  connection: Connection
  keys: Keys
  settings: Pick<Settings, 'publicUrl' | 'confirmEmail'>
  mailbox: Omit<Mailbox, 'close'>
  copies?: CopiesForUpdate
}

/** For a database that is made to be thrown away. */
const noCopies: CopiesForUpdate = { before: async () => null, newest: async () => null }

const healthTimeout = 3000
const day = 86_400_000

/** Brings the schema of an open database up to date and puts the protocol in front of it. */
export async function startBackend({
  connection,
  keys,
  settings,
  mailbox,
  copies = noCopies,
}: Parts): Promise<Backend> {
  const app = new App({
    connection,
    api: { schemas: ['public'], max_rows: 1000 },
    auth: {
      enabled: true,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
      site_url: settings.publicUrl,
      minimum_password_length: 6,
      email: {
        enable_confirmations: settings.confirmEmail,
        // The token of a mailed link is a hash of the address and this code. Nobody types the code,
        // so it is long enough not to be guessed.
        otp_length: 32,
        otp_expiry: validSeconds,
        // Whoever changes the address has typed the password again; what is to be proved is that mail
        // arrives at the new one. The library would else ask at the old one only.
        double_confirm_changes: false,
      },
    },
    storage: { enabled: false },
    options: {
      drivers: { email: mailbox },
      server: { disableStudio: true, disableFallback: true, admin: false },
    },
  })
  const plan = await planMigrations(connection, migrationsFolder, copies)
  const wayBack = await copyBeforeUpdate(connection, plan, copies)
  await app.ensureSystemSchema()
  await ensureRoles(connection)
  await applyMigrations(connection, plan, wayBack)
  const work = connection instanceof EmbeddedConnection ? new WorkInParts(connection, keys) : null
  if (work) {
    guardUnfinishedWork(connection.kysely)
    await work.takeBackUnfinished()
  }
  await eraseExpired(connection)
  const letters = mailbox.mayBeAway ? keepLetters(connection, mailbox.send) : null
  const mailer = createAuthMailer({
    siteUrl: settings.publicUrl,
    send: letters?.send ?? mailbox.send,
  })
  const menders = [
    mendDoubleSignUp,
    mendPasswordChange(connection),
    mendReusedToken(connection),
    mendSessions(connection),
    mendDeletedAccount(mailbox),
    ...(settings.confirmEmail ? [mendConfirmations(connection, mailer)] : []),
  ]
  app._mailer = mailer
  const cleaning = setInterval(() => {
    // What cannot be erased now is erased with the next change, or the next time.
    eraseExpired(connection).catch((error: unknown) => {
      logProblem(`What has expired could not be erased: ${describeError(error)}`)
    })
  }, day).unref()

  return {
    publicKey: keys.publishableKey,
    async fetch(request, peerAddress) {
      const askLibrary = askInItsWords(connection, (asked) => app.fetch(asked, { peerAddress }))
      const askShort = answerFunctionCalls(
        connection,
        keys,
        answerPlainReads(connection, keys, askLibrary),
      )
      const ask = work ? work.answer(askShort) : askShort
      const { result: response, failure } = await withFailure(() =>
        askMended(ask, menders, request).catch((error: unknown) => {
          const answer = publicAnswer(connection.normalizeDbError(error))
          if (!answer) throw error
          return answer
        }),
      )
      if (response.status !== 500) return withoutInternals(response)
      const refusal = publicAnswer(connection.normalizeDbError(failure))
      if (refusal && refusal.status > 500) return refusal
      const isAway = isRefresh(request) || !(await answersInTime(connection))
      return isAway ? answerAway() : withoutInternals(response)
    },
    calendarEvents: (token) =>
      readCalendar(connection, token, work).catch(async (error: unknown) => {
        const isAway = isUnreachable(error) || !(await answersInTime(connection))
        throw isAway ? new DatabaseAway() : error
      }),
    isHealthy: () => answersInTime(connection),
    async close() {
      clearInterval(cleaning)
      await letters?.close()
      await work?.close()
      await connection.close()
    },
  }
}

/** In steps, as the function goes; what a long pause has left behind is gone before the first request. */
async function eraseExpired(connection: Connection): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ erased: number }>`
      select private.erase_expired() as erased`.execute(connection.kysely)
    if (!rows[0]?.erased) return
  }
}

/** As the one role that may: whoever asks has no session, only the token. */
async function readCalendar(
  connection: Connection,
  token: string,
  work: WorkInParts | null,
): Promise<CalendarEvents | null> {
  const read = () =>
    connection.withContext({ auth: { role: 'service_role' } }, async (db) => {
      const { rows } = await sql<{ events: CalendarEvents | null }>`
        select public.calendar_events(${token}) as events`.execute(db)
      return { events: rows[0]?.events ?? null, unfinished: await work?.unfinishedOf(token, db) }
    })
  const first = await read()
  if (!work || !first.unfinished) return first.events
  // Half of an import, for instance, is nobody's calendar.
  await work.settled(first.unfinished)
  const second = await read()
  if (second.unfinished) throw new DatabaseAway()
  return second.events
}

function answersInTime(connection: Connection): Promise<boolean> {
  const answer = sql`select 1`.execute(connection.kysely).then(
    () => true,
    () => false,
  )
  const tooLate = new Promise<boolean>((resolve) => {
    setTimeout(resolve, healthTimeout, false).unref()
  })
  return Promise.race([answer, tooLate])
}

/** A browser that is told 500 here takes its session for spent and signs the user out; 503 lets it ask again. */
function isRefresh(request: Request): boolean {
  return new URL(request.url).search.includes('grant_type=refresh_token')
}

/** For a database that is away; of many ways in which it can be, the library answers 500. */
function answerAway(): Response {
  const { status, message } = unreachable
  return Response.json({ code: '57P03', error_code: '57P03', message, msg: message }, { status })
}

/** A failure that nobody foresaw, or a hint for developers, says nothing of the inside. */
function withoutInternals(response: Response): Response {
  const message =
    response.status === 500
      ? 'Something went wrong on the server. Nothing was saved; try again.'
      : response.status === 300
        ? 'The request can be read in more than one way.'
        : null
  if (message === null) return response
  const code = response.status === 500 ? 'XX000' : 'PGRST201'
  // Both shapes: what /rest/v1 and what /auth/v1 answer with.
  return Response.json(
    { code, message, msg: message, details: null, hint: null },
    { status: response.status },
  )
}
