import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { memo } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { shownDate } from '#domain/dates.ts'
import { usualHabits } from '#domain/habits.ts'
import { shownMoney } from '#domain/money.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { useTimeZone } from './queries.ts'
import { RequirePreferences } from './require-preferences.tsx'

type Answer = { data: object | null; error: object | null }

// What the backend and the sign-in do, held still so that each answer can be given by hand.
const outside = vi.hoisted(() => ({
  userId: 'ada',
  answer: ((_: Answer) => {}) as (answer: Answer) => void,
}))

vi.mock('#features/auth/index.ts', () => ({ useAuth: () => ({ user: { id: outside.userId } }) }))
vi.mock('#lib/supabase.ts', () => {
  const single = () =>
    new Promise<Answer>((resolve) => {
      outside.answer = resolve
    })
  const request = { select: () => request, abortSignal: () => request, single }
  return { supabase: () => ({ from: () => request }) }
})
vi.mock('#ui/states.tsx', () => ({ LoadingState: ({ text }: { text: string }) => <p>{text}</p> }))

const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone
const tokyo = {
  display_name: null,
  time_zone: 'Asia/Tokyo',
  theme: 'system',
  week_starts_on: 1,
  ...usualHabits,
  rates: {},
  lost_reasons: [],
}

/** Shows a day and an amount once, as a screen that has nothing to read again. */
const Days = memo(() => <time>{`${shownDate('2026-11-15')} for ${shownMoney(1200)}`}</time>)

let zones: string[]
function Shown() {
  const timeZone = useTimeZone()
  zones.push(timeZone)
  return (
    <>
      <output>{timeZone}</output>
      <Days />
    </>
  )
}

function open(userId = 'ada') {
  cleanup()
  zones = []
  outside.userId = userId
  const listeners = { onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() }
  render(
    <QueryClientProvider client={createQueryClient(listeners)}>
      <MemoryRouter>
        <Routes>
          <Route element={<RequirePreferences />}>
            <Route path="*" element={<Shown />} />
          </Route>
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

/** Gives the answer, and waits until it shows. */
async function answer(given: Answer, zone: string): Promise<void> {
  outside.answer(given)
  await screen.findByText(zone)
}

beforeEach(() => window.localStorage.clear())
afterEach(cleanup)

test('a browser that does not know the zone waits for it: nothing shows in another', async () => {
  open()
  expect(screen.getByText('Loading...')).toBeDefined()
  await answer({ data: tokyo, error: null }, 'Asia/Tokyo')
  expect(new Set(zones)).toEqual(new Set(['Asia/Tokyo']))
})

test('one that knows it shows at once, and learns of another; each account has its own', async () => {
  open()
  await answer({ data: tokyo, error: null }, 'Asia/Tokyo')
  open()
  expect(zones).toEqual(['Asia/Tokyo'])
  await answer({ data: { ...tokyo, time_zone: 'Europe/Kyiv' }, error: null }, 'Europe/Kyiv')
  open('grace')
  expect(zones).toEqual([])
  open('ada')
  expect(zones).toEqual(['Europe/Kyiv'])
})

test('a zone that cannot be read, or is not known here, is no reason to show nothing', async () => {
  open()
  await answer({ data: null, error: { code: '57014', message: 'stopped' } }, browserZone)
  expect(zones).toEqual([browserZone])
  open('grace')
  await answer({ data: { ...tokyo, time_zone: 'Atlantis/Capital' }, error: null }, browserZone)
  expect(new Set(zones)).toEqual(new Set([browserZone]))
})

test('formats are those of the account from the first screen on, also when they were changed elsewhere', async () => {
  open()
  await answer({ data: { ...tokyo, date_format: 'dd.mm.yyyy' }, error: null }, 'Asia/Tokyo')
  expect(screen.getByRole('time').textContent).toBe('15.11.2026 for $1,200')
  open()
  expect(screen.getByRole('time').textContent).toBe('15.11.2026 for $1,200')
  // What stands is built anew, because nothing else tells it that its words are others now.
  const data = { ...tokyo, currency: 'EUR', number_format: '1.234,56', time_zone: 'Europe/Kyiv' }
  await answer({ data, error: null }, 'Europe/Kyiv')
  expect(screen.getByRole('time').textContent).toBe('Nov 15, 2026 for 1.200\u00a0€')
  open('grace')
  await answer({ data: tokyo, error: null }, 'Asia/Tokyo')
  expect(screen.getByRole('time').textContent).toBe('Nov 15, 2026 for $1,200')
})
