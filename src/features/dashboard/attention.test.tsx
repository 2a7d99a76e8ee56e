import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { useOpenForm } from '#features/forms/index.ts'
import { resetStores } from '#lib/store.ts'
import { Attention } from './attention.tsx'
import type { AttentionDeal } from './queries.ts'

afterEach(() => act(resetStores))

const plain: AttentionDeal = {
  id: 'd',
  name: 'Large',
  value: 1,
  currency: null,
  stage_name: null,
  company_id: null,
  company_name: null,
  contact: null,
  has_next: false,
  is_stale: false,
  stage_since: null,
}

function OpenForm() {
  return <output>{JSON.stringify(useOpenForm().request)}</output>
}

test.each([
  [plain, {}],
  [
    {
      ...plain,
      company_id: 'c',
      company_name: 'Acme',
      contact: { id: 'p', first_name: 'Ada', last_name: 'Lovelace' },
    },
    { contact: { id: 'p', name: 'Ada Lovelace' }, company: { id: 'c', name: 'Acme' } },
  ],
])('the next step of a deal is linked to what the deal is: %#', (deal, links) => {
  render(
    <MantineProvider env="test">
      <MemoryRouter>
        <Attention total={1} rows={[deal]} />
        <OpenForm />
      </MemoryRouter>
    </MantineProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Add next step for Large' }))
  expect(JSON.parse(document.querySelector('output')?.textContent ?? '')).toEqual({
    form: 'task',
    deal: { id: 'd', name: 'Large' },
    ...links,
  })
})

test('of more deals than are shown the others are a press away; without any, it says so', () => {
  const show = (total: number, rows: AttentionDeal[]) => (
    <MantineProvider env="test">
      <MemoryRouter>
        <Attention total={total} rows={rows} />
      </MemoryRouter>
    </MantineProvider>
  )
  const { rerender } = render(show(1002, [plain]))
  const others = screen.getByRole('link', { name: '1,001 more' })
  expect(others.getAttribute('href')).toBe(
    '/app/deals?attention=no_next_step&attention=stalled&sort=value',
  )
  const none = 'Every open deal has a next step, and none has stalled.'
  expect(screen.queryByText(none)).toBeNull()
  rerender(show(1, [plain]))
  expect(screen.queryByRole('link', { name: /more$/ })).toBeNull()
  rerender(show(0, []))
  expect(screen.getByText(none)).toBeTruthy()
})
