import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { AuthProvider } from '#features/auth/index.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import { useRememberScreen } from './screens.ts'

let endSession = () => {}
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  endSession()
})

test('how a list was seen is sent again with the next change when it could not be saved', async () => {
  endSession = beginSession()
  const sent: object[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    if (!String(address).endsWith('/remember_screen')) return Response.json(null)
    const { screen, query, widths } = JSON.parse(String(init?.body))
    sent.push({ screen, query, widths })
    return sent.length === 1
      ? Response.json({ message: 'The disk is full.' }, { status: 500 })
      : Response.json(null)
  })
  const client = createQueryClient({ onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <AuthProvider>{children}</AuthProvider>
    </QueryClientProvider>
  )
  const { result } = renderHook(
    () => ({ contacts: useRememberScreen('contacts'), deals: useRememberScreen('deals') }),
    { wrapper },
  )
  /** Changes a list, and waits until that is sent: writes go one after the other, so the one before is over then. */
  async function change(screen: 'contacts' | 'deals', seen: object, expected: object) {
    const count = sent.length
    act(() => result.current[screen](seen))
    await waitFor(() => expect(sent.slice(count)).toEqual([{ screen, ...expected }]))
  }
  await change('contacts', { query: 'sort=name' }, { query: 'sort=name', widths: undefined })
  await change('deals', { query: 'view=board' }, { query: 'view=board', widths: undefined })
  const widths = { email: 200 }
  await change('contacts', { widths }, { query: 'sort=name', widths })
  await change('deals', { query: '' }, { query: '', widths: undefined })
  await change('contacts', { query: 'q=a' }, { query: 'q=a', widths: undefined })
})
