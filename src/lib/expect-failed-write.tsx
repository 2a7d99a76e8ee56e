import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'
import { beginSession } from './test-session.ts'

const disk = { message: 'The server’s disk is full.', code: '53100' }
const ways: { answer: () => Promise<Response>; why: string }[] = [
  { answer: async () => Response.json(disk, { status: 500 }), why: disk.message },
  {
    answer: () => Promise.reject(new TypeError('Failed to fetch')),
    why: 'The server can’t be reached. Check your connection and try again.',
  },
]

/**
 * For tests: a write that gets a 500, or no answer, rejects, and the user sees once what failed and why. The hook
 * returns the write.
 */
export async function expectFailedWrite(
  what: string,
  useWrite: () => () => Promise<unknown>,
): Promise<void> {
  const endSession = beginSession()
  for (const { answer, why } of ways) {
    const send = vi.spyOn(globalThis, 'fetch').mockImplementation(answer)
    const onFailed = vi.fn()
    const client = createQueryClient({ onSaved: vi.fn(), onFailed, onSessionGone: vi.fn() })
    const wrapper = ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    )
    const { result } = renderHook(useWrite, { wrapper })
    await act(async () => {
      await expect(result.current()).rejects.toBeTruthy()
    })
    expect(send).toHaveBeenCalled()
    expect(onFailed.mock.calls).toEqual([[`${what}: ${why}`]])
    send.mockRestore()
    cleanup()
  }
  endSession()
}
