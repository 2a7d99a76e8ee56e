/** How long a sign-out waits for the server, in milliseconds. */
const patience = 10_000

/**
 * Signing out must not depend on the network: whoever gives a device away cannot wait for it. Where nobody answers, the
 * client library is told that the session is gone, and removes it here. The server's session stays until it expires or is
 * ended in the settings of another device. Signing out everywhere else does need the server.
 */
export function leavingFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    const isLeaving = pathname.endsWith('/auth/v1/logout') && searchParams.get('scope') === 'local'
    if (!isLeaving) return send(input, init)
    try {
      return await send(input, { ...init, signal: AbortSignal.timeout(patience) })
    } catch {
      return Response.json({ code: 'session_not_found' }, { status: 403 })
    }
  }
}
