import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leaveWaiting, useLeaveWaiting } from './leave-waiting.ts'
import { startSender } from './send-waiting.ts'
import { createWaitingQueue, type WaitingQueue, type WaitingWrite } from './waiting-queue.ts'
import { alone, setWaiting } from './waiting-state.ts'

const write: WaitingWrite = {
  batch: 'one',
  action: 'add contact',
  args: { values: { id: '00000000-0000-4000-8000-000000000001' } },
  title: 'Ada',
  at: 1,
  state: 'waiting',
  isTried: false,
  shown: [],
}

let items: Map<string, unknown>
let queue: WaitingQueue
const sent: string[] = []
let sender: ReturnType<typeof startSender>

beforeEach(async () => {
  // One after the other, as the browser's locks are.
  let last: Promise<unknown> = Promise.resolve()
  vi.stubGlobal('navigator', {
    onLine: true,
    locks: {
      request(_name: string, _options: object, run: () => Promise<unknown>) {
        last = last.then(run, run)
        return last
      },
    },
  })
  items = new Map()
  queue = createWaitingQueue(
    {
      get: async (key) => items.get(key) as never,
      getMany: async (keys) => keys.map((key) => items.get(key) as never),
      set: async (key, value) => void items.set(key, value),
      setMany: async (entries) => entries.forEach(([key, value]) => void items.set(key, value)),
      remove: async (key) => void items.delete(key),
      keys: async () => [...items.keys()],
      wipe: async () => items.clear(),
    },
    () => {},
  )
  await queue.put(write)
  sent.length = 0
  sender = startSender({
    account: 'ada',
    queue,
    onSent: async () => {},
    send: async ({ title }) => {
      sent.push(title)
      return { kind: 'done' }
    },
    lock: alone,
  })
  setWaiting({ account: 'ada', queue, wake: sender.wake })
})
afterEach(() => {
  sender.stop()
  setWaiting(null)
  vi.unstubAllGlobals()
})

/** What the question is answered with, as soon as it is asked. */
async function answer(mayLeave: boolean): Promise<void> {
  const { result } = renderHook(useLeaveWaiting)
  await vi.waitFor(() => expect(result.current).not.toBeNull())
  result.current?.answer(mayLeave)
}

test('what is given up is neither sent while the account leaves nor lost when that fails', async () => {
  const leaving = leaveWaiting('sign out', async () => {
    sender.wake()
    await new Promise((later) => setTimeout(later, 20))
    expect(sent).toEqual([])
    throw new Error('The server is away.')
  })
  await answer(true)
  await expect(leaving).rejects.toThrow('away')
  // They are still signed in: it goes its way.
  await vi.waitFor(() => expect(sent).toEqual(['Ada']))
})

test('it goes with what is wiped when they have left', async () => {
  const leaving = leaveWaiting('sign out', async () => items.clear())
  await answer(true)
  expect(await leaving).toBe(true)
  sender.wake()
  await new Promise((later) => setTimeout(later, 20))
  expect(sent).toEqual([])
})

test('whoever stays keeps everything', async () => {
  const leave = vi.fn(async () => {})
  const leaving = leaveWaiting('sign out', leave)
  await answer(false)
  expect(await leaving).toBe(false)
  expect(leave).not.toHaveBeenCalled()
  expect(queue.all()).toHaveLength(1)
})
