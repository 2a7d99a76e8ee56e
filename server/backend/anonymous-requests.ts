import type { Keys } from './keys.ts'
import type { Answerer } from './plain-requests.ts'

/**
 * Nobody who is not signed in may read or write anything, so the database need not be asked. Answered here:
 * whoever comes with our public key and no token. A wrong key and a token that is not ours, or no longer good,
 * the library refuses by itself without asking.
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
