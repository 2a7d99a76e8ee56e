import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import type { CalendarEvents } from '../calendar-file.ts'
import { limitKey } from '../client-address.ts'
import { startJobs } from '../jobs/jobs.ts'
import { agendaJob } from '../mail/agenda-job.ts'
import { agendaLinks } from '../mail/agenda-link.ts'
import { createAuthMailer } from '../mail/auth-mailer.ts'
import { keepLetters, letterAttempts, letterJob } from '../mail/kept-letters.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import type { MailRule } from '../mailbox/connect.ts'
import { type MailDesk, openMailDesk } from '../mailbox/mail-desk.ts'
import type { MailKey } from '../mailbox/mail-key.ts'
import { resourceOf } from '../oauth/addresses.ts'
import type { Settings } from '../settings.ts'
import { webhookJob } from '../webhooks/webhook-job.ts'
import { refuseAnonymous, tokenCall, tokenCallPath } from './anonymous-requests.ts'
import { answerPause, unavailable, withoutInternals, withRetryAfter } from './answers.ts'
import { calendarReader } from './calendar-reader.ts'
import { cleaningJob, eraseExpired } from './cleaning.ts'
import { fixConfirmations } from './confirmations.ts'
import { EmbeddedConnection, type RequestConnection, ServerConnection } from './connections.ts'
import { answerFunctionCalls } from './function-calls.ts'
import { type Grants, openGrants } from './grants.ts'
import { answersInTime, type Health, healthOf } from './health.ts'
import type { Keys } from './keys.ts'
import { type Leads, openLeads } from './leads.ts'
import { libraryApp } from './library-app.ts'
import { adaptForLibrary } from './library-requests.ts'
import { followAccounts, type LiveAccounts } from './live-accounts.ts'
import {
  applyMigrations,
  type CopiesForUpdate,
  copyBeforeUpdate,
  migrationsFolder,
  planMigrations,
} from './migrations.ts'
import { answerPlainReads } from './plain-reads.ts'
import { type DatabaseAway, publicAnswer } from './public-error.ts'
import { windowOf } from './request-context.ts'
import { withFailure } from './request-failures.ts'
import { withShare } from './request-share.ts'
import {
  askWithFixes,
  fixDeletedAccount,
  fixDoubleSignUp,
  fixPasswordChange,
  fixReusedToken,
  fixSessions,
} from './response-fixes.ts'
import { ensureRoles } from './roles.ts'
import { sessionClaims } from './session-token.ts'
import { type SharedAttempts, shareAttempts } from './shared-attempts.ts'
import { SlowAccounts } from './slow-accounts.ts'
import { limitOf, readStatementLimits } from './statement-limits.ts'
import { tokenAccounts } from './token-accounts.ts'
import { isTokenRefresh } from './token-refresh.ts'
import { WorkInParts } from './work-in-parts.ts'

/** Accounts and data behind Supabase's protocol, in this process. */
export type Backend = {
  /** Sent by the browser with every request; it grants no access by itself. */
  publicKey: string
  /**
   * Answers `/auth/v1` and `/rest/v1`.
   * @param from the address of the client, as the trusted proxies pass it on; the account of its access token
   */
  fetch(
    request: Request,
    peerAddress: string | null,
    from?: { client?: string; account?: string | null },
  ): Promise<Response>
  /** The account in the token of a request. */
  accountOf(request: Request): string | null
  /** The account in which an access token works; null for one that is unknown or has ended. */
  accountOfToken(token: string, client: string): Promise<string | null>
  /** The events of the calendar with this token; null when there is none. Throws {@link DatabaseAway}. */
  calendarEvents(token: string): Promise<CalendarEvents | null>
  /** Forms, and the feed of cards. */
  leads: Leads
  /** The agenda by mail. */
  agenda: {
    /** Whether there is a mail server that sends it. */
    isOffered: boolean
    /** The account whose agenda the link at this path turns off; null when the link is not valid. */
    accountAt(path: string): string | null
    end(account: string): Promise<void>
  }
  /** Accounts for mail; null where nobody reads any. */
  mail: MailDesk | null
  /** What programs are allowed by OAuth. */
  grants: Grants
  /** Counts attempts of all server processes together; null where there is one only. */
  attempts: SharedAttempts | null
  /** Tells the windows of an account what has changed. */
  live: Omit<LiveAccounts, 'close'>
  health(): Promise<Health>
  close(): Promise<void>
}

type Parts = {
  connection: RequestConnection
  keys: Keys
  settings: Pick<Settings, 'publicUrl' | 'confirmEmail'> &
    Partial<Pick<Settings, 'allowPrivateAddresses' | 'files'>>
  mailbox: Omit<Mailbox, 'close'>
  copies?: CopiesForUpdate
  /** Whether the users' own mail is read, and how. */
  mail?: { key: MailKey | null; rule: MailRule }
  /** How long one statement of a request may take, in milliseconds. */
  statementLimit?: number
}

/** For temporary databases. */
const noCopies: CopiesForUpdate = { before: async () => null, newest: async () => null }

