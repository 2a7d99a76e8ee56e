import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newDraft } from '#domain/mail-draft.ts'
import { setKeepsData } from '#lib/device-store.ts'
import { databases } from '#lib/test-databases.ts'
import { beginSession } from '#lib/test-session.ts'
import { draftInWords, draftKeeper, forgetDraft, leftBehind } from './kept-drafts.ts'

vi.mock('idb-keyval', async () => (await import('#lib/test-databases.ts')).idbKeyval)
const kept = () => databases.get('solo-u') ?? new Map<string, unknown>()

let endSession = () => {}
const locks: string[] = []

beforeEach(() => {
  endSession = beginSession()
  vi.useFakeTimers()
  vi.stubGlobal('navigator', {
    locks: {
      async request(name: string, hold: () => Promise<void>) {
        locks.push(name)
        await hold()
        locks.splice(locks.indexOf(name), 1)
      },
      query: async () => ({ held: locks.map((name) => ({ name })) }),
    },
  })
})
afterEach(() => {
  databases.get('solo-u')?.clear()
  locks.length = 0
  setKeepsData(true)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  endSession()
})

const draft = {
  ...newDraft,
  subject: 'The offer',
  to: [{ address: 'ada@example.com', name: 'Ada', contact: null }],
  files: [
    { id: 'a', name: 'stored.pdf', size: 1, isStored: true },
    { id: 'b', name: 'new.pdf', size: 1, isStored: false },
  ],
}

test('what a tab that died was writing is offered, without files that were not stored', async () => {
  draftKeeper().keep(draft)
  await vi.advanceTimersByTimeAsync(500)
  // As long as its tab lives, no other window offers it.
  expect(await leftBehind()).toBeNull()
  locks.length = 0
  const found = await leftBehind()
  expect(found?.draft).toEqual({ ...draft, files: [draft.files[0]] })
  expect(draftInWords(draft)).toBe(' to Ada: “The offer”')
  await forgetDraft(found?.key ?? '')
  expect(await leftBehind()).toBeNull()
})

test('what was sent or discarded is not offered, and nothing is kept where the user wants so', async () => {
  const keeper = draftKeeper()
  keeper.keep(draft)
  await vi.advanceTimersByTimeAsync(500)
  keeper.end()
  await vi.advanceTimersByTimeAsync(0)
  expect(kept().size).toBe(0)
  setKeepsData(false)
  draftKeeper().keep(draft)
  await vi.advanceTimersByTimeAsync(500)
  expect(kept().size).toBe(0)
})

test('the newest comes first', async () => {
  for (const subject of ['First', 'Second']) {
    draftKeeper().keep({ ...draft, subject })
    await vi.advanceTimersByTimeAsync(500)
  }
  locks.length = 0
  expect((await leftBehind())?.draft.subject).toBe('Second')
})
