import type { Keys } from './keys.ts'
import type { Answerer } from './plain-requests.ts'

/** The one function that can be called without a session: an access token is among its arguments. */
export const tokenCallPath = '/rest/v1/rpc/call_with_token'

/**
 * Rebuilds a call with an access token before it is passed on. Only the headers that the database needs remain: a
 * client could otherwise forge the address in the list of connections. The query string is dropped, because it could
 * hide that the token is unknown. The public key may be missing: the token is the proof.
 */
export function tokenCall(request: Request, address: string, publicKey: string): Request {
  const apikey = request.headers.get('apikey') ?? publicKey
  const headers = { apikey, 'content-type': 'application/json', 'x-forwarded-for': address }
  return new Request(new Request(new URL(tokenCallPath, request.url), request), { headers })
}

/**
 * Refuses data requests that have our public key but no token, without asking the database: only signed-in
 * users may read or write. The library itself refuses wrong keys and invalid tokens without asking it.
 */
export function refuseAnonymous(keys: Pick<Keys, 'publishableKey'>, ask: Answerer): Answerer {
  return async (request) => {
    const { url, headers } = request
    const { pathname } = new URL(url)
    const isData = pathname.startsWith('/rest/v1/') && pathname !== tokenCallPath
    if (!isData || headers.get('apikey') !== keys.publishableKey || mayBeToken(headers)) {
      return ask(request)
    }
    return Response.json(
      { code: '42501', message: 'Not authenticated', details: null, hint: null },
      { status: 401 },
    )
  }
}

function mayBeToken(headers: Headers): boolean {
  return /^Bearer [^.\s]+\.[^.\s]+\.[^.\s]+$/i.test(headers.get('authorization') ?? '')
}
