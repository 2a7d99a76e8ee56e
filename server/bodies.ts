import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { refuse } from './answers.ts'
import { tokenCallPath } from './backend/anonymous-requests.ts'
import type { HttpEnv } from './http-env.ts'

const megabyte = 1024 * 1024

const authBody = z.looseObject({
  email: z.string().max(320).nullish(),
  password: z.string().nullish(),
  refresh_token: z.string().nullish(),
})

/** Refuses a body over so many megabytes, announced or not, before more than that is in memory. */
export function limitBody(megabytes = 10): MiddlewareHandler<HttpEnv> {
  const words = `This is too much at once: at most ${megabytes} MB can be sent.`
  const limit = bodyLimit({
    maxSize: megabytes * megabyte,
    onError: (c) => refuse(c, 413, 'payload_too_large', words),
  })
  return (c, next) =>
    isAnnouncedSmall(c.req.raw.headers, megabytes * megabyte) ? next() : limit(c, next)
}

/** Whether the announced size is small enough: then the body need not be counted, which is slow. */
function isAnnouncedSmall(headers: Headers, maxBytes: number): boolean {
  const bytes = headers.get('content-length') ?? ''
  return /^\d+$/.test(bytes) && Number(bytes) <= maxBytes && !headers.has('transfer-encoding')
}

/**
 * Reads the body of an /auth/v1 request once, for the limits and for the backend. What is not a JSON
 * object with texts for e-mail and password ends here: @supabase/lite would fail on it with 500.
 */
export function readAuthBody(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!c.req.raw.body) return next()
    const bytes = await c.req.arrayBuffer()
    if (bytes.byteLength > 0) {
      const body = authBody.safeParse(parseJson(bytes))
      if (!body.success) {
        return refuse(c, 400, 'bad_json', 'The request could not be read: expected a JSON object.')
      }
      c.set('authBody', body.data)
    }
    c.req.raw = new Request(c.req.raw, { body: bytes })
    return next()
  }
}

const tokenBody = z.looseObject({ p_token: z.string() })

/** Finds the access token of a request: in its header or, where the database itself is called, in its body. */
export function readToken(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const isCall = c.req.path === tokenCallPath
    const token = isCall ? await tokenInBody(c) : bearerToken(c)
    if (token !== null) c.set('token', token)
    return next()
  }
}

async function tokenInBody(c: Context<HttpEnv>): Promise<string | null> {
  if (!c.req.raw.body) return null
  const bytes = await c.req.arrayBuffer()
  c.req.raw = new Request(c.req.raw, { body: bytes })
  return tokenBody.safeParse(parseJson(bytes)).data?.p_token ?? null
}

function bearerToken(c: Context<HttpEnv>): string | null {
  const [, token] = /^Bearer (\S{1,200})$/i.exec(c.req.header('authorization') ?? '') ?? []
  return token ?? null
}

function parseJson(bytes: ArrayBuffer): unknown {
  try {
    const text = new TextDecoder().decode(bytes)
    // PostgreSQL cannot store NUL in any text.
    return /\0|\\u0000/.test(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
