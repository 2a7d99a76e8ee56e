import {
  focusManager,
  QueryClient,
  QueryClientProvider,
  QueryObserver,
} from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ListSource, ListView } from './list-source.ts'
import { useList } from './use-list.ts'
import { readAgain, useListWrite } from './use-list-write.ts'

type Row = { id: string; name: string }

let stored: Row[]
let reads: number
/** While it is set, reads get no answer. */
let held: Promise<void> | null
let settle: { save: () => void; refuse: () => void }
/** Names of the rows whose write was sent, in order. */
let sent: string[]
const view: ListView<Record<string, never>> = { filter: {}, sort: 'name', descending: false }
const source: ListSource<Row, typeof view> = {
  key: ['things'],
  failed: 'Failed to fetch things',
  async readPage(_view, after) {
    reads += 1
    await held
    const from = after === null ? 0 : Number(after)
    const next = from + 2 < stored.length ? from + 2 : null
    return { rows: stored.slice(from, from + 2), next }
  },
  async readCount() {
    await held
    return stored.length
  },
  compare: () => (one, other) => one.name.localeCompare(other.name),
}

function setUp({ isSerial = false } = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(
    () => ({
      list: useList(source, view),
      add: useListWrite(source, {
        async write(row: Row) {
          sent.push(row.name)
          await new Promise<void>((save, refuse) => {
            settle = { save, refuse: () => refuse(new Error('no')) }
          })
          stored = [...stored, row].toSorted((one, other) => one.name.localeCompare(other.name))
        },
        optimistic: (row) => ({ kind: 'add', row }),
        isSerial,
        failed: 'Failed to create thing',
      }),
    }),
    { wrapper },
  )
  const shown = () => result.current.list.rows.map(({ name }) => name)
  return { result, shown }
}

beforeEach(() => {
  stored = ['b', 'd', 'f'].map((name) => ({ id: name, name }))
  reads = 0
  held = null
  sent = []
})
afterEach(cleanup)

test('pages come one after the other, and the total at once', async () => {
  const { result, shown } = setUp()
  await waitFor(() => expect(shown()).toEqual(['b', 'd']))
  await waitFor(() => expect(result.current.list.total).toBe(3))
  act(() => result.current.list.more.load())
  await waitFor(() => expect(shown()).toEqual(['b', 'd', 'f']))
  act(() => result.current.list.more.load())
  expect(reads).toBe(2)
})

test('a window that gets the focus reads its list again, unless it is scrolled', async () => {
  const { result, shown } = setUp()
  await waitFor(() => expect(shown()).toEqual(['b', 'd']))
  act(() => result.current.list.more.load())
  await waitFor(() => expect(shown()).toEqual(['b', 'd', 'f']))
  const comeBack = () =>
    act(async () => {
      focusManager.setFocused(false)
      focusManager.setFocused(true)
    })
  result.current.list.onShown([1, 2])
  await comeBack()
  expect(reads).toBe(2)
  result.current.list.onShown([0, 1])
  await comeBack()
  await waitFor(() => expect(reads).toBe(4))
  focusManager.setFocused(undefined)
})

test('a write shows before it is answered, and stays', async () => {
  const { result, shown } = setUp()
  await waitFor(() => expect(result.current.list.total).toBe(3))
  await waitFor(() => expect(shown()).toEqual(['b', 'd']))
  let done: Promise<unknown> = Promise.resolve()
  act(() => {
    done = result.current.add({ id: 'c', name: 'c' })
  })
  await waitFor(() => expect(shown()).toEqual(['b', 'c', 'd']))
  expect(result.current.list.total).toBe(4)
  // Between the answer and what is read again after it, the cache alone can tell of the row.
  let release = () => {}
  held = new Promise((resolve) => {
    release = resolve
  })
  settle.save()
  await act(() => done)
  expect(shown()).toEqual(['b', 'c', 'd'])
  expect(result.current.list.total).toBe(4)
  release()
  await waitFor(() => expect(shown()).toEqual(['b', 'c']))
})

test('writes of which the later must win wait for each other', async () => {
  const { result, shown } = setUp({ isSerial: true })
  await waitFor(() => expect(shown()).toEqual(['b', 'd']))
  let done: Promise<unknown> = Promise.resolve()
  act(() => {
    done = Promise.all([
      result.current.add({ id: 'a', name: 'a' }),
      result.current.add({ id: 'c', name: 'c' }),
    ])
  })
  await waitFor(() => expect(shown()).toEqual(['a', 'b', 'c', 'd']))
  expect(sent).toEqual(['a'])
  settle.save()
  await waitFor(() => expect(sent).toEqual(['a', 'c']))
  settle.save()
  await act(() => done)
})

test('other writes do not wait', async () => {
  const { result, shown } = setUp()
  await waitFor(() => expect(shown()).toEqual(['b', 'd']))
  act(() => {
    result.current.add({ id: 'a', name: 'a' })
    result.current.add({ id: 'c', name: 'c' })
  })
  await waitFor(() => expect(sent).toEqual(['a', 'c']))
})

test('a write that fails is gone again', async () => {
  const { result, shown } = setUp()
  await waitFor(() => expect(shown()).toEqual(['b', 'd']))
  let done: Promise<unknown> = Promise.resolve()
  act(() => {
    done = result.current.add({ id: 'c', name: 'c' }).catch(() => 'refused')
  })
  await waitFor(() => expect(shown()).toEqual(['b', 'c', 'd']))
  settle.refuse()
  expect(await act(() => done)).toBe('refused')
  await waitFor(() => expect(shown()).toEqual(['b', 'd']))
  expect(result.current.list.total).toBe(3)
})

test('a list that was scrolled far is read again only where that was asked for', async () => {
  const client = new QueryClient()
  const pages = Array.from({ length: 5 }, () => ({ rows: [], next: null }))
  let reads = 0
  const queryFn = async () => {
    reads += 1
    return { pages, pageParams: pages }
  }
  const observer = new QueryObserver(client, { queryKey: ['things'], queryFn })
  const stop = observer.subscribe(() => {})
  await waitFor(() => expect(reads).toBe(1))
  await readAgain(client)
  expect(reads).toBe(1)
  await readAgain(client, 20)
  expect(reads).toBe(2)
  stop()
})
