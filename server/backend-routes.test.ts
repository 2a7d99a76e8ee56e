import { describe, expect, it, vi } from 'vitest'
import { fakeBackend, rawRequest, sendBytes, serveApp } from './test-server.ts'

const json = { 'Content-Type': 'application/json' }

describe('/health', () => {
  it('says whether the database answers', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    const well = await rawRequest(port, '/health')
    expect([well.status, well.body.toString()]).toEqual([200, '{"status":"ok"}'])
    expect(well.headers['cache-control']).toBe('no-store')
    // At work, not dead: who watches must not restart it.
    backend.health = async () => ({ status: 'busy', since: new Date(0), restarts: 2 })
    const busy = await rawRequest(port, '/health')
    expect([busy.status, JSON.parse(busy.body.toString())]).toEqual([
      200,
      { status: 'busy', since: '1970-01-01T00:00:00.000Z', restarts: 2 },
    ])
    backend.health = async () => ({ status: 'unavailable' })
    const ill = await rawRequest(port, '/health')
    expect([ill.status, ill.body.toString()]).toEqual([503, '{"status":"unavailable"}'])
    backend.health = () => Promise.reject(new Error('gone'))
    expect((await rawRequest(port, '/health')).status).toBe(503)
    expect((await rawRequest(port, '/health', { method: 'POST' })).status).toBe(405)
    expect((await rawRequest(port, '/health', { method: 'HEAD' })).body.length).toBe(0)
  })
})

describe('without a backend of our own', () => {
  it('is healthy, and has no data to give', async () => {
    const env = { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_ANON_KEY: 'anon' }
    const { port } = await serveApp({ env, backend: null })
    expect((await rawRequest(port, '/health')).status).toBe(200)
    const auth = await rawRequest(port, '/auth/v1/token', { method: 'POST', body: '{}' })
    expect(auth.status).toBe(404)
    expect(JSON.parse(auth.body.toString())).toMatchObject({ code: 404, error_code: 'not_found' })
    const rest = await rawRequest(port, '/rest/v1/contacts')
    expect(rest.status).toBe(404)
    expect(JSON.parse(rest.body.toString())).toMatchObject({ code: 'not_found', details: null })
  })
})

describe('requests to the backend', () => {
  it('arrive whole, with the address of the socket', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    const body = JSON.stringify({ name: 'Grüße' })
    await rawRequest(port, '/rest/v1/companies?select=*', { method: 'POST', headers: json, body })
    await rawRequest(port, '/auth/v1/user', { method: 'PUT', headers: json, body })
    await rawRequest(port, '/auth/v1/logout', { method: 'POST' })
    expect(backend.asked).toEqual([
      { method: 'POST', path: '/rest/v1/companies?select=*', body, peer: '127.0.0.1' },
      { method: 'PUT', path: '/auth/v1/user', body, peer: '127.0.0.1' },
      { method: 'POST', path: '/auth/v1/logout', body: '', peer: '127.0.0.1' },
    ])
  })

  it.each([
    '{"email":',
    'null',
    '[]',
    '"text"',
    '{"email":1}',
    '{"email":"a@b.example","password":[]}',
  ])('are refused on /auth/v1 with the body %s', async (body) => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    const answer = await rawRequest(port, '/auth/v1/signup', {
      method: 'POST',
      headers: json,
      body,
    })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 400, error_code: 'bad_json' })
    expect(backend.asked).toEqual([])
  })

  it.each(['/auth/v1/signup', '/rest/v1/contacts'])('of 11 MB are refused on %s', async (path) => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      body: 'x'.repeat(11 * 1024 * 1024),
    })
    expect(answer.status).toBe(413)
    expect(JSON.stringify(await answer.json())).toContain('at most 10 MB')
    expect(backend.asked).toEqual([])
  })

  it('of unannounced length are refused as soon as they are too long', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
    const pieces = Array<string>(11).fill(chunk)
    // No last chunk: the answer must come although the body never ends.
    const answer = await sendBytes(
      port,
      'POST /rest/v1/contacts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
      ...pieces,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(backend.asked).toEqual([])
    const small = await sendBytes(
      port,
      'POST /rest/v1/contacts HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n',
      '2\r\n{}\r\n0\r\n\r\n',
    )
    expect(small).toMatch(/^HTTP\/1\.1 200 /)
    expect(backend.asked).toMatchObject([{ body: '{}' }])
  })

  it('of just 10 MB pass', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    const body = 'x'.repeat(10 * 1024 * 1024)
    const answer = await rawRequest(port, '/rest/v1/contacts', { method: 'POST', body })
    expect(answer.status).toBe(200)
    expect(backend.asked[0]?.body.length).toBe(body.length)
  })

  it('that fail tell nothing, neither to the client nor to the log', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const backend = fakeBackend(() => {
      throw Object.assign(new Error('secret ada@example.com'), { code: 'XX000' })
    })
    const { port } = await serveApp({ backend })
    const answer = await rawRequest(port, '/rest/v1/contacts?email=eq.ada@example.com')
    const lines = written.mock.calls.map(([line]) => line)
    written.mockRestore()
    expect(answer.status).toBe(500)
    expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 'unexpected_failure' })
    expect(answer.body.toString()).not.toMatch(/secret|ada|Error|\.ts/)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(lines).toEqual(['GET /rest/v1 failed: Error XX000\n'])
    expect((await rawRequest(port, '/')).status).toBe(200)
  })
})

