import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerFromDevice, answerWith } from './device-answers.ts'
import { notHere, readProblem, unreachable } from './errors.ts'
import { noteAnswer } from './network.ts'
import {
  createQueryClient,
  isOfDevice,
  readAt,
  resumeReads,
  waitForWrites,
} from './query-client.ts'

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

  test('several reads that fail for one reason are told once, by the first; another reason is told too', async () => {
    vi.useFakeTimers()
    const { client, onFailed } = setUp()
    const lost = new TypeError('Failed to fetch')
    const slow = { code: '57014', message: 'canceling statement' }
    async function read(name: string, error: unknown): Promise<void> {
      const meta = { failed: `Failed to fetch ${name}` }
      const queryFn = () => Promise.reject(error)
      const options = { queryKey: [name], queryFn, meta, retry: false, staleTime: 0 }
      await client.fetchQuery(options).catch(() => {})
    }
    const told = () => onFailed.mock.calls.map(([text]) => text.split(':')[0])
    client.setQueryData(['views'], [])
    await Promise.all(['contacts', 'views', 'deals'].map((name) => read(name, lost)))
    expect(told()).toEqual(['Failed to fetch contacts'])
    await read('tasks', slow)
    await read('deals', slow)
    expect(told()).toEqual(['Failed to fetch contacts', 'Failed to fetch tasks'])
    // The message is gone from the screen by now.
    vi.advanceTimersByTime(10_000)
    await read('deals', lost)
    expect(told()).toHaveLength(3)
    vi.useRealTimers()
  })

  test('what a write has told is not told again by the reads after it, but by the next write', async () => {
    const { client, onFailed } = setUp()
    const lost = () => Promise.reject(new TypeError('Failed to fetch'))
    const meta = { failed: 'Failed to update company' }
    const write = new MutationObserver(client, { mutationFn: lost, meta })
    await write.mutate().catch(() => {})
    await client
      .fetchQuery({
        queryKey: ['x'],
        queryFn: lost,
        retry: false,
        meta: { failed: 'Failed to fetch x' },
      })
      .catch(() => {})
    await write.mutate().catch(() => {})
    expect(onFailed.mock.calls.map(([text]) => text.split(':')[0])).toEqual([
      'Failed to update company',
      'Failed to update company',
    ])
  })

  test('a session that the backend does not know is told', async () => {
    const { client, onSessionGone } = setUp()
    const queryFn = () => Promise.reject({ status: 401, code: 'PGRST301', message: 'JWT expired' })
    await client.fetchQuery({ queryKey: ['x'], queryFn }).catch(() => {})
    expect(onSessionGone).toHaveBeenCalledOnce()
  })
})

describe('without a network', () => {
  beforeEach(() => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    noteAnswer(false)
    answerWith(async (name) => (name === 'contact_page' ? { answer: ['kept'], at: 7 } : null))
  })
  afterEach(() => {
    vi.restoreAllMocks()
    noteAnswer(true)
    answerWith(null)
  })

  /** As a call of the database does when nobody answers. */
  const lost = (name: string) => async (context: { signal: AbortSignal }) => {
    const kept = await answerFromDevice(name, {}, context.signal)
    if (kept === undefined) throw new TypeError('Failed to fetch')
    return kept
  }
  const meta = { failed: 'Failed to fetch contacts' }

  test('what has nothing to show is answered by the device, with the time of its data', async () => {
    const { client } = setUp()
    const options = { queryKey: ['contacts'], queryFn: lost('contact_page') }
    expect(await client.fetchQuery(options)).toEqual(['kept'])
    const query = client.getQueryCache().find({ queryKey: ['contacts'] })
    expect(query && [isOfDevice(query), readAt(query)]).toEqual([true, 7])
    noteAnswer(true)
    await client.fetchQuery({ ...options, queryFn: async () => ['read'], staleTime: 0 })
    expect(query && isOfDevice(query)).toBe(false)
  })

  test('a read that nobody answers is answered by the device, also when the network goes meanwhile', async () => {
    vi.useFakeTimers()
    noteAnswer(true)
    const { client } = setUp()
    let count = 0
    const queryFn = (context: { signal: AbortSignal }) => {
      count += 1
      return count === 1 ? new Promise<unknown>(() => {}) : lost('contact_page')(context)
    }
    const read = client.fetchQuery({ queryKey: ['contacts'], queryFn, retry: 1 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(count).toBe(1)
    noteAnswer(false)
    await vi.advanceTimersByTimeAsync(5001)
    expect(await read).toEqual(['kept'])
    vi.useRealTimers()
  })

  test('what was read before stays, and no error is told', async () => {
    const { client, onFailed } = setUp()
    client.setQueryData(['contacts'], ['seen'], { updatedAt: 5 })
    const options = { queryKey: ['contacts'], queryFn: lost('contact_page'), meta, staleTime: 0 }
    await client.fetchQuery(options).catch(() => {})
    expect(client.getQueryData(['contacts'])).toEqual(['seen'])
    await client.fetchQuery({ queryKey: ['report'], queryFn: lost('report'), meta }).catch(() => {})
    expect(onFailed).not.toHaveBeenCalled()
  })
})

describe('without an answer, before it is certain that there is no network', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    noteAnswer(false)
  })
  afterEach(() => {
    vi.useRealTimers()
    noteAnswer(true)
  })

  function failOnce() {
    const { client, onFailed } = setUp()
    let isLost = true
    const queryFn = async () => {
      if (isLost) throw new TypeError('Failed to fetch')
      return 'read'
    }
    const meta = { failed: 'Failed to fetch contacts' }
    const options = { queryKey: ['contacts'], queryFn, meta, retry: false, staleTime: 0 }
    const read = () => client.fetchQuery(options).catch(() => {})
    const heal = () => {
      isLost = false
    }
    return { client, onFailed, read, heal }
  }

  test('nothing is told where nobody answers', async () => {
    const { onFailed, read } = failOnce()
    await read()
    await vi.advanceTimersByTimeAsync(60_000)
    await read()
    expect(onFailed).not.toHaveBeenCalled()
  })

  test('what stands on the screen is told calmly once it is certain, and only then', async () => {
    const { client, read } = failOnce()
    const reported: string[] = []
    const observer = new QueryObserver(client, { queryKey: ['contacts'], enabled: false })
    const stop = observer.subscribe(({ error }) => {
      if (error) reported.push(readProblem(error))
    })
    await read()
    noteAnswer(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reported).toEqual([unreachable])
    noteAnswer(false)
    await read()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reported.slice(-2)).toEqual([unreachable, notHere])
    stop()
  })

  test('it is told once others are answered, and not when it was read meanwhile', async () => {
    const lost = failOnce()
    await lost.read()
    const healed = failOnce()
    await healed.read()
    const left = failOnce()
    await left.read()
    noteAnswer(true)
    healed.heal()
    await healed.read()
    left.client.clear()
    expect(lost.onFailed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2000)
    expect(lost.onFailed).toHaveBeenCalledOnce()
    expect(healed.onFailed).not.toHaveBeenCalled()
    expect(left.onFailed).not.toHaveBeenCalled()
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
        'Failed to update company: The server can’t be reached. Check your connection and try again.',
      ],
    ])
  })
})

