import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteAnswer } from '#lib/network.ts'
import { databases } from '#lib/test-databases.ts'
import { beginSession } from '#lib/test-session.ts'
import { keepDevice } from './keeper.ts'
import { contactsKey, contactsOf, forgetLoaded, partKey, readKey } from './kept-data.ts'

vi.mock('idb-keyval', async () => (await import('#lib/test-databases.ts')).idbKeyval)

/** What the server has, what it was asked, and how long it takes to answer. */
const server = vi.hoisted(() => ({ people: ['Ada'], asked: [] as string[], takes: 0 }))
vi.mock('#lib/supabase.ts', () => ({
  tryNetwork: async () => {},
  async callForJson(name: string) {
    server.asked.push(name)
    const rows = server.people.map((first, place) => [`${place}`, first])
    await new Promise((resolve) => setTimeout(resolve, server.takes))
    const mark = { change: server.asked.length, at: '' }
    if (name === 'device_contacts') return { rows, next: null, mark }
    if (name === 'device_changes') return { is_whole: true, rows, gone: [], mark }
    return name === 'pipeline_list' ? [] : { rows: [], next: null }
  },
}))
const news = vi.hoisted(() => new Set<() => void>())
vi.mock('#lib/live.ts', () => ({
  onNews(listener: () => void) {
    news.add(listener)
    return () => news.delete(listener)
  },
}))

const minute = 60_000
let endSession = () => {}
let stop = () => {}
beforeEach(() => {
  endSession = beginSession()
  vi.useFakeTimers()
  Object.assign(server, { people: ['Ada'], asked: [], takes: 0 })
  stop = keepDevice(new QueryClient(), 'u', 'UTC')
})
afterEach(() => {
  stop()
  forgetLoaded()
  databases.get('solo-u')?.clear()
  noteAnswer(true)
  vi.useRealTimers()
  endSession()
})

/** Another window adds somebody. */
function add(name: string): void {
  server.people.push(name)
  for (const tell of news) tell()
}
const kept = () => databases.get('solo-u') ?? new Map<string, unknown>()
const namesKept = async () => (await contactsOf('u'))?.rows.map(([, first]) => first)
const rounds = () => server.asked.filter((name) => /^device_c/.test(name)).length
/** In the middle of a reading: its answer was made before. */
async function untilRound(number: number): Promise<void> {
  for (let count = 0; rounds() < number && count < 60; count += 1)
    await vi.advanceTimersByTimeAsync(minute / 6)
  expect(rounds()).toBe(number)
}

test('what changes soon after it was read is read five minutes later, and then nothing more', async () => {
  await vi.advanceTimersByTimeAsync(2 * minute)
  expect(await namesKept()).toEqual(['Ada'])
  add('Grace')
  await vi.advanceTimersByTimeAsync(2 * minute)
  expect(await namesKept()).toEqual(['Ada'])
  await vi.advanceTimersByTimeAsync(4 * minute)
  expect(await namesKept()).toEqual(['Ada', 'Grace'])
  const before = rounds()
  await vi.advanceTimersByTimeAsync(60 * minute)
  expect(rounds()).toBe(before)
})

test('what changes while it is read is read again', async () => {
  await vi.advanceTimersByTimeAsync(minute)
  server.takes = 30_000
  add('Grace')
  await untilRound(2)
  add('Edsger')
  expect(await namesKept()).toEqual(['Ada'])
  server.takes = 0
  await vi.advanceTimersByTimeAsync(10 * minute)
  expect(await namesKept()).toEqual(['Ada', 'Grace', 'Edsger'])
})

test('a reading that failed halfway is not taken for done', async () => {
  await vi.advanceTimersByTimeAsync(minute)
  kept().delete(readKey)
  stop()
  stop = keepDevice(new QueryClient(), 'u', 'UTC')
  const before = rounds()
  await vi.advanceTimersByTimeAsync(minute)
  expect(rounds()).toBe(before + 1)
})

test('what is read when the session ends is not kept', async () => {
  await vi.advanceTimersByTimeAsync(minute)
  const before = kept().get(partKey(0))
  server.takes = 30_000
  add('Grace')
  await untilRound(2)
  localStorage.removeItem('sb-localhost-auth-token')
  await vi.advanceTimersByTimeAsync(minute)
  expect(kept().get(partKey(0))).toEqual(before)
})

test('the contacts are loaded once, until others are kept', async () => {
  await vi.advanceTimersByTimeAsync(minute)
  const first = await contactsOf('u')
  noteAnswer(false)
  await vi.advanceTimersByTimeAsync(60 * minute)
  expect(await contactsOf('u')).toBe(first)
  // By another window, before this one lost its network.
  kept().set(partKey(0), JSON.stringify([['0', 'Grace']]))
  kept().set(contactsKey, { ...Object(kept().get(contactsKey)), at: Date.now() })
  expect(await namesKept()).toEqual(['Grace'])
})
