import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteAnswer } from '#lib/network.ts'
import { databases } from '#lib/test-databases.ts'
import { beginSession } from '#lib/test-session.ts'
import { keepDevice } from './keeper.ts'
import { contactsKey, contactsOf, forgetLoaded, listKey, partKey, readKey } from './kept-data.ts'

vi.mock('idb-keyval', async () => (await import('#lib/test-databases.ts')).idbKeyval)

/** What the server has, what it was asked, and how long it takes to answer. */
const server = vi.hoisted(() => ({
  people: ['Ada'],
  asked: [] as string[],
  tasksUntil: '',
  takes: 0,
  /** Contacts in a part. */
  size: 1000,
}))
vi.mock('#lib/supabase.ts', () => ({
  tryNetwork: async () => {},
  async callForJson(
    name: string,
    { after, filter }: { after?: string; filter?: { due_to: string } },
  ) {
    server.asked.push(after ? `${name} after ${after}` : name)
    server.tasksUntil = filter?.due_to ?? server.tasksUntil
    const all = server.people.map((first, place) => [`${place}`, first])
    const rest =
      name === 'device_contacts' ? all.filter(([id]) => Number(id) > Number(after ?? -1)) : all
    const rows = rest.slice(0, server.size)
    await new Promise((resolve) => setTimeout(resolve, server.takes))
    const mark = { change: server.asked.length, at: '' }
    if (name === 'device_contacts')
      return { rows, next: rest.length > rows.length ? rows.at(-1)?.[0] : null, mark }
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
  Object.assign(server, { people: ['Ada'], asked: [], takes: 0, size: 1000 })
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

test('a short visit keeps tasks and deals, and the next one goes on with the contacts', async () => {
  stop()
  databases.get('solo-u')?.clear()
  Object.assign(server, { people: ['Ada', 'Grace', 'Edsger'], size: 1, asked: [] })
  // In Auckland it is tomorrow already.
  vi.setSystemTime('2026-11-19T20:00:00Z')
  stop = keepDevice(new QueryClient(), 'u', 'Pacific/Auckland')
  server.takes = 10_000
  await vi.advanceTimersByTimeAsync(45_000)
  // Hidden while the second part comes.
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await vi.advanceTimersByTimeAsync(60_000)
  stop()
  hidden.mockRestore()
  expect(await namesKept()).toBeUndefined()
  expect([kept().has(listKey('tasks')), server.tasksUntil]).toEqual([true, '2026-12-04'])
  Object.assign(server, { takes: 0, asked: [], people: ['Ada Lovelace', 'Grace', 'Edsger'] })
  stop = keepDevice(new QueryClient(), 'u', 'Pacific/Auckland')
  await vi.advanceTimersByTimeAsync(minute)
  expect(server.asked.filter((name) => name.startsWith('device_c'))).toEqual([
    'device_contacts after 1',
    'device_changes',
  ])
  expect(await namesKept()).toEqual(['Ada Lovelace', 'Grace', 'Edsger'])
  expect([...kept().keys()].filter((key) => key.startsWith('kept:coming'))).toEqual([])
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
