import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DealSelectionBar } from './deal-selection-bar.tsx'
import { DealToolbar } from './deal-toolbar.tsx'
import { dealUrlSchema, dealView } from './deal-view.ts'

const exportDeals = vi.hoisted(() => vi.fn())
vi.mock('./use-export-deals.ts', () => ({
  useExportDeals: () => ({ isExporting: false, exportDeals }),
}))

vi.mock('#features/auth/index.ts', () => ({ useAuth: () => ({ user: { id: 'ada' } }) }))

beforeEach(() => vi.clearAllMocks())
afterEach(cleanup)

function show(element: ReactNode, address = '/app/deals') {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[address]}>{element}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

/** Opens the menu and presses each of what it offers to export; answers their names. */
async function pressAll(button: string): Promise<(string | null)[]> {
  const open = () => {
    fireEvent.click(screen.getByRole('button', { name: button }))
    return screen.findAllByRole('menuitem', { name: /^Export/ })
  }
  const items = await open()
  const names = items.map(({ textContent }) => textContent)
  for (const name of names) {
    const item = screen.queryByRole('menuitem', { name: name ?? '' })
    // A press closes the menu.
    fireEvent.click(item ?? (await open())[names.indexOf(name)] ?? document.body)
  }
  return names
}

const both = ['Export all fields', 'Export only what is shown']
const toolbar = <DealToolbar onOpen={() => {}} pipelines={[]} onPipelines={() => {}} />

test('a list exports all fields, or the columns that it shows', async () => {
  show(toolbar, '/app/deals?q=acme&col=company&col=value')
  expect(await pressAll('Import / Export')).toEqual(both)
  const view = expect.objectContaining({ filter: { search: 'acme' } })
  expect(exportDeals.mock.calls).toEqual([
    [view, 'all'],
    [view, ['company', 'value']],
  ])
})

test('a board, which shows no columns, exports all fields', async () => {
  show(toolbar, '/app/deals?view=board')
  expect(await pressAll('Import / Export')).toEqual(['Export all fields'])
  expect(exportDeals.mock.calls).toEqual([[expect.anything(), 'all']])
})

test('a selection exports the same, of the deals that are selected alone', async () => {
  const filter = { ids: ['1', '2'] }
  show(
    <DealSelectionBar
      chosen={{ filter, count: 2, matches: () => true }}
      view={dealView(dealUrlSchema.parse({ q: 'acme' }))}
      columns={['stage']}
      pipelines={[]}
      matching={null}
      isEverything={false}
      onSelectAll={() => {}}
      onClear={() => {}}
      onRemove={() => {}}
    />,
  )
  expect(await pressAll('Export selected')).toEqual(both)
  const view = expect.objectContaining({ filter, sort: 'created' })
  expect(exportDeals.mock.calls).toEqual([
    [view, 'all'],
    [view, ['stage']],
  ])
})
