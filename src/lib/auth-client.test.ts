import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { accessToken, authClient, whenLoaded } from './auth-client.ts'
import { noteAnswer } from './network.ts'
import { sessionKey } from './stored-session.ts'
import { beginSession } from './test-session.ts'

const library = vi.hoisted(() => ({
  made: 0,
  getSession: async () => ({ data: { session: { access_token: 'renewed' } }, error: null }),
}))

vi.mock('@supabase/auth-js', () => ({
  GoTrueClient: class {
    getSession = () => library.getSession()
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
