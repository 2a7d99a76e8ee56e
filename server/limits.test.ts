import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limitKey } from './client-address.ts'
import { fakeBackend, rawRequest, serveApp } from './test-server.ts'

const env = {
  RATE_LIMIT_WINDOW_SECONDS: '600',
  RATE_LIMIT_SIGN_IN: '3',
  RATE_LIMIT_SIGN_UP: '2',
  RATE_LIMIT_MAIL: '1',
}

type Attempt = { path: string; method?: string; body?: unknown; from?: string }

async function client(more: Record<string, string> = {}) {
  const backend = fakeBackend()
  const { port } = await serveApp({ env: { ...env, ...more }, backend })
  async function attempt({ path, method = 'POST', body = {}, from }: Attempt) {
    return rawRequest(port, `/auth/v1/${path}`, {
      method,
      headers: from ? { 'X-Forwarded-For': from } : {},
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    })
  }
  async function statuses(count: number, next: (index: number) => Attempt) {
    const result: number[] = []
    for (let index = 0; index < count; index += 1) result.push((await attempt(next(index))).status)
    return result
  }
  return { backend, attempt, statuses }
}

const signIn = 'token?grant_type=password'

describe('limits', () => {
  it('refuse with words, a time to wait and the shape supabase-js reads', async () => {
    const { attempt, statuses, backend } = await client()
    const body = { email: 'ada@example.com', password: 'x' }
    expect(await statuses(3, () => ({ path: signIn, body }))).toEqual([200, 200, 200])
    const refused = await attempt({ path: signIn, body })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600)
    expect(refused.headers['cache-control']).toBe('no-store')
    expect(JSON.parse(refused.body.toString())).toEqual({
      code: 429,
      error_code: 'over_request_rate_limit',
      msg: 'Too many attempts. Please wait 10 minutes and try again.',
    })
    expect(backend.asked).toHaveLength(3)
  })

  it('count an address whatever the account', async () => {
    const { statuses } = await client()
    const result = await statuses(4, (index) => ({
      path: signIn,
      body: { email: `a${index}@b.co` },
    }))
    expect(result).toEqual([200, 200, 200, 429])
  })

  it('count an account whatever the address and the spelling', async () => {
    const { statuses } = await client({ TRUST_PROXY: '1' })
    const spellings = ['ada@example.com', 'ADA@example.com', ' ada@Example.com ', 'Ada@example.com']
    const result = await statuses(4, (index) => ({
      path: signIn,
      body: { email: spellings[index] },
      from: `10.0.0.${index}`,
    }))
    expect(result).toEqual([200, 200, 200, 429])
  })

  it('begin anew when the window ends', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { attempt, statuses } = await client()
    expect(await statuses(3, () => ({ path: 'signup' }))).toEqual([200, 200, 429])
    vi.advanceTimersByTime(600_000)
    expect((await attempt({ path: 'signup' })).status).toBe(200)
  })

  it.each([
    ['signup', 'POST', 2],
    ['verify', 'POST', 3],
    ['recover', 'POST', 1],
    ['resend', 'POST', 1],
    ['otp', 'POST', 1],
    ['magiclink', 'POST', 1],
    ['user', 'PUT', 1],
    ['reauthenticate', 'GET', 1],
    ['token', 'POST', 3],
    ['token?grant_type=refresh_token&grant_type=password', 'POST', 3],
    ['token?grant_type=password&grant_type=refresh_token', 'POST', 3],
  ])('hold for %s', async (path, method, allowed) => {
    const { statuses } = await client()
    const body = { email: 'ada@example.com' }
    const result = await statuses(allowed + 1, () => ({ path, method, body }))
    expect(result).toEqual([...Array(allowed).fill(200), 429])
  })

  it.each([
    ['token?grant_type=refresh_token', 'POST', { refresh_token: 'x' }],
    ['user', 'PUT', { data: { name: 'Ada' } }],
    ['user', 'GET', {}],
    ['logout', 'POST', {}],
    ['signup', 'GET', {}],
  ])('leave %s %s alone', async (path, method, body) => {
    const { statuses } = await client()
    expect(new Set(await statuses(6, () => ({ path, method, body })))).toEqual(new Set([200]))
  })

  it('cannot be walked around by writing the path differently', async () => {
    const { attempt, backend } = await client()
    for (const path of ['%74oken?grant_type=password', 'sign%75p', 'x/..%2Ftoken']) {
      expect((await attempt({ path })).status).toBe(404)
    }
    expect(backend.asked).toEqual([])
  })
})

describe('the address that counts', () => {
  it('is the socket, whatever a client claims', async () => {
    const { statuses } = await client()
    const result = await statuses(4, (index) => ({ path: signIn, from: `10.0.0.${index}` }))
    expect(result).toEqual([200, 200, 200, 429])
  })

  it('is the one our proxy saw, not what the client wrote before it', async () => {
    const { statuses } = await client({ TRUST_PROXY: '1' })
    const forged = await statuses(4, (index) => ({
      path: signIn,
      from: `9.9.9.${index}, 10.0.0.1`,
    }))
    expect(forged).toEqual([200, 200, 200, 429])
    expect(await statuses(1, () => ({ path: signIn, from: '10.0.0.2' }))).toEqual([200])
  })

  it('is counted through as many proxies as there are', async () => {
    const { statuses } = await client({ TRUST_PROXY: '2' })
    const result = await statuses(4, (index) => ({
      path: signIn,
      from: `9.9.9.9, 10.0.0.1, 172.16.0.${index}`,
    }))
    expect(result).toEqual([200, 200, 200, 429])
  })

  it('falls back to the socket when the header is short or odd', async () => {
    const { statuses } = await client({ TRUST_PROXY: '2' })
    const claims = ['10.0.0.1', 'x, y', '', '10.0.0.2']
    const result = await statuses(4, (index) => ({ path: signIn, from: claims[index] ?? '' }))
    expect(result).toEqual([200, 200, 200, 429])
  })

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s counts as %s', (address, key) => {
    expect(limitKey(address)).toBe(key)
  })
})

describe('requests for data', () => {
  async function asker(more: Record<string, string>) {
    const backend = fakeBackend()
    backend.accountOf = ({ headers }) => headers.get('authorization')
    const { port } = await serveApp({ env: more, backend })
    return (account: string, from = '192.0.2.1') =>
      rawRequest(port, '/rest/v1/contacts', {
        headers: { Authorization: account, 'X-Forwarded-For': from },
      })
  }

  it('are counted per account, whatever address they come from', async () => {
    const ask = await asker({ RATE_LIMIT_ACCOUNT: '2', TRUST_PROXY: '1' })
    expect((await ask('ada')).status).toBe(200)
    expect((await ask('ada', '192.0.2.2')).status).toBe(200)
    const refused = await ask('ada', '192.0.2.3')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(JSON.parse(refused.body.toString())).toMatchObject({
      code: 'over_request_rate_limit',
      message: expect.stringContaining('Nothing was saved; try again in'),
    })
    expect((await ask('bob')).status).toBe(200)
  })

  it('are counted per address, whoever asks', async () => {
    const ask = await asker({ RATE_LIMIT_ADDRESS: '2', TRUST_PROXY: '1' })
    expect((await ask('ada')).status).toBe(200)
    expect((await ask('bob')).status).toBe(200)
    expect((await ask('cleo')).status).toBe(429)
    expect((await ask('cleo', '192.0.2.2')).status).toBe(200)
  })
})
