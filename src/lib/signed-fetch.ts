/**
 * Answers data requests without a session with 401, as the backend would, instead of sending them. Without a session
 * the client library sends the public key as the token. It does so, too, when it could not renew the token of a session
 * that is there: then the server was not reached.
 */
export function signedFetch(
  publicKey: string,
  send: typeof fetch,
  hasSession: () => boolean = () => false,
): typeof fetch {
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input)
    const isAnonymous = new Headers(init?.headers).get('Authorization') === `Bearer ${publicKey}`
    if (!isAnonymous || !address.pathname.startsWith('/rest/v1/')) return send(input, init)
    if (hasSession()) throw new TypeError('Failed to fetch')
    const error = { code: 'PT401', message: 'Not authenticated', details: null, hint: null }
    return Response.json(error, { status: 401 })
  }
}
