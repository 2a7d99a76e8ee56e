import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'
import { beginSession } from './test-session.ts'

const disk = { message: 'The server’s disk is full.', code: '53100' }

/** For tests: a read that gets a 500 shows the user what failed and why. The hook does the read. */
export async function expectFailedRead(what: string, useRead: () => unknown): Promise<void> {
  const endSession = beginSession()
  const send = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json(disk, { status: 500 }))
  const onFailed = vi.fn()
  const client = createQueryClient({ onSaved: vi.fn(), onFailed, onSessionGone: vi.fn() })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  renderHook(useRead, { wrapper })
  await waitFor(() => expect(onFailed).toHaveBeenCalledWith(`${what}: ${disk.message}`), {
    timeout: 10_000,
  })
  await act(() => client.cancelQueries())
  cleanup()
  send.mockRestore()
  endSession()
}
