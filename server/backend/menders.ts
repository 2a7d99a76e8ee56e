import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'

type Exchange = {
  request: Request
  /** The request's body, read before the library took it. */
  body: string
  response: Response
  /** Asks the library the same once more. */
  again(): Promise<Response>
}

/** Looks at one of the library's answers about accounts, and corrects it where it falls short. */
export type Mender = {
  wants(request: Request): boolean
  mend(exchange: Exchange): Promise<Response>
}

/** Asks the library, and lets those menders who want this request see the answer, one after another. */
export async function askMended(
  ask: (request: Request) => Promise<Response>,
  menders: Mender[],
  request: Request,
): Promise<Response> {
  const wanted = menders.filter((mender) => mender.wants(request))
  if (wanted.length === 0) return ask(request)
  const body = await request.text()
  const again = () =>
    ask(new Request(request.url, { method: request.method, headers: request.headers, body }))
  let response = await again()
  for (const mender of wanted) response = await mender.mend({ request, body, response, again })
  return response
}

function isRoute(request: Request, method: string, path: string): boolean {
  const { pathname } = new URL(request.url)
  return request.method === method && pathname.replace(/\/+$/, '') === `/auth/v1/${path}`
}

/**
 * Two sign-ups with one address at the same time: the library looks for the account before either has
 * made it, and the second fails in the database. Asked again, it finds the account and says so.
 */
export const mendDoubleSignUp: Mender = {
  wants: (request) => isRoute(request, 'POST', 'signup'),
  async mend({ response, again }) {
    return response.status === 500 ? again() : response
  },
}

/**
 * A new password ends every other session of the account: whoever changes it because someone else
 * knows the old one expects that. The library leaves them all alive.
 */
export function mendPasswordChange(connection: Connection): Mender {
  return {
    wants: (request) => isRoute(request, 'PUT', 'user'),
    async mend({ request, body, response }) {
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

function hasPassword(body: string): boolean {
  const parsed: unknown = JSON.parse(body)
  return typeof parsed === 'object' && parsed !== null && 'password' in parsed
}

/** The claims of a token that the library has just accepted. */
function claimsOf(authorization: string): { sub: string; session_id: string } {
  const [, payload = ''] = authorization.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}
