import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import type { MergeContact } from '#domain/merge-fields.ts'
import { DuplicateCard } from './duplicate-card.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ada: MergeContact = {
  id: '1',
  first_name: 'Ada',
  last_name: null,
  middle_name: null,
  nickname: null,
  birthday: null,
  birthday_reminder: null,
  company_id: null,
  company_name: null,
  role_title: null,
  email: 'ada@example.com',
  phone_number: '+49 30 1',
  lead_status: 'New',
  lead_score: 0,
  notes: null,
  created_at: '2026-11-15T00:00:00Z',
  updated_at: '2026-11-15T00:00:00Z',
  linked: { deals: 0, tasks: 0, notes: 0 },
}
const namesake = { ...ada, id: '2', email: null, phone_number: null }

function show(records: MergeContact[]): HTMLElement[] {
  const client = new QueryClient()
  client.setQueryDefaults(['preferences'], { staleTime: Number.POSITIVE_INFINITY })
  client.setQueryData(['preferences'], { time_zone: 'UTC' })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <DuplicateCard
            kind="contacts"
            group={{ id: '1', reasons: ['name'], size: records.length, records }}
            onMerge={() => {}}
            onPointAtMerge={() => {}}
            onMarkNotDuplicates={() => {}}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return screen.getAllByRole('listitem')
}

test('the e-mail of each is a link that opens a mail, and a button copies it', async () => {
  const writeText = vi.fn(async () => {})
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  const [first, second] = show([ada, namesake])
  if (!first || !second) throw new Error('Two records are shown.')
  const links = within(first).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Ada', '/app/contacts/1'],
    ['ada@example.com', 'mailto:ada@example.com'],
    ['+49 30 1', 'tel:+49301'],
  ])
  fireEvent.click(within(first).getByRole('button', { name: 'Copy email ada@example.com' }))
  await within(first).findByRole('button', { name: 'Copied' })
  expect(writeText.mock.calls).toEqual([['ada@example.com']])
  // Nothing to write to, nothing to copy.
  expect(within(second).getAllByRole('link')).toHaveLength(1)
  expect(within(second).queryByRole('button')).toBeNull()
})
