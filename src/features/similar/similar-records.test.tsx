import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { SimilarRecords } from './similar-records.tsx'

const callForJson = vi.hoisted(() => vi.fn())
vi.mock('#lib/supabase.ts', () => ({ callForJson }))

const ada = { id: 'a1', title: 'Ada Lovelace', about: 'Acme', reason: 'email' }

beforeEach(() => {
  callForJson.mockReset()
  callForJson.mockResolvedValue([ada])
})
afterEach(cleanup)

function show(typed: Record<string, string | null>) {
  const client = createQueryClient({
    onSaved: () => {},
    onFailed: () => {},
    onSessionGone: () => {},
  })
  const tree = (now: Record<string, string | null>) => (
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SimilarRecords kind="contacts" typed={now} />
      </QueryClientProvider>
    </MantineProvider>
  )
  const { rerender } = render(tree(typed))
  return (now: Record<string, string | null>) => rerender(tree(now))
}

test('says which record seems to be the same, why, and opens it beside the form', async () => {
  show({ email: 'ada@example.com' })
  const link = await screen.findByRole('link', { name: 'Ada Lovelace' })
  expect(link.getAttribute('href')).toBe('/app/contacts/a1')
  expect(link.getAttribute('target')).toBe('_blank')
  expect(link.closest('li')?.textContent).toBe('Ada Lovelace · Acme · same email')
})

test('asks once for what was typed in one go, and not at all for an empty form', async () => {
  const type = show({ email: '', company_id: 'c1' })
  for (const email of ['a', 'ad', 'ada@example.com']) type({ email, company_id: 'c1' })
  await screen.findByRole('link', { name: 'Ada Lovelace' })
  expect(callForJson).toHaveBeenCalledTimes(1)
  expect(callForJson.mock.calls[0]?.[1]).toEqual({
    kind: 'contacts',
    reported: { email: 'ada@example.com', company_id: 'c1' },
  })
})

test('a failed request shows nothing', async () => {
  callForJson.mockRejectedValue(new Error('down'))
  show({ email: 'ada@example.com' })
  await waitFor(() => expect(callForJson).toHaveBeenCalled())
  expect(screen.queryByRole('link')).toBeNull()
})
