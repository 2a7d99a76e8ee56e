import { MutationObserver } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'

function setUp() {
  const listeners = { onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() }
  return { client: createQueryClient(listeners), ...listeners }
}

describe('reads', () => {
  test('a failure is told with what was read and why', async () => {
    const { client, onFailed, onSessionGone } = setUp()
    await client
      .fetchQuery({
        queryKey: ['contacts'],
        queryFn: () => Promise.reject({ code: '57014', message: 'canceling statement' }),
        meta: { failed: 'Failed to fetch contacts' },
      })
      .catch(() => {})
    expect(onFailed.mock.calls).toEqual([
      ['Failed to fetch contacts: This took too long and was stopped.'],
    ])
    expect(onSessionGone).not.toHaveBeenCalled()
  })

  test('a session that the backend does not know is told', async () => {
    const { client, onSessionGone } = setUp()
    const queryFn = () => Promise.reject({ status: 401, code: 'PGRST301', message: 'JWT expired' })
    await client.fetchQuery({ queryKey: ['x'], queryFn }).catch(() => {})
    expect(onSessionGone).toHaveBeenCalledOnce()
  })
})

describe('writes', () => {
  test('both ends are told in words', async () => {
    const { client, onSaved, onFailed } = setUp()
    const meta = { saved: 'Company updated successfully', failed: 'Failed to update company' }
    await new MutationObserver(client, { mutationFn: async () => {}, meta }).mutate()
    expect(onSaved.mock.calls).toEqual([['Company updated successfully']])
    const mutationFn = () => Promise.reject(new TypeError('Failed to fetch'))
    await new MutationObserver(client, { mutationFn, meta }).mutate().catch(() => {})
    expect(onFailed.mock.calls).toEqual([
      [
        'Failed to update company: The server cannot be reached. Check your connection and try again.',
      ],
    ])
  })
})
