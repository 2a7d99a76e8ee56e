/**
 * Without a session the client library asks in the name of nobody, and the database answers that nobody may
 * do this. Such a request is not sent: it is answered here as the database answers whoever has no session.
 */
export function signedFetch(publicKey: string, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input)
    const isAnonymous = new Headers(init?.headers).get('Authorization') === `Bearer ${publicKey}`
    if (!isAnonymous || !address.pathname.startsWith('/rest/v1/')) return send(input, init)
    const error = { code: 'PT401', message: 'Not authenticated', details: null, hint: null }
    return Response.json(error, { status: 401 })
  }
}