describe('coming to rest', () => {
  test('waits for what is being saved and gives up what is being read', async () => {
    const { client } = setUp()
    let save = () => {}
    const saved = vi.fn()
    const mutationFn = () =>
      new Promise<void>((resolve) => {
        save = resolve
      })
    const observer = new MutationObserver<void>(client, { mutationFn, onSuccess: saved })
    const mutation = observer.mutate()
    let signal: AbortSignal | undefined
    const read = client.fetchQuery({
      queryKey: ['x'],
      queryFn: (context) => {
        signal = context.signal
        return new Promise(() => {})
      },
    })
    read.catch(() => {})
    const rested = vi.fn()
    const rest = waitForWrites(client).then(rested)
    await Promise.resolve()
    expect(rested).not.toHaveBeenCalled()
    save()
    await Promise.all([mutation, rest])
    expect(saved).toHaveBeenCalledOnce()
    expect(signal?.aborted).toBe(true)
  })

  test('a save that nobody answers keeps nobody', async () => {
    vi.useFakeTimers()
    const { client } = setUp()
    const mutationFn = () => new Promise<void>(() => {})
    new MutationObserver(client, { mutationFn }).mutate()
    const rest = waitForWrites(client)
    await vi.advanceTimersByTimeAsync(5000)
    await rest
    expect(client.isMutating()).toBe(1)
    vi.useRealTimers()
  })

  test('what would be read while leaving waits until there is a session', async () => {
    const { client, onFailed } = setUp()
    const queryFn = vi.fn(async () => 'read')
    await waitForWrites(client)
    const read = client.fetchQuery({ queryKey: ['x'], queryFn })
    const page = client.fetchInfiniteQuery({
      queryKey: ['list'],
      queryFn,
      initialPageParam: 0,
      getNextPageParam: () => null,
    })
    await client.invalidateQueries({ refetchType: 'none' })
    expect(queryFn).not.toHaveBeenCalled()
    resumeReads(client)
    expect(await read).toBe('read')
    expect((await page).pages).toEqual(['read'])
    expect(onFailed).not.toHaveBeenCalled()
  })

  test('what a screen that is gone would have read is never read', async () => {
    const { client, onFailed } = setUp()
    const queryFn = vi.fn(async () => 'read')
    const meta = { failed: 'Failed to fetch x' }
    await waitForWrites(client)
    const leave = new QueryObserver(client, { queryKey: ['x'], queryFn, meta }).subscribe(() => {})
    leave()
    resumeReads(client)
    await client.fetchQuery({ queryKey: ['next'], queryFn: async () => 'next' })
    expect(queryFn).not.toHaveBeenCalled()
    expect(onFailed).not.toHaveBeenCalled()
  })
})
