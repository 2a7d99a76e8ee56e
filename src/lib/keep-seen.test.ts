import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DeviceStore } from './device-store.ts'
import {
  deviceStore,
  keepsData,
  preferencesPlace,
  setKeepsData,
  wipeDevice,
} from './device-store.ts'
import { isKept, keepSeen, mostScreens, mostText, wipeRead, writeScreens } from './keep-seen.ts'
import { noteAnswer } from './network.ts'
import { createQueryClient } from './query-client.ts'
import { answersMark, keptFor, readSeen, recallScreen, seenKey } from './seen-screens.ts'
import { databases } from './test-databases.ts'
import { beginSession } from './test-session.ts'

vi.mock('idb-keyval', async () => (await import('./test-databases.ts')).idbKeyval)

const newClient = () =>
  createQueryClient({ onSaved: () => {}, onFailed: () => {}, onSessionGone: () => {} })
const path = '/app/contacts'
const kept = () => databases.get('solo-u') ?? new Map<string, unknown>()

let end = () => {}
beforeEach(() => {
  end = beginSession()
  window.history.replaceState(null, '', path)
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  for (const place of databases.values()) place.clear()
  setKeepsData(true)
  noteAnswer(true)
  end()
})

/** A screen that reads, with what it keeps of it. */
async function see(key: string[], data: unknown, meta: { isOfFrame?: true } = {}): Promise<void> {
  const client = newClient()
  const stopKeeping = keepSeen(client, 'u')
  const observer = new QueryObserver(client, { queryKey: key, queryFn: async () => data, meta })
  const stop = observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(2000)
  stop()
  stopKeeping()
}

async function recalled(key: string[], at = path): Promise<unknown> {
  const client = newClient()
  await recallScreen(client, at)
  return client.getQueryData(key)
}

test('what stands around every screen is there on one that was never opened', async () => {
  await see(['counts'], 3, { isOfFrame: true })
  await see(['contacts'], ['Ada'])
  expect(await recalled(['counts'], '/app/tasks')).toBe(3)
  expect(await recalled(['contacts'], '/app/tasks')).toBeUndefined()
})

