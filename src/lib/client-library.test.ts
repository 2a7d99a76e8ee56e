import { createClient, RealtimeClient } from '@supabase/supabase-js'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const now = new Date('2026-11-15T12:00:00Z')

/** The constants of the specification that are the client library's own: it must keep them. */
describe('the client library', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function setUp(secondsLeft: number, autoRefreshToken = true) {
    const calls: { url: string; body: unknown; headers: Headers }[] = []
    const session = {
      access_token: 'a.b.c',
      refresh_token: 'r',
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: Math.floor(now.getTime() / 1000) + secondsLeft,
      user: { id: 'ada' },
    }
    const storage = {
      getItem: () => JSON.stringify(session),
      setItem: () => {},
      removeItem: () => {},
    }
    const client = createClient('http://localhost', 'key', {
      auth: { storage, storageKey: String(secondsLeft), persistSession: true, autoRefreshToken },
      global: {
        fetch: async (input, init) => {
          const body = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body
          calls.push({ url: String(input), body, headers: new Headers(init?.headers) })
          return Response.json({ ...session, expires_at: session.expires_at + 3600 })
        },
      },
    })
    const refreshes = () => calls.filter((call) => call.url.includes('refresh_token')).length
    return { client, calls, refreshes }
  }

  test('looks every 30 seconds, and refreshes when 3 ticks or less remain', async () => {
    const { client, refreshes } = setUp(160)
    await client.auth.getSession()
    // 130 seconds remain: four ticks and a bit.
    await vi.advanceTimersByTimeAsync(30_000)
    expect(refreshes()).toBe(0)
    // 100 seconds: three.
    await vi.advanceTimersByTimeAsync(29_999)
    expect(refreshes()).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(refreshes()).toBe(1)
    await client.auth.stopAutoRefresh()
  })

  test.each([
    [91, 0],
    [89, 1],
  ])('with %i seconds left a look at the session refreshes it %i times', async (left, times) => {
    const { client, refreshes } = setUp(left, false)
    await client.auth.getSession()
    expect(refreshes()).toBe(times)
  })

  test('heartbeat every 25 seconds; reconnect delays 1, 2, 5 and 10 seconds', () => {
    const realtime = new RealtimeClient('ws://localhost', { params: { apikey: 'key' } })
    expect(realtime.heartbeatIntervalMs).toBe(25_000)
    const delays = [1, 2, 3, 4, 5].map((tries) => realtime.reconnectAfterMs(tries))
    expect(delays).toEqual([1000, 2000, 5000, 10_000, 10_000])
  })

  test('lists 100 items sorted by name ascending, and caches for 3600 seconds', async () => {
    const { client, calls } = setUp(3600)
    await client.storage.from('files').list()
    expect(calls.at(-1)?.body).toMatchObject({
      limit: 100,
      sortBy: { column: 'name', order: 'asc' },
    })
    await client.storage.from('files').upload('a.txt', new Uint8Array([1]))
    expect(calls.at(-1)?.headers.get('cache-control')).toBe('max-age=3600')
    await client.auth.stopAutoRefresh()
  })
})
