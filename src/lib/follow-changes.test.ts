import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { windowName } from './backend.ts'
import { followChanges } from './live.ts'

/** The channel, and what the database answers when it is asked what is new. */
const fake = vi.hoisted(() => ({
  channel: null as null | { onBroadcast: (news: unknown) => void; onJoined: () => void },
  newest: { mark: 'one', age: 1_000_000 as number | null },
  asked: 0,
}))
vi.mock('./realtime.ts', () => ({
  joinChannel(_account: string, channel: typeof fake.channel) {
    fake.channel = channel
    return () => {}
  },
}))
vi.mock('./supabase.ts', () => ({
  async callForJson() {
    fake.asked += 1
    return fake.newest
  },
}))

const stops: (() => void)[] = []
const read = vi.fn(async () => 'read')
beforeEach(async () => {
  vi.useFakeTimers()
  Object.assign(fake, { newest: { mark: 'one', age: 1_000_000 }, asked: 0 })
  read.mockClear()
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const observer = new QueryObserver(queryClient, { queryKey: ['companies'], queryFn: read })
  stops.push(observer.subscribe(() => {}))
  stops.push(
    followChanges({ queryClient, account: 'u', isTyping: () => false, onRefused: () => {} }),
  )
  fake.channel?.onJoined()
  await rest()
  expect([read.mock.calls.length, fake.asked]).toEqual([1, 1])
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.useRealTimers()
})

const rest = () => vi.advanceTimersByTimeAsync(1000)
const tell = (news: object) =>
  fake.channel?.onBroadcast({ tables: ['companies'], batch: null, window: null, ...news })

test('what another window wrote is read again, its own write is not', async () => {
  tell({ window: windowName })
  await rest()
  expect(read).toHaveBeenCalledTimes(1)
  tell({ window: 'another-window' })
  await rest()
  expect(read).toHaveBeenCalledTimes(2)
})

test('after a gap it asks, and reads again only when something is new', async () => {
  tell({ tables: null })
  await rest()
  expect([read.mock.calls.length, fake.asked]).toEqual([1, 2])
  fake.newest = { mark: 'two', age: 1_000_000 }
  tell({ tables: null })
  await rest()
  expect([read.mock.calls.length, fake.asked]).toEqual([2, 3])
})

test('so it does when the channel is joined again', async () => {
  fake.newest = { mark: 'two', age: 1_000_000 }
  fake.channel?.onJoined()
  await rest()
  expect(read).toHaveBeenCalledTimes(2)
})

test('what does not read as news is no news', async () => {
  tell({ tables: 'companies' })
  await rest()
  expect([read.mock.calls.length, fake.asked]).toEqual([1, 1])
})
