import type { HttpBindings } from '@hono/node-server'

/** What our routes know besides the request. */
export type HttpEnv = {
  /** The connection; nothing when a test calls the routes without a socket. */
  Bindings: Partial<HttpBindings> | undefined
  Variables: {
    /** The JSON of an /auth/v1 request, as far as our limits need it. */
    authBody?: { email?: string | null }
    /** The access token of the request. */
    token?: string
    /** The request had an access token that nobody has; false where it had one that works. */
    isGuess?: boolean
    /** What proves the next request, where it is not the same again: the refresh token that was given out. */
    nextProof?: string
  }
}
