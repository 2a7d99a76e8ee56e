import { afterEach, expect, test, vi } from 'vitest'
import { forgetLeft, leftSessions, noteLeft } from '#lib/left-sessions.ts'
import { watchSession } from './queries.ts'

type Emit = (event: string, session: object | null) => void

const library = vi.hoisted(() => ({ emit: (() => {}) as Emit, callFunction: vi.fn() }))

vi.mock('#lib/auth-client.ts', () => ({
  whenLoaded(listener: (auth: object) => void) {
    listener({
      onAuthStateChange(onEvent: Emit) {
        library.emit = onEvent
        return { data: { subscription: { unsubscribe() {} } } }
      },
    })
    return () => {}
  },
}))
vi.mock('#lib/supabase.ts', () => ({ callFunction: library.callFunction }))

const tokenOf = (sub: string, session_id: string) =>
  `e30.${btoa(JSON.stringify({ sub, session_id }))}.x`

afterEach(() => forgetLeft(['s1', 's2']))

test('the next sign-in ends what this device left of the same account, and tries again until it is done', async () => {
  noteLeft(tokenOf('ada', 's1'))
  noteLeft(tokenOf('bob', 's2'))
  watchSession(() => {})
  library.callFunction.mockRejectedValueOnce(new Error('away')).mockResolvedValue(1)
  for (const turn of [1, 2]) {
    library.emit('SIGNED_IN', { user: { id: 'ada' } })
    await vi.waitFor(() => expect(library.callFunction).toHaveBeenCalledTimes(turn))
    expect(library.callFunction).toHaveBeenLastCalledWith('end_sessions', { ids: ['s1'] })
  }
  await vi.waitFor(() => expect(leftSessions('ada')).toEqual([]))
  expect(leftSessions('bob')).toEqual(['s2'])
})
