import { createClient, processLock, RealtimeClient } from '@supabase/supabase-js'
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

  /** A window: a client of its own, on the storage that all windows of a browser share. */
  function openWindow(kept: Map<string, string>, calls: string[] = []) {
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }
    const { auth } = createClient('http://localhost', 'key', {
      auth: {
        storage,
        storageKey: 'kept',
        persistSession: true,
        autoRefreshToken: false,
        // In a browser its own locks let one window after the other look at the session.
        lock: processLock,
      },
      global: {
        fetch: async (input) => {
          calls.push(String(input))
          return Response.json(String(input).endsWith('/user') ? ada : renewed)
        },
      },
    })
    return auth
  }
  const seconds = Math.floor(now.getTime() / 1000)
  const ada = { id: 'ada', email: 'ada@example.com', aud: 'authenticated', role: 'authenticated' }
  const renewed = {
    access_token: 'd.e.f',
    refresh_token: 'renewed',
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: seconds + 3600,
    user: ada,
  }

  test('a reload after a sign-up, a confirmed address or a new password keeps the session', async () => {
    for (const begin of [
      (auth: ReturnType<typeof openWindow>) =>
        auth.signUp({ email: 'ada@example.com', password: 'secret-1' }),
      (auth: ReturnType<typeof openWindow>) =>
        auth.verifyOtp({ token_hash: 'from-the-mail', type: 'signup' }),
      async (auth: ReturnType<typeof openWindow>) => {
        await auth.signInWithPassword({ email: 'ada@example.com', password: 'secret-1' })
        return auth.updateUser({ password: 'secret-2' })
      },
    ]) {
      const kept = new Map<string, string>()
      expect((await begin(openWindow(kept))).error).toBeNull()
      const { data } = await openWindow(kept).getSession()
      expect(data.session).toMatchObject({ refresh_token: 'renewed', user: { id: 'ada' } })
    }
  })

  test('a second window with an expired session takes the one that the first has renewed', async () => {
    const expired = { ...renewed, refresh_token: 'old', expires_at: seconds - 60 }
    const kept = new Map([['kept', JSON.stringify(expired)]])
    const calls: string[] = []
    const windows = [openWindow(kept, calls), openWindow(kept, calls)]
    for (const auth of windows) {
      const { data } = await auth.getSession()
      expect(data.session?.refresh_token).toBe('renewed')
    }
    expect(calls.filter((url) => url.includes('refresh_token'))).toHaveLength(1)
  })

  test.each(['}{ not JSON', 'null', '[]', '"text"', '{"user":{"id":"ada"}}'])(
    'what is no session, %s, is none',
    async (text) => {
      const calls: string[] = []
      const { data } = await openWindow(new Map([['kept', text]]), calls).getSession()
      expect(data.session).toBeNull()
      expect(calls).toEqual([])
    },
  )

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
