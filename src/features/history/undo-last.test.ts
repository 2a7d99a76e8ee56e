import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { createWaitingQueue, type WaitingWrite } from '#lib/waiting-queue.ts'
import { setWaiting } from '#lib/waiting-state.ts'
import type { HistoryEntry } from './queries.ts'
import { lastDone, undoLast } from './undo-last.ts'

const { latestHistory, undo, showToast, showError } = vi.hoisted(() => ({
  latestHistory: vi.fn<() => Promise<HistoryEntry[]>>(),
  undo: vi.fn<(order: { batch: () => Promise<string> }) => Promise<void>>(),
  showToast: vi.fn(),
  showError: vi.fn(),
}))
vi.mock('./queries.ts', () => ({ latestHistory }))
vi.mock('./undo-toast.ts', () => ({ undo }))
vi.mock('#ui/toast.tsx', () => ({ showToast, showError }))

const now = Date.parse('2026-11-15T10:00:00Z')
beforeEach(() => {
  vi.useFakeTimers({ now })
})
afterEach(() => {
  setWaiting(null)
  vi.clearAllMocks()
  vi.useRealTimers()
})

function entry(id: string, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id,
    batch: id,
    at: '2026-11-15T09:59:00Z',
    undoes: null,
    action: null,
    about: null,
    groups: [],
    undone: 'no',
    can_undo: true,
    ...more,
  }
}

test.each([
  ['the newest', [entry('two'), entry('one')], 'two'],
  [
    'pressed again, what was done before',
    [entry('undo', { undoes: 'two' }), entry('two', { undone: 'yes' }), entry('one')],
    'one',
  ],
  [
    'not what can only be undone in part, or not at all',
    [entry('three', { undone: 'partly' }), entry('two', { can_undo: false }), entry('one')],
    'one',
  ],
  [
    'what the user did, not a lead or an assistant',
    [entry('lead', { by: 'Form Website' }), entry('assistant', { by: 'Claude' }), entry('one')],
    'one',
  ],
  [
    'nothing that was done two hours ago without a network and is only sent now',
    [entry('sent now', { at: '2026-11-15T08:00:00Z' })],
    undefined,
  ],
  ['nothing of yesterday', [entry('one', { at: '2026-11-14T10:00:00Z' })], undefined],
  ['nothing', [], undefined],
])('Control+Z undoes %s', (_, entries, expected) => {
  expect(lastDone(entries, now)?.batch).toBe(expected)
})

const write = (batch: string, at: number): WaitingWrite => ({
  batch,
  at,
  action: 'complete task',
  args: {},
  title: 'Call Ada',
  state: 'waiting',
  isTried: false,
  shown: [],
})

async function wait(...writes: WaitingWrite[]): Promise<void> {
  const store = {
    get: async () => undefined,
    getMany: async (keys: string[]) => keys.map(() => undefined),
    set: async () => {},
    setMany: async () => {},
    remove: async () => {},
    keys: async () => [],
    wipe: async () => {},
  }
  const queue = createWaitingQueue(store)
  for (const each of writes) await queue.put(each)
  setWaiting({ account: 'me', queue, wake: () => {} })
}

/** What Control+Z takes back of what waits, undoes of what is logged, and says. */
async function press(client = new QueryClient()) {
  const takeBack = vi.fn(async (_batch: string) => {})
  await undoLast(client, 'UTC', takeBack)
  return {
    takenBack: takeBack.mock.calls.map(([batch]) => batch),
    undone: await Promise.all(undo.mock.calls.map(([{ batch }]) => batch())),
    told: showToast.mock.calls.map(([{ message }]) => message),
  }
}

test('without a network Control+Z takes back the last write that waits', async () => {
  await wait(write('one', now - 2000), write('two', now - 1000))
  latestHistory.mockRejectedValue(new TypeError('Failed to fetch'))
  expect(await press()).toEqual({ takenBack: ['two'], undone: [], told: [] })
  expect(showError).not.toHaveBeenCalled()
})

test.each([
  ['what waits, if it is the last', now - 1000, { takenBack: ['waiting'], undone: [] }],
  [
    'what was done since, if that waits for long',
    now - 600_000,
    { takenBack: [], undone: ['one'] },
  ],
])('with a network Control+Z takes back %s', async (_, at, expected) => {
  await wait(write('waiting', at))
  latestHistory.mockResolvedValue([entry('one')])
  expect(await press()).toMatchObject(expected)
})

test('after a write that has no undo Control+Z says so, and undoes nothing else', async () => {
  const client = createQueryClient({ onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() })
  const save = (noUndo?: string) =>
    client
      .getMutationCache()
      .build(client, { mutationFn: async () => {}, meta: noUndo ? { noUndo } : {} })
      .execute(undefined)
  await save('Settings')
  latestHistory.mockResolvedValue([entry('one')])
  const told = ['Settings can’t be undone with this key. Press again to undo what you did before.']
  expect(await press(client)).toEqual({ takenBack: [], undone: [], told })
  expect(await press(client)).toMatchObject({ undone: ['one'] })

  vi.clearAllMocks()
  await save('Settings')
  await save()
  expect(await press(client)).toEqual({ takenBack: [], undone: ['one'], told: [] })
})
