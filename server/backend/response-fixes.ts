import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import type { Mailbox } from '../mail/mailbox.ts'
import { isTokenRefresh } from './token-refresh.ts'

type Exchange = {
  request: Request
  /** The request's body, read before the library took it. */
  body: string
  response: Response
  /** Sends the same request to the library again. */
  again(): Promise<Response>
}

/** Corrects one of the library's answers about accounts, or adds what the library leaves out. */
export type ResponseFix = {
  /** The route is method and path, `POST /auth/v1/signup`. */
  appliesTo(route: string, request: Request): boolean
  apply(exchange: Exchange): Promise<Response>
}

/** Asks the library and applies the fixes for this route to its answer, one after another. */
export async function askWithFixes(
  ask: (request: Request) => Promise<Response>,
  fixes: ResponseFix[],
  request: Request,
): Promise<Response> {
  const route = routeOf(request)
  const applied = fixes.filter((fix) => fix.appliesTo(route, request))
  if (applied.length === 0) return ask(request)
  const body = await request.text()
  const again = () =>
    ask(
      new Request(request.url, {
        method: request.method,
        headers: request.headers,
        ...(request.method === 'GET' ? {} : { body }),
      }),
    )
  let response = await again()
  for (const fix of applied) response = await fix.apply({ request, body, response, again })
  return response
}

function routeOf({ method, url }: Request): string {
  return `${method} ${new URL(url).pathname.replace(/\/+$/, '')}`
}

/**
 * Two sign-ups with one address at the same time: the library checks for the account before either has
 * created it, and the second fails in the database. Asked again, it finds the account and says so.
 */
export const fixDoubleSignUp: ResponseFix = {
  appliesTo: (route) => route === 'POST /auth/v1/signup',
  async apply({ response, again }) {
    return response.status === 500 ? again() : response
  },
}

/**
 * A new password ends all other sessions of the account, because another person may know the old one. The
 * library keeps them.
 */
export function fixPasswordChange(connection: Connection): ResponseFix {
  return {
    appliesTo: (route) => route === 'PUT /auth/v1/user',
    async apply({ request, body, response }) {
      if (!response.ok || !hasPassword(body)) return response
      const { sub, session_id } = claimsOf(request.headers.get('authorization') ?? '')
      await sql`delete from auth.refresh_tokens where user_id::text = ${sub} and session_id::text <> ${session_id}`.execute(
        connection.kysely,
      )
      await sql`delete from auth.sessions where user_id::text = ${sub} and id::text <> ${session_id}`.execute(
        connection.kysely,
      )
      return response
    },
  }
}

/**
 * Stores the browser of each session, so that the user can tell the sessions apart. A hosted project stores it;
 * the library does not.
 */
export function fixSessions(connection: Connection): ResponseFix {
  return {
    appliesTo: (route, request) =>
      route === 'POST /auth/v1/signup' ||
      route === 'POST /auth/v1/verify' ||
      (route === 'POST /auth/v1/token' && !isTokenRefresh(request)),
    async apply({ request, response }) {
      const userAgent = request.headers.get('user-agent')?.slice(0, 500)
      const token = await beginningToken(response)
      if (!userAgent || !token) return response
      const { session_id } = claimsOf(token)
      await sql`update auth.sessions set user_agent = ${userAgent} where id::text = ${session_id}`.execute(
        connection.kysely,
      )
      return response
    },
  }
}

/**
 * A refresh token that is used a second time may be stolen. The library then issues no more tokens for that
 * session; this ends the session, so that tokens already issued are void too.
 */
export function fixReusedToken(connection: Connection): ResponseFix {
  return {
    appliesTo: (route) => route === 'POST /auth/v1/token',
    async apply({ response }) {
      const sessionId = response.headers.get('sb-auth-session-id')
      if (response.status !== 400 || !sessionId) return response
      const answer: unknown = await response.clone().json()
      if (!(answer instanceof Object) || !('error_code' in answer)) return response
      if (answer.error_code === 'refresh_token_already_used') {
        await sql`delete from auth.refresh_tokens where session_id::text = ${sessionId}`.execute(
          connection.kysely,
        )
        await sql`delete from auth.sessions where id::text = ${sessionId}`.execute(
          connection.kysely,
        )
      }
      return response
    },
  }
}

/** Deletes the stored mails of a deleted account: they lie outside the database. */
export function fixDeletedAccount(mailbox: Pick<Mailbox, 'forget'>): ResponseFix {
  return {
    appliesTo: (route) => route === 'POST /rest/v1/rpc/delete_account',
    async apply({ request, response }) {
      if (response.ok) {
        await mailbox.forget(claimsOf(request.headers.get('authorization') ?? '').sub)
      }
      return response
    },
  }
}

/** The token of the session that an answer starts; null when it starts none. */
async function beginningToken(response: Response): Promise<string | null> {
  if (!response.ok) return null
  const body: unknown = await response.clone().json()
  if (typeof body !== 'object' || body === null || !('access_token' in body)) return null
  return typeof body.access_token === 'string' ? body.access_token : null
}

function hasPassword(body: string): boolean {
  const parsed: unknown = JSON.parse(body)
  return typeof parsed === 'object' && parsed !== null && 'password' in parsed
}

/** The claims of a token that the library has just accepted. */
function claimsOf(token: string): { sub: string; session_id: string } {
  const [, payload = ''] = token.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}
