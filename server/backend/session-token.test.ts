import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { sessionClaims } from './session-token.ts'

const secret = 'a secret that only this test knows'
const now = new Date('2026-11-15T12:00:00Z')
const second = now.getTime() / 1000

const claims = {
  sub: '01a1e144-b80e-770b-8031-43b410f55c95',
  session_id: '01a1e144-ba12-7429-901d-df827058c393',
  role: 'authenticated',
  aud: 'authenticated',
  iat: second,
  exp: second + 3600,
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function token(payload: object, header: object = { alg: 'HS256', typ: 'JWT' }, key = secret) {
  const text = `${encoded(header)}.${encoded(payload)}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

test('a token of ours tells whose it is, until it expires', () => {
  for (let turn = 0; turn < 2; turn++) {
    expect(sessionClaims(token(claims), secret, now)).toEqual(claims)
  }
  expect(sessionClaims(token(claims), secret, new Date((second + 3600) * 1000))).toBeNull()
  expect(sessionClaims(token(claims), 'another secret', now)).toBeNull()
})

const refused: Record<string, string> = {
  'no token': '',
  'signed by another secret': token(claims, undefined, 'another secret'),
  unsigned: `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`,
  'signed, and saying that it is not': token(claims, { alg: 'none', typ: 'JWT' }),
  'signed, for another method': token(claims, { alg: 'HS512', typ: 'JWT' }),
  'with a demand that nobody understands': token(claims, { alg: 'HS256', typ: 'JWT', crit: ['x'] }),
  'changed after it was signed': token(claims).replace(
    encoded(claims),
    encoded({ ...claims, sub: '01a1e144-b80e-770b-8031-43b410f55c96' }),
  ),
  'with a part too many': `${token(claims)}.x`,
  'without its last character': token(claims).slice(0, -1),
  expired: token({ ...claims, exp: second }),
  'without an end': token({ ...claims, exp: undefined }),
  'issued in the future': token({ ...claims, iat: second + 1 }),
  'good only later': token({ ...claims, nbf: second + 1 }),
  'of the service': token({ ...claims, role: 'service_role' }),
  'without a session': token({ ...claims, session_id: undefined }),
  'of nobody': token({ ...claims, sub: 'x' }),
}

test.each(Object.entries(refused))('%s: not ours', (_, text) => {
  expect(sessionClaims(text, secret, now)).toBeNull()
})