/** Brings the schema of an open database up to date and puts the protocol in front of it. */
export async function startBackend({
  connection,
  keys,
  settings,
  mailbox,
  copies = noCopies,
  mail,
  statementLimit = 10_000,
}: Parts): Promise<Backend> {
  const app = libraryApp({ connection, keys, settings, mailbox })
  const plan = await planMigrations(connection, migrationsFolder, copies)
  const wayBack = await copyBeforeUpdate(connection, plan, copies)
  await app.ensureSystemSchema()
  await ensureRoles(connection)
  await applyMigrations(connection, plan, wayBack)
  const work = connection instanceof EmbeddedConnection ? new WorkInParts(connection, keys) : null
  await work?.takeBackUnfinished()
  if (settings.files) await setFileLimits(connection, settings.files)
  await eraseExpired(connection)
  const limits = await readStatementLimits(connection, statementLimit)
  const slowAccounts = new SlowAccounts()
  const attempts = connection instanceof ServerConnection ? await shareAttempts(connection) : null
  const live = followAccounts(connection, keys)
  const desk = mail ? openMailDesk({ connection, ...mail }) : null
  const links = agendaLinks(keys)
  const agendaCall = (name: 'agenda_sent' | 'end_agenda', account: string) =>
    sql`select private.${sql.raw(name)}(${account}::uuid)`.execute(connection.kysely)
  const jobs = startJobs(connection, {
    ...(desk ? { mailbox: desk.job, outbox: desk.outbox } : {}),
    clean: cleaningJob(connection),
    webhook: webhookJob(connection, { allowPrivate: settings.allowPrivateAddresses ?? false }),
    ...(mailbox.mayBeAway
      ? {
          letter: letterJob({
            handOver: mailbox.send,
            attempts: letterAttempts(connection.kysely),
            async onSent(kind, account) {
              if (kind === 'agenda') await agendaCall('agenda_sent', account)
            },
          }),
          agenda: agendaJob({ connection, siteUrl: settings.publicUrl, links }),
        }
      : {}),
  })
  await jobs.plan('clean', { key: 'all' })
  if (mailbox.mayBeAway) await sql`select private.plan_agendas()`.execute(connection.kysely)
  const sendLater = mailbox.mayBeAway ? keepLetters(jobs) : null
  const mailer = createAuthMailer({
    siteUrl: settings.publicUrl,
    send: sendLater ?? mailbox.send,
  })
  const fixes = [
    fixDoubleSignUp,
    fixPasswordChange(connection),
    fixReusedToken(connection),
    fixSessions(connection),
    fixDeletedAccount(mailbox),
    ...(settings.confirmEmail ? [fixConfirmations(connection, mailer)] : []),
  ]
  app._mailer = mailer

  async function answer(request: Request, peerAddress: string | null, who: string) {
    const askLibrary = adaptForLibrary(connection, (asked) => app.fetch(asked, { peerAddress }))
    const askData = answerFunctionCalls(
      connection,
      keys,
      answerPlainReads(connection, keys, askLibrary),
    )
    const ask = refuseAnonymous(keys, work ? work.answer(askData) : askData)
    const { result: response, failure } = await withFailure(() =>
      askWithFixes(ask, fixes, request).catch((error: unknown) => {
        const refusal = publicAnswer(connection.normalizeDbError(error))
        if (!refusal) throw error
        return refusal
      }),
    )
    if (isTooLong(failure)) await slowAccounts.note(who)
    if (response.status !== 500) return withoutInternals(response)
    const refusal = publicAnswer(connection.normalizeDbError(failure))
    if (refusal && refusal.status > 500) return refusal
    // supabase-js ends the session when a token refresh gets 500; after 503 it retries.
    const isAway = isTokenRefresh(request) || !(await answersInTime(connection))
    return isAway ? unavailable() : withoutInternals(response)
  }

  return {
    publicKey: keys.publishableKey,
    accountOf: ({ headers }) => accountOf(headers, keys.jwtSecret),
    accountOfToken: tokenAccounts(connection, limits.usual),
    async fetch(asked, peerAddress, { client = peerAddress ?? 'unknown', account = null } = {}) {
      const isTokenCall = asked.method === 'POST' && new URL(asked.url).pathname === tokenCallPath
      const request = isTokenCall ? tokenCall(asked, client, keys.publishableKey) : asked
      const who = account ?? accountOf(request.headers, keys.jwtSecret) ?? limitKey(client)
      const pause = await slowAccounts.pause(who)
      if (pause > 0) return answerPause(pause)
      const limit = limitOf(limits, new URL(request.url).pathname)
      const response = await withShare({ who, limit, window: windowOf(request.headers) }, () =>
        answer(request, peerAddress, who),
      )
      return response.status === 503 ? withRetryAfter(response) : response
    },
    calendarEvents: calendarReader({ connection, work, limit: limits.usual }),
    leads: openLeads({
      connection,
      keys,
      siteUrl: settings.publicUrl,
      limit: limits.usual,
      hasMailServer: mailbox.mayBeAway,
    }),
    agenda: {
      isOffered: mailbox.mayBeAway,
      accountAt: links.accountAt,
      end: async (account) =>
        void (await withShare({ who: account, limit: limits.usual }, () =>
          agendaCall('end_agenda', account),
        )),
    },
    mail: desk,
    grants: openGrants({
      connection,
      keys,
      resource: resourceOf(settings),
      limit: limits.usual,
    }),
    attempts,
    live,
    health: () => healthOf(connection),
    async close() {
      await desk?.close()
      await jobs.stop()
      await live.close()
      await work?.close()
      await connection.close()
    },
  }
}

function accountOf(headers: Headers, secret: string): string | null {
  const [, token] = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '') ?? []
  return (token && sessionClaims(token, secret, new Date())?.sub) || null
}

function isTooLong(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === '57014'
}

/** The database decides how large files may be, so that it is the same on a hosted project. */
async function setFileLimits({ kysely }: Connection, { each, account }: Settings['files']) {
  const megabyte = 1_048_576
  await sql`update private.file_limits
    set file_bytes = ${each * megabyte}::bigint, account_bytes = ${account * megabyte}::bigint`.execute(
    kysely,
  )
}
