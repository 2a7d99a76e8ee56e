import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { accessToken, authClient, whenLoaded } from './auth-client.ts'
import { noteAnswer } from './network.ts'
import { sessionKey } from './stored-session.ts'
import { beginSession } from './test-session.ts'

const library = vi.hoisted(() => ({
  made: 0,
  getSession: async (): Promise<object> => ({
    data: { session: { access_token: 'renewed' } },
    error: null,
  }),
  refreshSession: vi.fn(),
}))

vi.mock('@supabase/auth-js', () => ({
  GoTrueClient: class {
    getSession = () => library.getSession()
    refreshSession = library.refreshSession
    constructor() {
      library.made += 1
    }
  },
}))

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
function store(expires_at: number): void {
  const session = { access_token: 'stored', refresh_token: 'r', expires_at, user: { id: 'ada' } }
  localStorage.setItem(sessionKey(), JSON.stringify(session))
}

let end = () => {}
beforeEach(() => {
  noteAnswer(true)
  end = beginSession()
})
afterEach(() => {
  noteAnswer(true)
  end()
})

test('a stored token that lasts is used as it is, and the library is not loaded', async () => {
  store(inSeconds(120))
  expect(await accessToken()).toBe('stored')
  // Without a network nobody could renew it.
  store(inSeconds(-60))
  noteAnswer(false)
  expect(await accessToken()).toBe('stored')
  expect(library.made).toBe(0)
})

test('one that is about to expire is renewed; whoever watches hears of the library first', async () => {
  store(inSeconds(60))
  const order: string[] = []
  const forget = whenLoaded(() => order.push('listener'))
  const gone = whenLoaded(() => order.push('gone'))
  gone()
  expect(await accessToken()).toBe('renewed')
  await authClient().then(() => order.push('whoever asked'))
  expect(order).toEqual(['listener', 'whoever asked'])
  expect(library.made).toBe(1)
  forget()
})

test('nobody waits for a renewal that is tried again and again when the network turns out to be gone', async () => {
  store(inSeconds(-60))
  const renew = library.getSession
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  library.getSession = () => answered.then(renew)
  const token = accessToken()
  noteAnswer(false)
  expect(await token).toBeNull()
  noteAnswer(true)
  const later = accessToken()
  answer()
  expect(await later).toBe('renewed')
  library.getSession = renew
})

describe('after the library has tried in vain, for which it rests a minute', () => {
  const renew = library.getSession
  beforeEach(() => {
    store(inSeconds(-60))
    const error = { name: 'AuthRetryableFetchError', status: 0, message: 'Failed to fetch' }
    library.getSession = async () => ({ data: { session: null }, error })
    library.refreshSession.mockReset()
  })
  afterEach(() => {
    library.getSession = renew
  })
  const stored = () => JSON.parse(localStorage.getItem(sessionKey()) ?? 'null')
  const anew = { access_token: 'anew', refresh_token: 's', user: { id: 'ada' } }

  test('the token is renewed all the same, once for all who ask, and stored', async () => {
    library.refreshSession.mockResolvedValue({ data: { session: anew } })
    expect(await Promise.all([accessToken(), accessToken()])).toEqual(['anew', 'anew'])
    expect(library.refreshSession.mock.calls).toEqual([[{ refresh_token: 'r' }]])
    expect(stored()).toEqual(anew)
  })

  test('nobody who has left meanwhile is signed in again', async () => {
    library.refreshSession.mockImplementation(async () => {
      localStorage.removeItem(sessionKey())
      return { data: { session: anew } }
    })
    expect(await accessToken()).toBeNull()
    expect(stored()).toBeNull()
  })

  test('where it fails again, nothing changes', async () => {
    library.refreshSession.mockResolvedValue({ data: { session: null } })
    expect(await accessToken()).toBeNull()
    expect(stored()).toMatchObject({ refresh_token: 'r' })
  })
})
