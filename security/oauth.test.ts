import { beforeAll, describe, expect, inject, test } from 'vitest'
import { callback, oauthCalls } from '../supabase/tests/oauth-calls.ts'
import { ask, type Person, signUp } from './attacker.ts'
import { everythingOf, leaked, makeVictim, type Victim } from './victim.ts'

const { address: origin } = inject('attacked')

/** Another one for each request, so that no limit ends the attack. */
function address(): string {
  return `10.202.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
}

const sendFrom =
  (from: () => string) =>
  (path: string, init: RequestInit = {}) =>
    fetch(origin + path, {
      ...init,
      headers: { 'x-forwarded-for': from(), ...(init.headers as Record<string, string>) },
      redirect: 'manual',
    })

const send = sendFrom(address)
const oauth = oauthCalls(send, origin)

const errorOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: string }).error,
]

const listOf = async ({ client }: Person) =>
  ((await client.rpc('access_tokens')).data ?? []) as { has_ended: boolean; scope: string }[]

/** A page of ours, which tells the reason and who asked, and leads nowhere: anybody may have registered the address. */
async function expectToStay(response: Response, reason: string, read?: string) {
  const page = read ?? (await response.text())
  expect([response.status, response.headers.get('location')]).toEqual([400, null])
  expect(page).toContain(reason)
  expect(page).toContain('An app at assistant.example asked')
  expect(page).not.toMatch(/http-equiv|<a |href=|<form|<script/i)
}

let owner: Person
beforeAll(async () => {
  owner = await signUp()
})

describe('a code', () => {
  test('that is replayed ends what it was exchanged for', async () => {
    const { client, verifier, code } = await oauth.allow(owner)
    const first = await oauth.exchange(client, code, verifier)
    const { access_token, refresh_token } = (await first.json()) as Record<string, string>
    expect((await oauth.openTools(access_token ?? '')).status).toBe(200)
    expect(await errorOf(await oauth.exchange(client, code, verifier))).toEqual([
      400,
      'invalid_grant',
    ])
    expect((await oauth.openTools(access_token ?? '')).status).toBe(401)
    expect((await oauth.refresh(client, refresh_token ?? '')).status).toBe(400)
  })

  test('is good for nothing with a wrong verifier, another client or another address, nor after that', async () => {
    const other = await oauth.register()
    const wrong = [
      { code_verifier: oauth.newVerifier().verifier },
      { client_id: other },
      { redirect_uri: `${callback}/` },
    ]
    for (const more of wrong) {
      const { client, verifier, code } = await oauth.allow(owner)
      expect(await errorOf(await oauth.exchange(client, code, verifier, more))).toEqual([
        400,
        'invalid_grant',
      ])
      expect((await oauth.exchange(client, code, verifier)).status).toBe(400)
    }
    const { client, code, verifier } = await oauth.allow(owner)
    expect(await errorOf(await oauth.exchange(client, code, ''))).toEqual([400, 'invalid_request'])
    const odd = await oauth.exchange(client, code, verifier, { redirect_uri: '\0' })
    expect(await errorOf(odd)).toEqual([400, 'invalid_request'])
  })

  test('is exchanged once, however many ask at the same moment', async () => {
    const { client, verifier, code } = await oauth.allow(owner)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => oauth.exchange(client, code, verifier)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('is not given out for a plain or missing challenge', async () => {
    const client = await oauth.register()
    const { verifier, challenge } = oauth.newVerifier()
    for (const more of [
      { code_challenge_method: 'plain', code_challenge: verifier },
      { code_challenge_method: '' },
      { code_challenge: '' },
      { code_challenge: 'short' },
    ] as Record<string, string>[]) {
      const path = oauth.authorizePath(client, challenge, more)
      const reason = 'A code_challenge with the method S256 is required.'
      await expectToStay(await send(path), reason)
      const { response, page } = await oauth.decide(path, owner as never)
      await expectToStay(response, reason, page)
    }
  })
})

describe('the address to return to', () => {
  const others = [
    `${callback}/more`,
    `${callback}?next=https://evil.example`,
    `${callback}#x`,
    `${callback}.evil.example`,
    'https://assistant.example.evil.example/callback',
    'https://evil.example/callback',
    'https://assistant.example@evil.example/callback',
    'https://user:pass@assistant.example/callback',
    'https://assistant.example:8443/callback',
    'http://assistant.example/callback',
    'https://assistant.example\\@evil.example/callback',
    'https://ASSISTANT.example/callback',
    '//assistant.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://127.0.0.1.evil.example/callback',
    'http://localhost:80@evil.example/callback',
    '',
  ]
  test('is one that was registered, letter by letter, or nobody is sent anywhere', async () => {
    const client = await oauth.register()
    for (const redirect_uri of others) {
      const { challenge } = oauth.newVerifier()
      for (const more of [{}, { response_type: 'token' }, { scope: 'write' }] as Record<
        string,
        string
      >[]) {
        const path = oauth.authorizePath(client, challenge, { redirect_uri, ...more })
        const { response, back } = await oauth.decide(path, owner as never)
        expect([response.status, back, response.headers.get('location')], redirect_uri).toEqual([
          400,
          null,
          null,
        ])
      }
    }
    expect(
      (await send('/oauth/authorize?client_id=x&redirect_uri=https://evil.example')).status,
    ).toBe(400)
  })

  test('of a program on this machine may have any port, and nothing else', async () => {
    const client = await oauth.register({ redirect_uris: ['http://127.0.0.1:1234/callback'] })
    const statusOf = async (redirect_uri: string) => {
      const path = oauth.authorizePath(client, oauth.newVerifier().challenge, { redirect_uri })
      return (await send(path)).status
    }
    expect(await statusOf('http://127.0.0.1:40000/callback')).toBe(200)
    for (const address of [
      'http://localhost:1234/callback',
      'http://127.0.0.1:1234/other',
      'http://127.0.0.1:1234@evil.example/callback',
      'http://127.0.0.1:1234.evil.example/callback',
      'https://127.0.0.1:1234/callback',
    ]) {
      expect(await statusOf(address), address).toBe(400)
    }
  })

  test('is https or on this machine, or nobody is registered', async () => {
    for (const address of others.slice(6, 8).concat(others.slice(9, 18))) {
      expect(await oauth.register({ redirect_uris: [callback, address] }), address).toBeUndefined()
    }
  })

  test('is shown to nobody who was lured: a bad request stays with us, whatever is wrong with it', async () => {
    const client = await oauth.register()
    const { challenge } = oauth.newVerifier()
    for (const [more, reason] of [
      [{ response_type: 'token' }, 'Only response_type=code is supported.'],
      [{ response_type: '' }, 'Only response_type=code is supported.'],
      [{ code_challenge: 'x' }, 'A code_challenge with the method S256 is required.'],
      [{ resource: 'https://evil.example/' }, 'can be connected here.'],
    ] as [Record<string, string>, string][]) {
      await expectToStay(await send(oauth.authorizePath(client, challenge, more)), reason)
    }
  })

  test('takes no parameter with it that the client did not ask for', async () => {
    const { challenge } = oauth.newVerifier()
    const path = oauth.authorizePath(await oauth.register(), challenge)
    const twice = await send(`${path}&redirect_uri=https%3A%2F%2Fevil.example`)
    expect(twice.status).toBe(400)
    await expectToStay(await send(`${path}&state=other`), 'state is there twice.')
  })
})