describe('what a screen showed', () => {
  test('is there at the next start, and is read again', async () => {
    await see(['contacts'], ['Ada'])
    const client = newClient()
    await recallScreen(client, path)
    expect(client.getQueryData(['contacts'])).toEqual(['Ada'])
    expect(client.getQueryState(['contacts'])?.isInvalidated).toBe(true)
  })

  test('is nobody else’s', async () => {
    await see(['contacts'], ['Ada'])
    localStorage.setItem(
      'sb-localhost-auth-token',
      JSON.stringify({ refresh_token: 'token', user: { id: 'grace' } }),
    )
    expect(await recalled(['contacts'])).toBeUndefined()
  })

  test('is nothing to a visitor who is not signed in', async () => {
    await see(['contacts'], ['Ada'])
    localStorage.removeItem('sb-localhost-auth-token')
    expect(await recalled(['contacts'])).toBeUndefined()
  })

  test('is dropped by a version with other answers, after 30 days, and when it cannot be read', () => {
    const at = 1_000_000
    const text = (answers: string) => JSON.stringify({ answers, at, queries: [] })
    expect(readSeen(text(answersMark), at)).not.toBeNull()
    expect(readSeen(text('another'), at)).toBeNull()
    expect(readSeen(text(answersMark), at + keptFor)).toBeNull()
    for (const broken of [undefined, '', '{', 'null', '7']) expect(readSeen(broken, at)).toBeNull()
  })

  test('is not kept where nothing is to be kept, and turned off it is gone', async () => {
    await see(['contacts'], ['Ada'])
    setKeepsData(false)
    expect(keepsData()).toBe(false)
    expect(await recalled(['contacts'])).toBeUndefined()
    kept().set('waiting:a', ['a write'])
    kept().set('mail-draft a', {})
    localStorage.setItem(preferencesPlace('u'), '{}')
    await wipeRead('u')
    expect([...kept().keys()]).toEqual(['waiting:a'])
    expect(localStorage.getItem(preferencesPlace('u'))).toBeNull()
    await see(['contacts'], ['Ada'])
    expect([...kept().keys()]).toEqual(['waiting:a'])
    localStorage.setItem(preferencesPlace('u'), '{}')
    await wipeDevice('u')
    expect(kept().size).toBe(0)
    expect(localStorage.getItem(preferencesPlace('u'))).toBeNull()
  })

  test('is not written by what was under way when keeping was turned off', async () => {
    const store = deviceStore('u')
    await writeScreens(store, [[path, 'before']])
    const late = writeScreens(store, [[path, 'late']])
    setKeepsData(false)
    await Promise.all([late, wipeRead('u')])
    await Promise.all([store.set('kept:read', 1), store.set('mail-draft a', {})])
    expect([...kept().keys()]).toEqual([])
    // What the user wrote is kept all the same.
    await store.set('waiting:a', {})
    expect([...kept().keys()]).toEqual(['waiting:a'])
  })

  test('is not written behind a sign-out, nor is what waits, until somebody signs in again', async () => {
    const store = deviceStore('u')
    const session = localStorage.getItem('sb-localhost-auth-token') ?? ''
    // A session that expired drops nothing that the user wrote.
    localStorage.removeItem('sb-localhost-auth-token')
    await store.set('waiting:a', {})
    expect([...kept().keys()]).toEqual(['waiting:a'])
    const late = writeScreens(store, [[path, 'late']])
    await Promise.all([wipeDevice('u'), late, store.set('waiting:b', {})])
    expect([...kept().keys()]).toEqual([])
    localStorage.setItem('sb-localhost-auth-token', session)
    await store.set('waiting:c', {})
    await store.set('kept:read', 1)
    expect([...kept().keys()]).toEqual(['waiting:c', 'kept:read'])
  })

  test('is not written behind a sign-out in another window, nor is what waits', async () => {
    vi.useRealTimers()
    const store = deviceStore('u')
    const session = localStorage.getItem('sb-localhost-auth-token') ?? ''
    localStorage.removeItem('sb-localhost-auth-token')
    const other = new BroadcastChannel('solo-wiped')
    other.postMessage('u')
    await vi.waitFor(async () => {
      await store.remove('waiting:a')
      await store.set('waiting:a', {})
      expect([...kept().keys()]).toEqual([])
    })
    other.close()
    localStorage.setItem('sb-localhost-auth-token', session)
    await store.set('waiting:b', {})
    expect([...kept().keys()]).toEqual(['waiting:b'])
  })

  test('is not overwritten without a network', async () => {
    await see(['contacts'], ['Ada'])
    noteAnswer(false)
    await see(['contacts'], ['from the device'])
    noteAnswer(true)
    expect(await recalled(['contacts'])).toEqual(['Ada'])
  })

  test('does not hold secrets, or what a form is doing', () => {
    for (const name of [
      'calendar-feed',
      'card-feed',
      'account-sessions',
      'quick-add',
      'import rows',
    ]) {
      expect(isKept([name, 'x'])).toBe(false)
    }
    expect(isKept(['contacts', 'pages', {}])).toBe(true)
  })

  test('of a long list the first two pages', async () => {
    await see(['contacts', 'pages'], { pages: [1, 2, 3], pageParams: [null, 'a', 'b'] } as never)
    expect(await recalled(['contacts', 'pages'])).toEqual({
      pages: [1, 2],
      pageParams: [null, 'a'],
    })
  })
})

describe('what is kept in all', () => {
  const held = new Map<string, unknown>()
  const store = {
    get: async (key: string) => held.get(key),
    remove: async (key: string) => void held.delete(key),
    setMany: async (entries: [string, unknown][]) => {
      for (const [key, value] of entries) held.set(key, value)
    },
  } as DeviceStore

  beforeEach(() => held.clear())

  test('the newest screens, up to a number', async () => {
    for (let place = 0; place <= mostScreens; place += 1) {
      await writeScreens(store, [[`/app/${place}`, 'text']], place)
    }
    expect(held.has(seenKey('/app/0'))).toBe(false)
    expect(held.has(seenKey('/app/1'))).toBe(true)
    expect(held.has(seenKey(`/app/${mostScreens}`))).toBe(true)
  })

  test('up to a size, and up to an age', async () => {
    await writeScreens(store, [['/app/old', 'text']], 0)
    await writeScreens(store, [['/app/a', 'x'.repeat(mostText - 10)]], 1)
    expect(held.has(seenKey('/app/old'))).toBe(true)
    await writeScreens(store, [['/app/b', 'x'.repeat(100)]], 2)
    expect(held.has(seenKey('/app/a'))).toBe(false)
    await writeScreens(store, [['/app/c', 'text']], keptFor + 1)
    expect(held.has(seenKey('/app/old'))).toBe(false)
    expect(held.has(seenKey('/app/b'))).toBe(true)
  })
})
