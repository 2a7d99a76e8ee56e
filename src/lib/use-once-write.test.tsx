import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setKeepsData } from './device-store.ts'
import type { ListSource, ListView } from './list-source.ts'
import { noteAnswer } from './network.ts'
import { createQueryClient } from './query-client.ts'
import { takeBack } from './settle-waiting.ts'
import { beginSession } from './test-session.ts'
import { useList } from './use-list.ts'
import { useOnceWrite } from './use-list-write.ts'
import { KeptWrite, prepareWaiting, useWaiting, useWaitingState } from './waiting-writes.ts'

type Row = { id: string; name: string }

const view: ListView<Record<string, never>> = { filter: {}, sort: 'name', descending: false }
const source: ListSource<Row, typeof view> = {
  key: ['things'],
  failed: 'Failed to fetch things',
  readPage: async () => ({ rows: [{ id: 'b', name: 'b' }], next: null }),
  readCount: async () => 1,
  compare: () => (one, other) => one.name.localeCompare(other.name),
}

const [onKept, onFailed, onSaved] = [vi.fn(), vi.fn(), vi.fn()]
const send = vi.fn<typeof fetch>()
let close = () => {}
let endSession = () => {}

beforeEach(() => {
  vi.clearAllMocks()
  endSession = beginSession()
  vi.spyOn(globalThis, 'fetch').mockImplementation(send)
  // Nobody opens it: a write does so itself.
  close = prepareWaiting('a', async () => {})
})
afterEach(() => {
  close()
  cleanup()
  endSession()
  noteAnswer(true)
  setKeepsData(true)
  vi.restoreAllMocks()
})

async function setUp() {
  const client = createQueryClient({ onSaved, onFailed, onKept, onSessionGone: vi.fn() })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(
    () => ({
      list: useList(source, view),
      waiting: useWaiting(),
      state: useWaitingState('c'),
      add: useOnceWrite(source, {
        once: (row: Row) => ({ action: 'add contact', args: { values: row }, title: row.name }),
        shown: (row) => ({ kind: 'add', row }),
        answer: (row) => row as Row,
        confirmed: (row) => ({ kind: 'add', row }),
        saved: 'Saved',
        failed: 'Failed to create thing',
      }),
    }),
    { wrapper },
  )
  await waitFor(() => expect(result.current.list.total).toBe(1))
  const shown = () => result.current.list.rows.map(({ name }) => name)
  return { result, shown }
}

const added = { id: 'c', name: 'c' }

test('without a network it is kept, shown and counted once, and can be taken back', async () => {
  noteAnswer(false)
  const { result, shown } = await setUp()
  const answer = await act(() => result.current.add(added))
  expect(answer).toBeInstanceOf(KeptWrite)
  expect(send).not.toHaveBeenCalled()
  await waitFor(() => expect(shown()).toEqual(['b', 'c']))
  expect(result.current.list.total).toBe(2)
  expect(result.current.state).toBe('waiting')
  expect(result.current.waiting).toMatchObject([{ title: 'c', isTried: false }])
  expect([onKept.mock.calls.length, onSaved.mock.calls, onFailed.mock.calls]).toEqual([1, [], []])
  await act(async () => {
    expect(await takeBack((answer as KeptWrite).batch)).toBe(true)
  })
  expect(shown()).toEqual(['b'])
  expect(result.current.list.total).toBe(1)
  expect(result.current.state).toBeNull()
})

test('sent later, it says when it was written', async () => {
  close()
  close = prepareWaiting('u', async () => {})
  send.mockRejectedValue(new TypeError('Failed to fetch'))
  noteAnswer(false)
  const { result } = await setUp()
  await act(() => result.current.add(added))
  const [{ batch, at } = { batch: '', at: 0 }] = result.current.waiting
  send.mockImplementation(async () => Response.json({ batch, row: added }))
  act(() => noteAnswer(true))
  await waitFor(() => expect(result.current.waiting).toEqual([]))
  const sent = send.mock.calls.filter(([url]) => String(url).includes('write_once')).at(-1)
  expect(JSON.parse(String(sent?.[1]?.body))).toEqual({
    batch,
    action: 'add contact',
    args: { values: added, written_at: new Date(at).toISOString() },
  })
})

test('a write whose answer is lost is kept, and behind it every later one', async () => {
  send.mockRejectedValue(new TypeError('Failed to fetch'))
  const { result, shown } = await setUp()
  expect(await act(() => result.current.add(added))).toBeInstanceOf(KeptWrite)
  // As by another request: the network is there, and still the order is kept.
  noteAnswer(true)
  expect(await act(() => result.current.add({ id: 'a', name: 'a' }))).toBeInstanceOf(KeptWrite)
  expect(result.current.waiting).toMatchObject([
    { title: 'c', isTried: true },
    { title: 'a', isTried: false },
  ])
  expect(shown()).toEqual(['a', 'b', 'c'])
  // Nobody knows whether it has arrived: the server is told.
  const [first] = result.current.waiting
  await act(async () => void (await takeBack(first?.batch ?? '')))
  expect(result.current.waiting).toMatchObject([{ state: 'taken back' }, { title: 'a' }])
  expect(shown()).toEqual(['a', 'b'])
  for (const { batch } of result.current.waiting)
    await act(async () => void (await takeBack(batch)))
})

test('a refusal fails as ever, and nothing is kept', async () => {
  const why = { code: 'PT400', message: 'No. Nothing was saved.' }
  send.mockImplementation(async () => Response.json(why, { status: 400 }))
  const { result, shown } = await setUp()
  await act(() => expect(result.current.add(added)).rejects.toMatchObject({ code: 'PT400' }))
  expect(result.current.waiting).toEqual([])
  await waitFor(() => expect(shown()).toEqual(['b']))
  expect(onFailed.mock.calls).toEqual([[`Failed to create thing: ${why.message}`]])
})

test('an answer is shown at once, and nothing waits', async () => {
  send.mockImplementation(async () => Response.json({ row: added, batch: 'x' }))
  const { result } = await setUp()
  expect(await act(() => result.current.add(added))).toEqual(added)
  expect(onSaved.mock.calls).toEqual([['Saved']])
  expect(result.current.waiting).toEqual([])
  const [, init] = send.mock.calls[0] ?? []
  expect(JSON.parse(String(init?.body))).toMatchObject({
    action: 'add contact',
    args: { values: added },
  })
})

test.each([502, 503, 504])(
  'what a proxy answers for a server that is away (%i) keeps it',
  async (status) => {
    send.mockImplementation(async () => new Response('<html>Bad gateway</html>', { status }))
    const { result } = await setUp()
    expect(await act(() => result.current.add(added))).toBeInstanceOf(KeptWrite)
    expect(result.current.waiting).toMatchObject([{ title: 'c', isTried: true }])
    expect(onFailed).not.toHaveBeenCalled()
  },
)

test('where nothing is kept on the device, it fails as ever', async () => {
  setKeepsData(false)
  send.mockRejectedValue(new TypeError('Failed to fetch'))
  const { result } = await setUp()
  await act(() => expect(result.current.add(added)).rejects.toBeTruthy())
  expect(onFailed).toHaveBeenCalledTimes(1)
  expect(result.current.waiting).toEqual([])
})
