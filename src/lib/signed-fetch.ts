/** What the requests for data are signed with. */
type Signing = {
  publicKey: string
  /** The token of the session; null without one, or where it could not be renewed. */
  token: () => Promise<string | null>
  hasSession: () => boolean
}

/**
 * Signs data requests with the key and the token. Without a session it answers with 401, as the backend would, instead
 * of sending them. When the token of a session that is there could not be renewed, the server was not reached.
 */
export function signedFetch(send: typeof fetch, signing: Signing): typeof fetch {
  const { publicKey, token, hasSession } = signing
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('apikey', publicKey)
    if (!headers.has('Authorization')) {
      // The code that renews it may be out of reach as well.
      const signature = await token().catch(() => null)
      if (!signature && hasSession()) throw new TypeError('Failed to fetch')
      if (!signature) return notAuthenticated()
      headers.set('Authorization', `Bearer ${signature}`)
    }
    return send(input, { ...init, headers })
  }
}

function notAuthenticated(): Response {
  const error = { code: 'PT401', message: 'Not authenticated', details: null, hint: null }
  return Response.json(error, { status: 401 })
}