describe('a token', () => {
  test('is asked for this server’s /mcp alone, and opens nothing else', async () => {
    const { challenge } = oauth.newVerifier()
    const elsewhere = { resource: 'https://evil.example/mcp' }
    const asked = await send(oauth.authorizePath(await oauth.register(), challenge, elsewhere))
    await expectToStay(asked, '/mcp can be connected here.')
    const { client, verifier, code } = await oauth.allow(owner)
    const refused = await oauth.exchange(client, code, verifier, elsewhere)
    expect(await errorOf(refused)).toEqual([400, 'invalid_target'])

    const { access_token, refresh_token } = await oauth.connect(owner, { scope: 'write' })
    expect((await oauth.openTools(access_token)).status).toBe(200)
    for (const token of [access_token, refresh_token]) {
      const doors = [
        await ask('/api/v1/about', { method: 'POST', token, body: {}, from: address() }),
        await ask('/rest/v1/rpc/call_with_token', {
          method: 'POST',
          body: { p_token: token, p_name: 'about', p_args: {} },
          from: address(),
        }),
        await ask('/rest/v1/contacts', { token, from: address() }),
        await ask('/auth/v1/user', { token, from: address() }),
      ]
      for (const { status } of doors) expect([401, 403]).toContain(status)
    }
    expect((await oauth.openTools(refresh_token)).status).toBe(401)
    expect((await oauth.openTools(code)).status).toBe(401)
  })

  test('of a copied refresh token ends for whoever holds it', async () => {
    const { client, refresh_token } = await oauth.connect(owner)
    const thief = (await (await oauth.refresh(client, refresh_token)).json()) as Record<
      string,
      string
    >
    expect((await oauth.refresh(client, refresh_token)).status).toBe(400)
    expect((await oauth.openTools(thief.access_token ?? '')).status).toBe(401)
    expect((await oauth.refresh(client, thief.refresh_token ?? '')).status).toBe(400)
  })

  test('reaches no further after a refresh, nor for another client', async () => {
    const { client, refresh_token } = await oauth.connect(owner, { scope: 'read' })
    for (const scope of ['write', 'read propose', 'read propose write']) {
      const answer = await oauth.refresh(client, refresh_token, { scope })
      expect(await errorOf(answer)).toEqual([400, 'invalid_scope'])
    }
    const other = await oauth.register()
    expect((await oauth.refresh(other, refresh_token)).status).toBe(400)
    await oauth.revoke({ client_id: other, token: refresh_token })
    const renewed = await oauth.refresh(client, refresh_token)
    expect(((await renewed.json()) as { scope: string }).scope).toBe('read')
  })
})

