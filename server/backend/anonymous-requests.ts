import type { Keys } from './keys.ts'
import type { Answerer } from './plain-requests.ts'

/**
 * Refuses data requests that have our public key but no token, without asking the database: only signed-in
 * users may read or write. The library itself refuses wrong keys and invalid tokens without asking it.
 */
export function refuseAnonymous(keys: Pick<Keys, 'publishableKey'>, ask: Answerer): Answerer {
  return async (request) => {
    const { url, headers } = request
    const isData = new URL(url).pathname.startsWith('/rest/v1/')
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
