import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DeviceStore } from './device-store.ts'
import { type Outcome, outcomeOf, startSender } from './send-waiting.ts'
import { createWaitingQueue, type WaitingWrite } from './waiting-queue.ts'
import { setWaiting, useWaitingIn } from './waiting-state.ts'

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

function write(number: number, more: Partial<WaitingWrite> = {}): WaitingWrite {
  return {
    batch: `batch ${number}`,
    action: 'add contact',
    args: { values: { id: idOf(number) } },
    title: `Contact ${number}`,
    at: number,
    state: 'waiting',
    isTried: false,
    shown: [],
    ...more,
  }
}

/** What several windows of a browser share. */
function newStore(): DeviceStore & { items: Map<string, unknown> } {
  const items = new Map<string, unknown>()
  return {
    items,
    get: async (key) => structuredClone(items.get(key)) as never,
    getMany: async (keys) => keys.map((key) => structuredClone(items.get(key)) as never),
    set: async (key, value) => void items.set(key, structuredClone(value)),
    setMany: async (entries) => {
      for (const [key, value] of entries) items.set(key, structuredClone(value))
    },
    remove: async (key) => void items.delete(key),
    keys: async () => [...items.keys()],
    wipe: async () => items.clear(),
  }
}

/** One after the other, as the browser's locks are. */
function newLock() {
  let last: Promise<unknown> = Promise.resolve()
  return <Value>(_account: string, run: () => Promise<Value>): Promise<Value> => {
    const done = last.then(run, run)
    last = done
    return done
  }
}

/** A server that writes each batch once, and answers as it is told. */
function newServer() {
  const written: string[] = []
  const received: string[] = []
  const answers = new Map<string, Outcome | 'lost'>()
  return {
    written,
    received,
    answers,
    async send({ batch, title }: WaitingWrite): Promise<Outcome> {
      received.push(title)
      const answer = answers.get(batch) ?? { kind: 'done' }
      const isWritten = answer === 'lost' || answer.kind === 'done'
      if (isWritten && !written.includes(title)) written.push(title)
      return answer === 'lost' ? { kind: 'away' } : answer
    },
  }
}

function openWindow(store: DeviceStore, server = newServer(), lock = newLock()) {
  const queue = createWaitingQueue(store)
  const onSent = vi.fn(async () => {})
  const options = { account: 'a', queue, onSent, send: server.send, lock }
  // The lock of a test is not the browser's.
  const sender = startSender(options as Parameters<typeof startSender>[0])
  return { queue, sender, onSent }
}

const titles = (queue: { all: () => WaitingWrite[] }) => queue.all().map(({ title }) => title)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(0)

test('all are sent in the order in which they were written, and then read once', async () => {
  const [store, server] = [newStore(), newServer()]
  const { queue, sender, onSent } = openWindow(store, server)
  for (const number of [2, 1, 3]) await queue.put(write(number))
  sender.wake()
  await settle()
  expect(server.written).toEqual(['Contact 1', 'Contact 2', 'Contact 3'])
  expect([...store.items.keys()].filter((key) => key.startsWith('waiting:'))).toEqual([])
  expect(onSent).toHaveBeenCalledTimes(1)
})

test('what was sent shows over what was read before, also after a reload, for a week', async () => {
  const store = newStore()
  const { queue, sender } = openWindow(store)
  const list = ['contacts']
  await queue.put(write(1, { shown: [{ kind: 'add', row: { id: idOf(1) }, list }] }))
  await queue.put(write(2, { state: 'taken back' }))
  sender.wake()
  await settle()
  expect(titles(queue)).toEqual([])
  const again = openWindow(store).queue
  await again.reload()
  setWaiting({ account: 'a', queue: again, wake: () => {} })
  const shownIn = (readAt: number) =>
    renderHook(() => useWaitingIn(list, readAt)).result.current.map(({ batch }) => batch)
  expect([shownIn(Date.now() - 1), shownIn(Date.now())]).toEqual([['batch 1'], []])
  vi.setSystemTime(Date.now() + 8 * 24 * 60 * 60 * 1000)
  await again.reload()
  expect([again.sent(), store.items.size]).toEqual([[], 0])
  setWaiting(null)
})

test('without a network it is tried again after a while; a lost answer writes nothing twice', async () => {
  const server = newServer()
  const { queue, sender } = openWindow(newStore(), server)
  await queue.put(write(1))
  await queue.put(write(2))
  server.answers.set('batch 1', 'lost')
  sender.wake()
  await settle()
  expect(server.received).toEqual(['Contact 1'])
  expect(queue.all()[0]).toMatchObject({ isTried: true })
  server.answers.clear()
  await vi.advanceTimersByTimeAsync(2000)
  expect(server.received).toEqual(['Contact 1', 'Contact 1', 'Contact 2'])
  expect(server.written).toEqual(['Contact 1', 'Contact 2'])
})

