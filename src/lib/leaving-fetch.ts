import { forgetLeft, noteLeft } from './left-sessions.ts'

/** How long a sign-out waits for the server, in milliseconds. */
const patience = 10_000

/**
 * Signing out must not depend on the network: a user who gives the device away cannot wait for it. If the server does not
 * answer, the client library gets an answer that the session is gone, and removes it here. The server hears of it when the
 * network is back, if this page is still open, or by the next sign-in of the account on this device (`left-sessions.ts`).
 * Signing out everywhere else needs the server.
 */
export function leavingFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    const isLeaving = pathname.endsWith('/auth/v1/logout') && searchParams.get('scope') === 'local'
    if (!isLeaving) return send(input, init)
    try {
      return await send(input, { ...init, signal: AbortSignal.timeout(patience) })
    } catch {
      const [, token = ''] =
        /^Bearer (.+)$/.exec(new Headers(init?.headers).get('authorization') ?? '') ?? []
      const session = noteLeft(token)
      if (session) leaveLater(session, () => send(input, init))
      return Response.json({ code: 'session_not_found' }, { status: 403 })
    }
  }
}

/** The token is in the memory of this page alone. */
function leaveLater(session: string, leave: () => Promise<Response>): void {
  async function tryAgain(): Promise<void> {
    const answer = await leave().catch(() => null)
    if (!answer || answer.status >= 500) return
    window.removeEventListener('online', tryAgain)
    // Otherwise the token has expired, and the next sign-in ends the session.
    if (answer.ok) forgetLeft([session])
  }
  window.addEventListener('online', tryAgain)
}
