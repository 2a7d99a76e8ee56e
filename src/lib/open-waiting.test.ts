import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { windowName } from './backend.ts'
import { leaveWaiting, useLeaveWaiting } from './leave-waiting.ts'
import { noteAnswer } from './network.ts'
import { databases } from './test-databases.ts'
import { beginSession } from './test-session.ts'
import type { WaitingWrite } from './waiting-queue.ts'
import { openWaiting, prepareWaiting, sendOnce, waitingQueue } from './waiting-writes.ts'

vi.mock('idb-keyval', async () => (await import('#lib/test-databases.ts')).idbKeyval)

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

/** The browser's locks: the next one gets a lock when the one before gives it back. */
function newLocks() {
  const held = new Map<string, Promise<unknown>>()
  return {
    request(name: string, ...rest: [() => Promise<unknown>] | [object, () => Promise<unknown>]) {
      const run = rest.at(-1) as () => Promise<unknown>
      const done = (held.get(name) ?? Promise.resolve()).then(run, run)
      held.set(name, done)
      return done
    },
  }
}

const locks = newLocks()
const persist = vi.fn(async () => true)
let close = () => {}
let endSession = () => {}
const kept = () => databases.get('solo-u') ?? new Map<string, unknown>()

beforeEach(() => {
  endSession = beginSession()
  vi.stubGlobal('navigator', { onLine: true, userAgent: '', locks, storage: { persist } })
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  databases.set('solo-u', kept())
  close = prepareWaiting('u', async () => {})
})
afterEach(() => {
  close()
  kept().clear()
  noteAnswer(true)
  endSession()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('who leaves before the first screen has settled is asked about what waits', async () => {
  kept().set('waiting:one', write)
  const leave = vi.fn(async () => {})
  const leaving = leaveWaiting('sign out', leave)
  const { result } = renderHook(useLeaveWaiting)
  await vi.waitFor(() => expect(result.current).not.toBeNull())
  result.current?.answer(false)
  expect([await leaving, leave.mock.calls.length]).toEqual([false, 0])
  expect([...kept().keys()]).toEqual(['waiting:one'])
})

test('nothing is wiped where the queue cannot be read', async () => {
  kept().set('waiting:one', write)
  close()
  const leave = vi.fn(async () => {})
  await expect(leaveWaiting('delete account', leave)).rejects.toThrow('cannot be shown')
  kept().clear()
  expect(await leaveWaiting('delete account', leave)).toBe(true)
})

test('a write that is answered in a moment is not asked about', async () => {
  await openWaiting()
  const queue = waitingQueue()
  await queue?.put({ ...write, isDirect: true, window: windowName })
  setTimeout(() => queue?.drop('one'), 50)
  expect(await leaveWaiting('sign out', async () => {})).toBe(true)
})

test('what a closed window had on its way is sent by a window that stays open', async () => {
  let closeOther = () => {}
  locks.request('solo-window-other', () => new Promise<void>((resolve) => (closeOther = resolve)))
  await Promise.resolve()
  await openWaiting()
  noteAnswer(false)
  // As the other window would, which begins after this one.
  kept().set('waiting:one', { ...write, at: Date.now() + 1, isDirect: true, window: 'other' })
  new BroadcastChannel('solo-waiting-u').postMessage(null)
  await vi.waitFor(() => expect(waitingQueue()?.all()).toMatchObject([{ isDirect: true }]))
  expect(waitingQueue()?.listed()).toEqual([])
  closeOther()
  await vi.waitFor(() => expect(waitingQueue()?.listed()).toMatchObject([{ title: 'Ada' }]))
  expect(waitingQueue()?.listed()[0]).not.toHaveProperty('isDirect')
})

test('the browser is asked to keep what waits, and the user before it is lost where it cannot be kept', async () => {
  noteAnswer(false)
  const isWarned = () => {
    const leaving = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leaving)
    return leaving.defaultPrevented
  }
  const { action, args, title } = write
  await sendOnce({ action, args, title, shown: [] }, 'kept')
  expect([persist.mock.calls.length, waitingQueue()?.isStored('kept'), isWarned()]).toEqual([
    1,
    true,
    false,
  ])
  // The disk is full.
  vi.spyOn(kept(), 'set').mockImplementation(() => {
    throw new DOMException('No room.', 'QuotaExceededError')
  })
  await sendOnce({ action, args, title, shown: [] }, 'not kept')
  expect([waitingQueue()?.isStored('not kept'), isWarned()]).toEqual([false, true])
  await waitingQueue()?.drop('not kept')
  expect(isWarned()).toBe(false)
})
