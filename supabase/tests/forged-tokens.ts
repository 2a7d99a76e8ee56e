import { createHmac } from 'node:crypto'

export type Claims = Record<string, unknown>

/** A part of a token, as it is written in one. */
export function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** A token that says this, signed with this secret. */
export function sign(
  claims: Claims,
  secret: string,
  header: object = { alg: 'HS256', typ: 'JWT' },
  hash = 'sha256',
): string {
  const body = `${encode(header)}.${encode(claims)}`
  return `${body}.${createHmac(hash, secret).update(body).digest('base64url')}`
}

/** What a token says. */
export function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
