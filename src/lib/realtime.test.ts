import { afterEach, expect, test, vi } from 'vitest'
import { joinChannel } from './realtime.ts'

/** The stored session, as it is renewed with or without an event. */
const session = vi.hoisted(() => ({ token: 'one', tell: (_event: string) => {} }))
vi.mock('./auth-client.ts', () => ({
  accessToken: async () => session.token,
  whenLoaded(listener: (auth: object) => void) {
    listener({
      onAuthStateChange(follow: (event: string) => void) {
        session.tell = follow
        return { data: { subscription: { unsubscribe: () => {} } } }
      },
    })
    return () => {}
  },
}))
vi.mock('./backend.ts', () => ({
  backend: () => ({ url: 'http://localhost', key: 'key' }),
  windowHeaders: {},
}))

type Sent = { event: string; token: unknown }

/** Says yes to everything, and remembers the tokens that came. */
class FakeSocket {
  static sent: Sent[] = []
  static last: FakeSocket | null = null
  readyState = 0
  onopen = () => {}
  onclose = (_event: object) => {}
  onmessage = (_event: object) => {}
  onerror = () => {}
  constructor() {
    FakeSocket.last = this
    setTimeout(() => {
      this.readyState = 1
      this.onopen()
    })
  }
  send(text: string): void {
    const [join, ref, topic, event, payload] = JSON.parse(text)
    if (payload.access_token !== undefined)
      FakeSocket.sent.push({ event, token: payload.access_token })
    const answer = [join, ref, topic, 'phx_reply', { status: 'ok', response: {} }]
    setTimeout(() => this.onmessage({ data: JSON.stringify(answer) }))
  }
  close(code = 1006): void {
    this.readyState = 3
    this.onclose({ code, wasClean: false })
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('the channel is joined again with the token of that time, however the session was renewed', async () => {
  vi.stubGlobal('WebSocket', FakeSocket)
  const onJoined = vi.fn()
  const leave = joinChannel('u', { onBroadcast: () => {}, onJoined, onRefused: () => {} })
  await vi.waitFor(() => expect(onJoined).toHaveBeenCalledTimes(1))
  session.token = 'two'
  session.tell('TOKEN_REFRESHED')
  await vi.waitFor(() =>
    expect(FakeSocket.sent).toEqual([
      { event: 'phx_join', token: 'one' },
      { event: 'access_token', token: 'two' },
    ]),
  )
  // As another window or the app itself renews it: no event tells this client.
  session.token = 'three'
  FakeSocket.last?.close()
  await vi.waitFor(() => expect(onJoined).toHaveBeenCalledTimes(2), 5000)
  expect(FakeSocket.sent.at(-1)).toEqual({ event: 'phx_join', token: 'three' })
  leave()
})