test('a refusal is kept with its reason, what depends on it waits, and others go on', async () => {
  const server = newServer()
  const store = newStore()
  const { queue, sender } = openWindow(store, server)
  const note = { values: { id: idOf(9), contact_id: idOf(1) } }
  await queue.put(write(1))
  await queue.put(write(2, { action: 'add note', args: note, title: 'Note' }))
  await queue.put(write(3))
  server.answers.set('batch 1', { kind: 'refused', reason: 'No such company.' })
  sender.wake()
  await settle()
  expect(server.written).toEqual(['Contact 3'])
  expect(queue.all()).toMatchObject([
    { state: 'refused', reason: 'No such company.' },
    { title: 'Note', state: 'waiting' },
  ])
  expect(queue.all()).toHaveLength(2)
})

test('a conflict is kept with the other version', async () => {
  const server = newServer()
  const { queue, sender } = openWindow(newStore(), server)
  await queue.put(write(1, { action: 'edit note', args: { id: idOf(1) } }))
  server.answers.set('batch 1', { kind: 'conflict', theirs: { body: 'Theirs' } })
  sender.wake()
  await settle()
  expect(queue.all()).toMatchObject([{ state: 'conflict', theirs: { body: 'Theirs' } }])
})

test('one that breaks the server again and again makes way', async () => {
  const server = newServer()
  const { queue, sender } = openWindow(newStore(), server)
  await queue.put(write(1))
  await queue.put(write(2))
  server.answers.set('batch 1', { kind: 'later', why: 'Something went wrong.' })
  sender.wake()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(server.written).toEqual(['Contact 2'])
  expect(queue.all()).toMatchObject([{ state: 'refused', reason: 'Something went wrong.' }])
})

test('two windows send each write once', async () => {
  const [store, server, lock] = [newStore(), newServer(), newLock()]
  const one = openWindow(store, server, lock)
  const other = openWindow(store, server, lock)
  for (const number of [1, 2, 3, 4]) await one.queue.put(write(number))
  await other.queue.reload()
  one.sender.wake()
  other.sender.wake()
  await settle()
  expect(server.received).toEqual(['Contact 1', 'Contact 2', 'Contact 3', 'Contact 4'])
  await other.queue.reload()
  expect(titles(other.queue)).toEqual([])
})

test('after a reload, everything is there again, in its order', async () => {
  const store = newStore()
  const { queue } = openWindow(store)
  for (const number of [3, 1, 2]) await queue.put(write(number))
  const again = openWindow(store).queue
  await again.reload()
  expect(titles(again)).toEqual(['Contact 1', 'Contact 2', 'Contact 3'])
})

test('taken back in another window, it is not sent', async () => {
  const [store, server] = [newStore(), newServer()]
  const one = openWindow(store, server)
  const other = openWindow(store, server)
  await one.queue.put(write(1))
  await other.queue.reload()
  await other.queue.drop('batch 1')
  one.sender.wake()
  await settle()
  expect(server.received).toEqual([])
  expect(titles(one.queue)).toEqual([])
})

test('where the browser has no store, the memory of the window is enough', async () => {
  const none = {
    ...newStore(),
    set: async () => {},
    get: async () => undefined,
    keys: async () => [],
  }
  const server = newServer()
  const { queue, sender } = openWindow(none, server)
  await queue.put(write(1))
  await queue.reload()
  expect(titles(queue)).toEqual(['Contact 1'])
  sender.wake()
  await settle()
  expect(server.written).toEqual(['Contact 1'])
})

describe('what an answer means', () => {
  const error = { message: 'Nothing was saved.', code: 'PT400' }
  test.each<[string, { message: string; code?: string }, number, Outcome]>([
    ['no network', { message: 'TypeError: Failed to fetch' }, 0, { kind: 'away' }],
    ['a session that has ended', { message: 'x', code: 'PGRST301' }, 401, { kind: 'no session' }],
    ['too many requests', { message: 'x' }, 429, { kind: 'later' }],
    ['a server that starts', { message: 'x' }, 503, { kind: 'later' }],
    ['a server that fails', error, 500, { kind: 'later', why: error.message }],
    ['a refusal', error, 400, { kind: 'refused', reason: error.message }],
  ])('%s', (_, answer, status, outcome) => {
    expect(outcomeOf(answer, status)).toEqual(outcome)
  })
})
