import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const headerSchema = z.strictObject({ alg: z.literal('HS256'), typ: z.literal('JWT') })

const claimsSchema = z.looseObject({
  sub: z.uuid(),
  session_id: z.uuid(),
  role: z.literal('authenticated'),
  iat: z.int(),
  exp: z.int(),
  // Our tokens never have this claim.
  nbf: z.never().optional(),
})

export type SessionClaims = z.infer<typeof claimsSchema>

/**
 * The claims of a valid token that this installation issued to a signed-in user; null for every other token. Only
 * the database knows whether the session has ended since.
 */
export function sessionClaims(token: string, secret: string, now: Date): SessionClaims | null {
  const claims = signed.get(secret + token) ?? readSigned(token, secret)
  const seconds = Math.floor(now.getTime() / 1000)
  return claims && claims.iat <= seconds && claims.exp > seconds ? claims : null
}

/** The claims of recent tokens with a valid signature: each request checks its token several times. */
const signed = new Map<string, SessionClaims>()
const mostKept = 1000

function readSigned(token: string, secret: string): SessionClaims | null {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || !isSigned(`${header}.${payload}`, signature, secret)) return null
  const claims = claimsSchema.safeParse(parsed(payload))
  if (!headerSchema.safeParse(parsed(header)).success || !claims.success) return null
  const [oldest] = signed.keys()
  if (oldest !== undefined && signed.size >= mostKept) signed.delete(oldest)
  signed.set(secret + token, claims.data)
  return claims.data
}

function isSigned(text: string, signature: string, secret: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(text).digest('base64url'))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return null
  }
}
