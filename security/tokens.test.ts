import { beforeAll, describe, expect, test } from 'vitest'
import { type Claims, claimsOf, encode, sign } from '../supabase/tests/forged-tokens.ts'
import { jwtSecret, keys } from '../supabase/tests/test-keys.ts'
import { ask, type Person, signUp } from './attacker.ts'

// Forged, expired, unsigned and foreign tokens at the tables: supabase/tests/tokens.test.ts. Here the same at
// every door that takes a token, over HTTP, and what becomes of refresh tokens.

let owner: Person
let claims: Claims
beforeAll(async () => {
  owner = await signUp()
  claims = claimsOf(owner.token)
})

const forgeries: [string, () => string][] = [
  ['unsigned (alg: none)', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`],
  ['unsigned (alg: NoNe)', () => `${encode({ alg: 'NoNe' })}.${encode(claims)}.`],
  ['without an algorithm', () => sign(claims, jwtSecret, { typ: 'JWT' })],
  ['of another algorithm', () => sign(claims, jwtSecret, { alg: 'HS512' }, 'sha512')],
  ['signed with an empty secret', () => sign(claims, '')],
  ['signed with the public key', () => sign(claims, keys.publishableKey)],
  [
    'that names its own key',
    () => sign(claims, 'a', { alg: 'HS256', jwk: { kty: 'oct', k: 'YQ' } }),
  ],
  ['that names a file as its key', () => sign(claims, '', { alg: 'HS256', kid: '/dev/null' })],
  ['expired', () => sign({ ...claims, exp: 1 }, jwtSecret)],
  ['cut off', () => owner.token.slice(0, -4)],
  ['with a part more', () => `${owner.token}.e30`],
  ['that is a key', () => keys.publishableKey],
  ['that is a refresh token', () => owner.refreshToken],
]

const doors: { path: string; method?: string; body?: object }[] = [
  { path: '/rest/v1/contacts' },
  { path: '/rest/v1/contacts', method: 'POST', body: { first_name: 'Eve' } },
  { path: '/rest/v1/rpc/dashboard', method: 'POST', body: {} },
  { path: '/rest/v1/rpc/delete_account', method: 'POST', body: { address: 'x' } },
  { path: '/auth/v1/user' },
  { path: '/auth/v1/user', method: 'PUT', body: { password: 'stolen-1' } },
  { path: '/auth/v1/logout', method: 'POST' },
]

describe('a token is refused with 401 or 403 at every door', () => {
  test.each(forgeries)('%s', async (_, token) => {
    for (const { path, ...asked } of doors) {
      const answer = await ask(path, { ...asked, token: token() })
      expect([401, 403], `${path} ${answer.text}`).toContain(answer.status)
    }
  })

  test('while the good one opens them', async () => {
    expect((await ask('/rest/v1/contacts', { token: owner.token })).status).toBe(200)
    expect((await ask('/auth/v1/user', { token: owner.token })).status).toBe(200)
  })
})

describe('a refresh token', () => {
  const refresh = (token: unknown) =>
    ask('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      body: { refresh_token: token },
    })

  test('is good once; used again it is refused with 400, and the session of both ends', async () => {
    const person = await signUp()
    const first = await refresh(person.refreshToken)
    expect(first.status).toBe(200)
    const { access_token: token, refresh_token: next } = JSON.parse(first.text)
    expect(next).not.toBe(person.refreshToken)
    const later = await refresh(next)
    expect(later.status).toBe(200)

    const stolen = await refresh(person.refreshToken)
    expect(stolen.status).toBe(400)
    expect((await ask('/rest/v1/contacts', { token })).status).toBe(401)
    expect((await refresh(JSON.parse(later.text).refresh_token)).status).toBe(400)
  })

  test('of a session that has ended is refused with 400', async () => {
    const person = await signUp()
    await ask('/auth/v1/logout', { method: 'POST', token: person.token })
    expect((await refresh(person.refreshToken)).status).toBe(400)
  })

  test.each([
    ['a guess', 'x'.repeat(22)],
    ['a list', ['a']],
    ['nothing', ''],
    ['a pattern', '%'],
  ])('that is %s is refused with 400', async (_, token) => {
    expect((await refresh(token)).status).toBe(400)
  })
})
