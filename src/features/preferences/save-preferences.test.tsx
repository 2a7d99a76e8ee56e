import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { usualHabits } from '#domain/habits.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import { usePreferences, useSavePreferences } from './queries.ts'

const full = { message: 'The server’s disk is full.', code: '53100' }
/** What the database holds. */
const stored = {
  display_name: null,
  time_zone: 'UTC',
  theme: 'system',
  week_starts_on: 1,
  ...usualHabits,
  rates: {},
  lost_reasons: [],
}

let endSession = () => {}
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  endSession()
})

/** The preferences, and how they are saved; `answer` answers each write. */
async function open(answer: (changes: object) => Promise<Response>) {
  endSession = beginSession()
  const row = { ...stored }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_address, init) => {
    if (init?.method !== 'PATCH') return Response.json(row)
    const changes = JSON.parse(String(init.body))
    const given = await answer(changes)
    if (given.ok) Object.assign(row, changes)
    return given
  })
  const onFailed = vi.fn()
  const client = createQueryClient({ onSaved: vi.fn(), onFailed, onSessionGone: vi.fn() })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(
    () => ({ now: usePreferences().data, save: useSavePreferences() }),
    { wrapper },
  )
  await waitFor(() => expect(result.current.now).toMatchObject({ week_starts_on: 1 }))
  return { result, onFailed, row }
}

test('what was chosen shows at once, is taken back when it is not saved, and the user is told', async () => {
  let refuse = () => {}
  const { result, onFailed } = await open(
    () =>
      new Promise((resolve) => {
        refuse = () => resolve(Response.json(full, { status: 500 }))
      }),
  )
  let saving: Promise<unknown> = Promise.resolve()
  act(() => {
    saving = result.current.save({ week_starts_on: 0 }).catch(() => 'refused')
  })
  await waitFor(() => expect(result.current.now).toMatchObject({ week_starts_on: 0 }))
  refuse()
  expect(await saving).toBe('refused')
  await waitFor(() => expect(result.current.now).toMatchObject({ week_starts_on: 1 }))
  expect(onFailed.mock.calls).toEqual([[`Failed to save settings: ${full.message}`]])
})

test('a choice that fails late leaves the next one as it was chosen', async () => {
  let refuse = () => {}
  let count = 0
  const { result, row } = await open(async () => {
    count += 1
    if (count > 1) return Response.json([{ user_id: 'u' }])
    await new Promise<void>((resolve) => {
      refuse = resolve
    })
    return Response.json(full, { status: 500 })
  })
  let both: Promise<unknown> = Promise.resolve()
  act(() => {
    both = Promise.allSettled([
      result.current.save({ week_starts_on: 0 }),
      result.current.save({ time_zone: 'Pacific/Auckland' }),
    ])
  })
  await waitFor(() =>
    expect(result.current.now).toMatchObject({ week_starts_on: 0, time_zone: 'Pacific/Auckland' }),
  )
  await waitFor(() => expect(count).toBe(1))
  refuse()
  await act(() => both)
  await waitFor(() =>
    expect(result.current.now).toMatchObject({ week_starts_on: 1, time_zone: 'Pacific/Auckland' }),
  )
  expect(row).toMatchObject({ week_starts_on: 1, time_zone: 'Pacific/Auckland' })
})
