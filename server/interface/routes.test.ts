import { describe, expect, it, vi } from 'vitest'
import { fakeBackend, rawRequest, serveApp } from '../test-server.ts'

const unknown = () =>
  Response.json({ code: 'unknown_token', message: 'Not known.' }, { status: 401 })
const revoked = () => Response.json({ code: 'revoked_token', message: 'Revoked.' }, { status: 401 })

const paths = ['/api/v1/today', '/mcp', '/rest/v1/rpc/call_with_token']

function ask(port: number, path: string, body = '{}', headers = {}) {
  return rawRequest(port, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer solo_x', ...headers },
    body,
  })
}

describe('/api/v1 and /mcp', () => {
  it('refuse without a known token, and limit guesses over all ways together', async () => {
    const backend = fakeBackend(unknown)
    const { port } = await serveApp({ backend, env: { RATE_LIMIT_SIGN_IN: '6' } })
    for (const path of [...paths, ...paths]) {
      const { status, body, headers } = await ask(port, path)
      expect([status, JSON.parse(body.toString()).code], path).toEqual([401, 'unknown_token'])
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
    for (const path of paths) {
      const { status, headers } = await ask(port, path)
      expect([status, headers['retry-after']], path).toEqual([429, expect.stringMatching(/^\d+$/)])
    }
    expect(backend.asked).toHaveLength(6)
  })

  it('answer many good calls at once, and still count every guess among many', async () => {
    async function manyOf(answer: () => Response, token?: string) {
      let release = () => {}
      const open = new Promise<void>((resolve) => {
        release = resolve
      })
      const backend = fakeBackend(async () => {
        await open
        return answer()
      })
      const { port } = await serveApp({ backend, env: { RATE_LIMIT_SIGN_IN: '6' } })
      const all = Promise.all(
        Array.from({ length: 50 }, async (_, turn) => {
          const headers = { authorization: `Bearer ${token ?? `solo_${turn}`}` }
          return (await ask(port, '/api/v1/today', '{}', headers)).status
        }),
      )
      // Answered when as many as may be wrong were asked, and whoever else could have come has come.
      await vi.waitFor(() => expect(backend.asked.length).toBeGreaterThanOrEqual(6))
      for (let turn = 0; turn < 50; turn += 1) await rawRequest(port, '/health')
      release()
      const statuses = await all
      const count = (wanted: number) => statuses.filter((status) => status === wanted).length
      return { asked: backend.asked.length, 200: count(200), 401: count(401), 429: count(429) }
    }
    const good = () => Response.json({})
    expect(await manyOf(good, 'solo_good')).toMatchObject({ 200: 50, asked: 50 })
    expect(await manyOf(good)).toMatchObject({ 200: 50, asked: 50 })
    expect(await manyOf(unknown)).toEqual({ 200: 0, 401: 6, 429: 44, asked: 6 })
  })

  it('let a token pass that worked lately, whoever guesses at the same address', async () => {
    const backend = fakeBackend()
    let worksFor: string | null = 'solo_good'
    backend.fetch = async (request) => {
      const { p_token } = await request.json()
      return p_token === worksFor ? Response.json({}) : unknown()
    }
    const { port } = await serveApp({ backend, env: { RATE_LIMIT_SIGN_IN: '2' } })
    const call = async (token: string, path = '/api/v1/today') =>
      (
        await ask(port, path, path.includes('rpc') ? JSON.stringify({ p_token: token }) : '{}', {
          authorization: `Bearer ${token}`,
        })
      ).status
    expect(await call('solo_good')).toBe(200)
    // What is refused before the token is looked at proves nothing.
    expect(await call('solo_other', '/api/v1/nothing')).toBe(404)
    expect([await call('solo_1'), await call('solo_2')]).toEqual([401, 401])
    expect([await call('solo_3'), await call('solo_other')]).toEqual([429, 429])
    for (const path of ['/api/v1/today', '/rest/v1/rpc/call_with_token']) {
      expect(await call('solo_good', path), path).toBe(200)
    }
    worksFor = null
    expect([await call('solo_good'), await call('solo_good')]).toEqual([401, 429])
  })

  it('count the calls of all tokens of an account together, those of a batch each', async () => {
    const backend = fakeBackend(() => Response.json({ scope: 'read' }))
    backend.accountOfToken = async (token) => (token.startsWith('solo_ada') ? 'ada' : 'bob')
    const { port } = await serveApp({ backend, env: { RATE_LIMIT_ACCOUNT: '4' } })
    const headers = (token: string) => ({ authorization: `Bearer ${token}` })
    const calls = Array.from({ length: 9 }, (_, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: 'about', arguments: {} },
    }))
    const accept = { accept: 'application/json, text/event-stream' }
    const batch = await ask(port, '/mcp', JSON.stringify(calls), {
      ...headers('solo_ada1'),
      ...accept,
    })
    expect(batch.status).toBe(200)
    // One to look at the token, and three of the nine.
    expect(backend.asked).toHaveLength(4)
    expect(batch.body.toString().match(/Too many requests/g)).toHaveLength(6)
    const refused = await ask(port, '/api/v1/about', '{}', headers('solo_ada2'))
    expect([refused.status, refused.headers['retry-after']]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ])
    expect((await ask(port, '/api/v1/about', '{}', headers('solo_bob'))).status).toBe(200)
  })

  it('count no token that was known once, nor one that works', async () => {
    const backend = fakeBackend(revoked)
    const { port } = await serveApp({ backend, env: { RATE_LIMIT_SIGN_IN: '2' } })
    for (const path of [...paths, ...paths]) expect((await ask(port, path)).status).toBe(401)
    const working = await serveApp({ env: { RATE_LIMIT_SIGN_IN: '2' } })
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await ask(working.port, '/api/v1/today')).status).toBe(200)
    }
  })

  it('pass the token on in the body, and no header that the client sent', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    await ask(port, '/api/v1/search', '{"words": "x"}', { 'cf-connecting-ip': '9.9.9.9' })
    expect(backend.asked).toMatchObject([{ path: '/rest/v1/rpc/call_with_token' }])
    expect(JSON.parse(backend.asked[0]?.body ?? '')).toEqual({
      p_token: 'solo_x',
      p_name: 'search',
      p_args: { words: 'x' },
    })
  })

  it('take a token in a body alone, where guesses are counted', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const path = '/rest/v1/rpc/call_with_token?p_token=solo_x&p_name=about'
      const { status, headers } = await rawRequest(port, path, { method })
      expect([status, headers.allow], method).toEqual([405, 'POST'])
    }
    expect((await rawRequest(port, '/oauth/token')).status).toBe(404)
    expect(backend.asked).toEqual([])
  })

  it('answer no more than twenty messages of the protocol at once', async () => {
    const backend = fakeBackend(() => Response.json({ scope: 'read' }))
    const { port } = await serveApp({ backend })
    const messages = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, (_, id) => ({
          ...{ jsonrpc: '2.0', id, method: 'tools/call' },
          params: { name: 'about', arguments: {} },
        })),
      )
    const accept = { accept: 'application/json, text/event-stream' }
    expect((await ask(port, '/mcp', messages(20), accept)).status).toBe(200)
    backend.asked.length = 0
    const { status, body } = await ask(port, '/mcp', ` ${messages(21)}`, accept)
    expect([status, JSON.parse(body.toString()).code]).toEqual([400, 'too_many_messages'])
    expect(backend.asked).toHaveLength(1)
  })

  it('take no more than 1 MB, and ask nothing of the database for what is too much', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    const much = JSON.stringify({ words: 'x'.repeat(1_100_000) })
    for (const path of ['/api/v1/search', '/mcp']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: much })
      expect([answer.status, (await answer.json()).message], path).toEqual([
        413,
        'This is too much at once: at most 1 MB can be sent.',
      ])
    }
    expect(backend.asked).toEqual([])
  })

  it('describe themselves to whoever asks', async () => {
    const { port } = await serveApp({ env: { PUBLIC_URL: 'https://crm.example.com' } })
    const { status, body } = await rawRequest(port, '/api/v1/openapi.json')
    expect([status, JSON.parse(body.toString()).servers]).toEqual([
      200,
      [{ url: 'https://crm.example.com/api/v1' }],
    ])
    expect((await rawRequest(port, '/api/v1/search')).status).toBe(405)
    const list = await rawRequest(port, '/api/v1')
    expect(JSON.parse(list.body.toString())).toMatchObject({
      openapi: 'https://crm.example.com/api/v1/openapi.json',
      functions: expect.arrayContaining([
        expect.objectContaining({ url: 'https://crm.example.com/api/v1/search' }),
      ]),
    })
  })

  it('tell whoever has no token where to get one, and count that as no guess', async () => {
    const backend = fakeBackend()
    const env = { PUBLIC_URL: 'https://crm.example.com', RATE_LIMIT_SIGN_IN: '2' }
    const { port } = await serveApp({ backend, env })
    for (let turn = 0; turn < 4; turn += 1) {
      const { status, headers } = await rawRequest(port, '/mcp', { method: 'POST' })
      expect([status, headers['www-authenticate']]).toEqual([
        401,
        'Bearer resource_metadata="https://crm.example.com/.well-known/oauth-protected-resource/mcp"',
      ])
    }
    expect(backend.asked).toEqual([])
    const described = async (path: string) =>
      JSON.parse((await rawRequest(port, path)).body.toString())
    expect(await described('/.well-known/oauth-protected-resource/mcp')).toMatchObject({
      resource: 'https://crm.example.com/mcp',
      authorization_servers: ['https://crm.example.com'],
    })
    expect(await described('/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: 'https://crm.example.com',
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
    expect((await rawRequest(port, '/.well-known/openid-configuration')).status).toBe(404)
  })

  it('answer no page of another site at /mcp', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    const { status } = await ask(port, '/mcp', '{}', { origin: 'https://evil.example' })
    expect([status, backend.asked]).toEqual([403, []])
  })

  it('hold nothing where a hosted project has the data', async () => {
    const { port } = await serveApp({
      backend: null,
      env: { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_ANON_KEY: 'x.y.z' },
    })
    for (const path of [
      '/oauth/authorize',
      '/oauth/token',
      '/.well-known/oauth-authorization-server',
    ]) {
      expect((await rawRequest(port, path)).status, path).toBe(404)
    }
    for (const path of paths) {
      const { status, body } = await ask(port, path)
      expect([status, JSON.parse(body.toString()).message], path).toEqual([
        404,
        'This server holds no data: ask the Supabase project instead.',
      ])
    }
  })
})