describe('what only looks like a question', () => {
  it('uses up no link of an older mail: it leads to the page that asks for a press', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    const path = '/auth/v1/verify?token=a%2Bb&type=recovery&redirect_to=https%3A%2F%2Fevil.example'
    for (const [method, asked] of [
      ['GET', path],
      ['HEAD', path],
      ['GET', path.replace('?', '/?')],
    ] as const) {
      const answer = await rawRequest(port, asked, { method })
      expect(answer.status).toBe(303)
      expect(answer.headers.location).toBe('/auth#token_hash=a%2Bb&type=recovery')
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.headers['referrer-policy']).toBe('no-referrer')
    }
    expect((await rawRequest(port, '/auth/v1/user', { method: 'HEAD' })).status).toBe(405)
    expect(backend.asked).toHaveLength(0)
  })

  it('is refused when its address or body cannot be read', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    expect((await rawRequest(port, '/rest/v1/%E0%A4%A')).status).toBe(400)
    for (const body of [
      '{"email":"a\\u0000@b.co"}',
      '{"data":{"x":"\\u0000"}}',
      '{"refresh_token":{}}',
      `{"email":"${'x'.repeat(321)}"}`,
    ]) {
      const answer = await rawRequest(port, '/auth/v1/signup', {
        method: 'POST',
        headers: json,
        body,
      })
      expect(answer.status).toBe(400)
    }
    expect(backend.asked).toHaveLength(0)
  })
})

describe('what the address of a request may ask for', () => {
  const many = (count: number, text: string) => Array(count).fill(text).join(',')
  const costly: [string, string][] = [
    ['a pattern of 201 letters', `first_name=like.${'a'.repeat(201)}`],
    ['a pattern with six wildcards', 'first_name=ilike.*a*b*c*d*e*'],
    ['such a pattern in a group', `or=(id.is.null,notes.not.like.*${'a'.repeat(201)}*)`],
    ['such a pattern among several', `notes=like(any).{${'a'.repeat(201)},b}`],
    ['a list of 501 values', `id=in.(${many(501, '1')})`],
    ['such a list in a group', `or=(id.in.(${many(501, '1')}))`],
    ['sixty-one conditions in a group', `or=(${many(62, 'id.is.null')})`],
    ['sixty-one conditions', Array(61).fill('id=is.null').join('&')],
    ['six levels of tables', `select=${'contacts('.repeat(6)}id${')'.repeat(6)}`],
    ['thirty-one tables', `select=${many(31, 'contacts(id)')}`],
    ['a regular expression', 'first_name=match.a'],
  ]
  it.each(costly)('not %s: 400 before the backend is asked', async (_, search) => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    const answer = await rawRequest(port, `/rest/v1/contacts?${search}`)
    expect([answer.status, JSON.parse(answer.body.toString()).code]).toEqual([400, 'PGRST100'])
    expect(backend.asked).toEqual([])
  })

  const fair: [string, string][] = [
    ['a pattern of 190 letters', `first_name=like.*${'a'.repeat(190)}*`],
    ['a long value that is no pattern', `notes=eq.${'a'.repeat(3000)}`],
    ['a list of 300 values', `id=in.(${many(300, '1')})`],
    ['twenty conditions', `or=(${many(20, 'id.is.null')})`],
    ['tables within tables', 'select=*,companies(name,deals(name,contacts(email)))'],
  ]
  it.each(fair)('%s', async (_, search) => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    expect((await rawRequest(port, `/rest/v1/contacts?${search}`)).status).toBe(200)
    expect(backend.asked).toHaveLength(1)
  })
})
