import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ContactToolbar } from './contact-toolbar.tsx'

const exportAllFields = vi.hoisted(() => vi.fn())
vi.mock('./use-export-contacts.ts', () => ({
  useExportAllFields: () => ({ isExporting: false, exportAllFields }),
}))
vi.mock('#features/auth/index.ts', () => ({ useAuth: () => ({ user: { id: 'ada' } }) }))

const address = '/app/contacts?q=acme&status=Qualified'
// The controls follow the address of the window, where another test may have been on this screen.
beforeEach(() => window.history.replaceState(null, '', address))
afterEach(() => {
  cleanup()
  window.history.replaceState(null, '', '/')
})

test('all fields of the contacts that are listed are exported, without selecting them', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[address]}>
          <ContactToolbar onOpen={() => {}} onChanged={() => {}} total={2} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Import / Export' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Export all fields' }))
  expect(exportAllFields.mock.calls).toEqual([[{ search: 'acme', lead_status: ['Qualified'] }]])
})
