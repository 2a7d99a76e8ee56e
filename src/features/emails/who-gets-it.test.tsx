import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beginSession } from '#lib/test-session.ts'
import { useRecipients } from './use-recipients.ts'
import { WhoGetsIt } from './who-gets-it.tsx'

/** The answers wait in order for `answer`, each with the signal that stops it. */
let asked: { signal: AbortSignal; answer: (page: object) => void }[]
let endSession: () => void

beforeEach(() => {
  endSession = beginSession()
  asked = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    (_input, init) =>
      new Promise((resolve, reject) => {
        const { signal } = init ?? {}
        if (!signal) return
        signal.addEventListener('abort', () => reject(signal.reason))
        asked.push({ signal, answer: (page) => resolve(Response.json(page)) })
      }),
  )
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  endSession()
})

function pageOf(count: number, next: object | null) {
  const rows = Array.from({ length: count }, (_, place) => ({
    id: `${next ? 'a' : 'b'}${place}`,
    first_name: null,
    last_name: null,
    email: `${next ? 'a' : 'b'}${place}@example.com`,
    role_title: null,
    company_name: null,
  }))
  return { rows, next }
}

function Who() {
  return <WhoGetsIt recipients={useRecipients({})} count={5} />
}

const open = () => render(<Who />, { wrapper: MantineProvider })

/** Answers the request that was asked last, once there are so many. */
async function answerLast(count: number, page: object): Promise<void> {
  await vi.waitFor(() => expect(asked).toHaveLength(count))
  asked.at(-1)?.answer(page)
}

test('all that match are read in pages with their progress; closing stops it, and opening begins anew', async () => {
  const { unmount } = open()
  expect(screen.getByText('Loading contacts... 0 of 5')).toBeTruthy()
  await answerLast(1, pageOf(3, { name: 'a' }))
  expect(await screen.findByText('Loading contacts... 3 of 5')).toBeTruthy()
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  unmount()
  expect(asked[1]?.signal.aborted).toBe(true)
  open()
  await answerLast(3, pageOf(3, { name: 'a' }))
  await answerLast(4, pageOf(2, null))
  expect(await screen.findByText('To 5 addresses')).toBeTruthy()
})
