import { createClient } from '@supabase/supabase-js'
import { afterEach, expect, test, vi } from 'vitest'
import { leavingFetch } from './leaving-fetch.ts'

const token = `e30.${btoa(JSON.stringify({ sub: 'ada', exp: 4_000_000_000 }))}.x`

async function signedIn(send: typeof fetch) {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  const session = { access_token: token, refresh_token: 'r', expires_at: 4_000_000_000 }
  items.set('session', JSON.stringify({ ...session, token_type: 'bearer', user: { id: 'ada' } }))
  const { auth } = createClient('http://crm.example', 'key', {
    auth: { storage, storageKey: 'session', autoRefreshToken: false },
    global: { fetch: leavingFetch(send) },
  })
  return { auth, isKept: () => items.has('session') }
}

const lost = vi.fn<typeof fetch>(async () => {
  throw new TypeError('Failed to fetch')
})

afterEach(() => vi.clearAllMocks())

test('whoever signs out without a network is signed out on this device', async () => {
  const { auth, isKept } = await signedIn(lost)
  expect((await auth.signOut({ scope: 'local' })).error).toBeNull()
  expect(lost).toHaveBeenCalledOnce()
  expect(isKept()).toBe(false)
})

test('a server that fails keeps them signed in', async () => {
  const { auth, isKept } = await signedIn(async () => Response.json({ msg: 'x' }, { status: 500 }))
  expect((await auth.signOut({ scope: 'local' })).error).not.toBeNull()
  expect(isKept()).toBe(true)
})

test('signing out everywhere else needs the server', async () => {
  const { auth, isKept } = await signedIn(lost)
  expect((await auth.signOut({ scope: 'others' })).error).not.toBeNull()
  expect(isKept()).toBe(true)
})
