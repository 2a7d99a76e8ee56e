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
    /** True where nobody has this access token, code or refresh token; false where it worked; else not known. */
    isGuess?: boolean
    /** The new refresh token: the client shows it with its next request in place of the one it sent. */
    nextProof?: string
  }
}
