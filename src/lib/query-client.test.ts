import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
import { createQueryClient, optimisticWrite } from './query-client.ts'

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

describe('a write that shows at once', () => {
  async function rename(write: (name: string) => Promise<unknown>) {
    const { client, onSaved, onFailed } = setUp()
    const stored = ['Acme']
    const reads = vi.fn(async () => [...stored])
    const observer = new QueryObserver(client, { queryKey: ['companies'], queryFn: reads })
    const stop = observer.subscribe(() => {})
    await client.fetchQuery({ queryKey: ['companies'], queryFn: reads })
    const shown = () => client.getQueryData(['companies'])
    const mutation = new MutationObserver(client, {
      mutationFn: write,
      meta: { saved: 'Company updated successfully', failed: 'Failed to update company' },
      ...optimisticWrite<string[], string>(client, ['companies'], (_, name) => [name]),
    })
    const before = reads.mock.calls.length
    const result = mutation.mutate('Acme Inc').catch(() => {})
    await vi.waitFor(() => expect(shown()).toEqual(['Acme Inc']))
    return {
      stored,
      shown,
      result,
      onSaved,
      onFailed,
      stop,
      rereads: () => reads.mock.calls.length - before,
    }
  }

  test('is there before the backend answers, and read again after it', async () => {
    let answer = () => {}
    const write = await rename(() => new Promise<void>((resolve) => (answer = resolve)))
    expect(write.onSaved).not.toHaveBeenCalled()
    write.stored[0] = 'Acme Inc.'
    answer()
    await write.result
    expect(write.onSaved.mock.calls).toEqual([['Company updated successfully']])
    expect(write.shown()).toEqual(['Acme Inc.'])
    expect(write.rereads()).toBe(1)
    write.stop()
  })

  test('is taken back when it fails, and the user is told why', async () => {
    let refuse = (_: Error) => {}
    const write = await rename(() => new Promise((_, reject) => (refuse = reject)))
    refuse(new TypeError('Failed to fetch'))
    await write.result
    expect(write.shown()).toEqual(['Acme'])
    expect(write.onFailed.mock.calls).toEqual([
      [
        'Failed to update company: The server cannot be reached. Check your connection and try again.',
      ],
    ])
    expect(write.onSaved).not.toHaveBeenCalled()
    write.stop()
  })
})
