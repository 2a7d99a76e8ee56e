import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import type { Mailbox } from '../mail/mailbox.ts'
import { isTokenRefresh } from './token-refresh.ts'

type Exchange = {
  request: Request
  /** The request's body, read before the library took it. */
  body: string
  response: Response
  /** Asks the library the same once more. */
  again(): Promise<Response>
}

/** Looks at one of the library's answers about accounts, and corrects it where it falls short. */
export type ResponseFix = {
  /** The route is method and path, `POST /auth/v1/signup`. */
  appliesTo(route: string, request: Request): boolean
  apply(exchange: Exchange): Promise<Response>
}

/** Asks the library, and lets those fixes who want this request see the answer, one after another. */
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
 * Two sign-ups with one address at the same time: the library looks for the account before either has
 * made it, and the second fails in the database. Asked again, it finds the account and says so.
 */
export const fixDoubleSignUp: ResponseFix = {
  appliesTo: (route) => route === 'POST /auth/v1/signup',
  async apply({ response, again }) {
    return response.status === 500 ? again() : response
  },
}

/**
 * A new password ends every other session of the account: whoever changes it because someone else
 * knows the old one expects that. The library leaves them all alive.
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
 * Who looks where the account is signed in tells the sessions by the browsers they were begun with. A
 * hosted project writes these down; the library leaves them out.
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
 * A refresh token that was used before, and not just before, is in two hands. The library then gives out no
 * more tokens for that session; here it ends, so that those given out already are worth nothing either.
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

/** The mails about an account lie outside the database, where no deletion reaches them. */
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

/** The token of a session that an answer begins. */
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
