import { createClient } from '@supabase/supabase-js'
import { act } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { leavingFetch } from './leaving-fetch.ts'
import { forgetLeft, leftSessions } from './left-sessions.ts'

const claims = { sub: 'ada', session_id: 's1', exp: 4_000_000_000 }
const token = `e30.${btoa(JSON.stringify(claims))}.x`

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

afterEach(() => {
  vi.clearAllMocks()
  forgetLeft(['s1'])
})

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

describe('a session that was left without a network', () => {
  const answers = (...list: (number | 'lost')[]) =>
    vi.fn<typeof fetch>(async () => {
      const next = list.shift()
      if (next === undefined || next === 'lost') throw new TypeError('Failed to fetch')
      return new Response(null, { status: next })
    })
  const networkComes = () => act(async () => void window.dispatchEvent(new Event('online')))

  test('is ended as soon as there is one, by the token that is nowhere stored', async () => {
    const send = answers('lost', 'lost', 503, 204)
    const { auth } = await signedIn(send)
    await auth.signOut({ scope: 'local' })
    expect(leftSessions('ada')).toEqual(['s1'])
    expect(JSON.stringify(localStorage)).not.toContain(token)
    await networkComes()
    await networkComes()
    expect(leftSessions('ada')).toEqual(['s1'])
    await networkComes()
    expect(leftSessions('ada')).toEqual([])
    expect(new Headers(send.mock.lastCall?.[1]?.headers).get('authorization')).toBe(
      `Bearer ${token}`,
    )
    await networkComes()
    expect(send).toHaveBeenCalledTimes(4)
  })

  test('whose token has expired meanwhile waits for the next sign-in of its account', async () => {
    const send = answers('lost', 401)
    const { auth } = await signedIn(send)
    await auth.signOut({ scope: 'local' })
    await networkComes()
    await networkComes()
    expect(send).toHaveBeenCalledTimes(2)
    expect(leftSessions('bob')).toEqual([])
    expect(leftSessions('ada')).toEqual(['s1'])
  })
})
