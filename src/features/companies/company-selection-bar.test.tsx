import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mostAtOnce } from '#features/duplicates/index.ts'
import { ConfirmHost } from '#ui/confirm.tsx'
import { CompanySelectionBar } from './company-selection-bar.tsx'
import { companyUrlSchema, companyView } from './company-view.ts'

const exportCompanies = vi.hoisted(() => vi.fn())
vi.mock('./use-export-companies.ts', () => ({
  useExportCompanies: () => ({ isExporting: false, exportCompanies }),
}))

vi.mock('#features/auth/index.ts', () => ({ useAuth: () => ({ user: { id: 'ada' } }) }))

const actions = {
  onSelectAll: vi.fn(),
  onClear: vi.fn(),
  // The write fails here: there is no server.
  onRemove: vi.fn((write: Promise<unknown>) => void write.catch(() => {})),
  onDialog: vi.fn(),
}

beforeEach(() => vi.clearAllMocks())
afterEach(cleanup)

function show({ count, isEverything = false }: { count: number; isEverything?: boolean }) {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  const filter = isEverything ? { search: 'acme' } : { ids: ['a', 'b'] }
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <CompanySelectionBar
            chosen={{ filter, count, matches: () => true }}
            view={companyView(companyUrlSchema.parse({ q: 'acme', sort: 'name' }))}
            matching={isEverything ? null : 1200}
            isEverything={isEverything}
            {...actions}
          />
          <ConfirmHost />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
}
const button = (name: string) => screen.getByRole('button', { name })
const has = (name: string) => screen.queryByRole('button', { name }) !== null

test('a few: they can be merged, and all that match be selected', () => {
  show({ count: 2 })
  expect(screen.getByText('2 selected')).toBeTruthy()
  fireEvent.click(button('Select all 1,200 that match'))
  expect(actions.onSelectAll).toHaveBeenCalled()
  for (const [name, kind] of [
    ['Tags', 'tags'],
    ['Set field', 'field'],
    ['Merge', 'merge'],
  ] as const) {
    fireEvent.click(button(name))
    expect(actions.onDialog).toHaveBeenLastCalledWith(kind)
  }
  // One has nothing to be merged with, and of too many nobody could compare the values.
  for (const [count, canMerge] of [
    [1, false],
    [mostAtOnce, true],
    [mostAtOnce + 1, false],
  ] as const) {
    cleanup()
    show({ count })
    expect(has('Merge'), String(count)).toBe(canMerge)
  }
})

test('an export holds those that are selected, in the order of the list', () => {
  show({ count: 2 })
  fireEvent.click(button('Export selected'))
  expect(exportCompanies).toHaveBeenCalledWith({
    filter: { ids: ['a', 'b'] },
    sort: 'name',
    descending: false,
  })
})

test('a deletion asks first: nothing is written until it is confirmed', async () => {
  show({ count: 1200, isEverything: true })
  expect(has('Merge')).toBe(false)
  fireEvent.click(button('Delete selected'))
  const question = await screen.findByRole('dialog', { name: 'Delete 1,200 companies?' })
  expect(question.textContent).toContain(
    'This deletes everything that matches, including what isn’t shown. Contacts and deals stay, without a company.',
  )
  fireEvent.click(button('Cancel'))
  await waitFor(() => expect(has('Cancel')).toBe(false))
  expect(actions.onRemove).not.toHaveBeenCalled()
  fireEvent.click(button('Delete selected'))
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(actions.onRemove).toHaveBeenCalledTimes(1))
})