describe('the consent page', () => {
  test('allows no more than was asked for', async () => {
    const path = oauth.authorizePath(await oauth.register(), oauth.newVerifier().challenge, {
      scope: 'read',
    })
    expect(await (await send(path)).text()).not.toContain('value="write"')
    const { email, password } = owner
    for (const scope of ['write', 'propose', 'admin', '']) {
      const { response, back } = await oauth.decide(path, { email, password, scope })
      expect([response.status, back]).toEqual([422, null])
    }
  })

  test('takes no answer from another site, with the right password or without', async () => {
    const before = await listOf(owner)
    const path = oauth.authorizePath(await oauth.register(), oauth.newVerifier().challenge)
    const { email, password } = owner
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
      { origin, 'sec-fetch-site': 'cross-site' },
      { origin, 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      for (const decision of ['allow', 'deny']) {
        const { response, back } = await oauth.decide(path, { email, password, decision }, headers)
        expect([response.status, back]).toEqual([403, null])
      }
    }
    expect(await listOf(owner)).toEqual(before)
  })

  test('cannot be framed, runs nothing, sends its form nowhere else and sets no cookie', async () => {
    const path = oauth.authorizePath(await oauth.register(), oauth.newVerifier().challenge)
    const { email, password } = owner
    const answered = (await oauth.decide(path, { email, password })).response
    for (const { headers } of [await send(path), answered]) {
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toMatch(/form-action 'self'(;|$)/)
      expect(policy).not.toContain('script-src')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('shows whatever a program calls itself as text, on one line', async () => {
    for (const name of [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '</title><script>1</script>',
      'Solo\u202e MRC\u0000\n\n<b>verified</b>',
    ]) {
      const client = await oauth.register({ client_name: name })
      const page = await (
        await send(oauth.authorizePath(client, oauth.newVerifier().challenge))
      ).text()
      expect(page).not.toMatch(/<(script|img|b)\b/i)
      expect(page).toContain('(not verified)')
      expect(page).not.toContain('\u202e')
      const state = `"><script>${name}`
      const path = oauth.authorizePath(client, oauth.newVerifier().challenge, { state })
      const { email, password } = owner
      const { page: back } = await oauth.decide(path, { email, password })
      expect(back).not.toMatch(/<(script|img|b)\b/i)
    }
  })

  test('counts wrong passwords with those of the sign-in', async () => {
    const victim = await signUp()
    const path = oauth.authorizePath(await oauth.register(), oauth.newVerifier().challenge)
    const statuses: number[] = []
    for (let turn = 0; turn < 22; turn += 1) {
      const { response } = await oauth.decide(path, { email: victim.email, password: `x${turn}` })
      statuses.push(response.status)
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(20)
    expect(statuses.slice(20)).toEqual([429, 429])
    const signIn = await ask('/auth/v1/token?grant_type=password', {
      method: 'POST',
      body: { email: victim.email, password: victim.password },
      from: address(),
    })
    expect(signIn.status).toBe(429)
  })
})

describe('registration', () => {
  test('is refused after so many from one address: 429', async () => {
    const flood = oauthCalls(
      sendFrom(() => '10.203.0.1'),
      origin,
    )
    const ids = []
    for (let turn = 0; turn < 40; turn += 1) ids.push(await flood.register())
    const taken = ids.filter(Boolean)
    expect(taken.length).toBeGreaterThan(0)
    expect(taken.length).toBeLessThan(40)
    expect(ids.at(-1)).toBeUndefined()
  })

  test('refuses ten megabytes, and what is no registration: 400 or 413', async () => {
    const post = (body: string) =>
      send('/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }).catch(() => null)
    const big = await post(
      JSON.stringify({ client_name: 'x'.repeat(10_000_000), redirect_uris: [] }),
    )
    if (big) expect(big.status).toBe(413)
    for (const odd of [
      '',
      'null',
      '[]',
      '{"redirect_uris": []}',
      '{"redirect_uris": "https://a.example/"}',
      '{"redirect_uris": [null]}',
      `{"redirect_uris": ["${callback}"], "grant_types": ["client_credentials"]}`,
      `{"redirect_uris": ["${callback}"], "response_types": ["token"]}`,
    ]) {
      expect((await post(odd))?.status, odd).toBe(400)
    }
  })
})

describe('another account', () => {
  let victim: Victim
  beforeAll(async () => {
    victim = await makeVictim()
  })

  test('sees, ends and uses no grant that is not its own', async () => {
    const { client, access_token, refresh_token } = await oauth.connect(victim)
    const [grant] = ((await victim.client.rpc('access_tokens')).data ?? []) as { id: string }[]
    const before = await everythingOf(victim)
    const ids = [grant?.id ?? '']
    const seen = await owner.client.rpc('access_tokens')
    expect(JSON.stringify(seen.data)).not.toContain(ids[0])
    expect((await owner.client.rpc('revoke_access_tokens', { ids })).data).toBe(0)
    await owner.client.rpc('remove_access_token', { id: ids[0] ?? '' })
    // A code of one's own at the client of the other gives one's own account.
    const { verifier, challenge } = oauth.newVerifier()
    const path = oauth.authorizePath(client, challenge)
    const { email, password } = owner
    const { back } = await oauth.decide(path, { email, password })
    const own = await oauth.exchange(client, back?.searchParams.get('code') ?? '', verifier)
    const { access_token: token } = (await own.json()) as { access_token: string }
    const read = await oauth.callTool(token, 'list_contacts', {})
    expect(leaked(victim, read)).toEqual([])
    expect((await oauth.openTools(access_token)).status).toBe(200)
    expect((await oauth.refresh(client, refresh_token)).status).toBe(200)
    expect(await everythingOf(victim)).toBe(before)
  })

  test('guesses at codes and refresh tokens twenty times, then waits: 429', async () => {
    const guesser = oauthCalls(
      sendFrom(() => '10.203.0.2'),
      origin,
    )
    const client = await oauth.register()
    const statuses: number[] = []
    for (let turn = 0; turn < 22; turn += 1) {
      const guess = turn % 2 ? guesser.refresh : guesser.exchange
      const { status } = await guess(client, `solo_${turn}`, oauth.newVerifier().verifier as never)
      statuses.push(status)
    }
    expect(statuses.slice(0, 20).every((status) => status === 400)).toBe(true)
    expect(statuses.slice(20)).toEqual([429, 429])
  })
})
