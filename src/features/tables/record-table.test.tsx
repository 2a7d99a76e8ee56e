import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ComponentProps, ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { OwnKey, OwnRecord } from '#domain/fields/own.ts'
import { RecordTable } from './record-table.tsx'

type DialogProps = { record: OwnRecord; onMade: (id: string) => void }
vi.mock('#features/own-fields/index.ts', () => ({
  useOwnFields: () => ({ own: {} }),
  FieldDialog: Object.assign(
    ({ record, onMade }: DialogProps) => (
      <button type="button" onClick={() => onMade('made')}>
        Add to {record}
      </button>
    ),
    { preload: async () => true },
  ),
}))
vi.mock('#features/preferences/index.ts', () => ({
  useSeenScreens: () => () => ({ widths: {} }),
  useRememberScreen: () => () => {},
  useTimeZone: () => 'UTC',
}))
vi.mock('#ui/row-link.ts', () => ({ useRowLink: () => () => '' }))
type RowsProps = { headButton: ReactNode; newest?: string; onSort: (by: unknown) => void }
vi.mock('#ui/record-rows.tsx', () => ({
  RecordRows: ({ headButton, newest, onSort }: RowsProps) => (
    <>
      {headButton}
      <p>Newest: {newest}</p>
      <button type="button" onClick={() => onSort('field:made')}>
        Sort
      </button>
    </>
  ),
}))

afterEach(cleanup)

const Table = RecordTable<{ id: string }, 'name', 'created' | OwnKey>
type Props = ComponentProps<typeof Table>
type Rows = Omit<Props, keyof typeof given | 'screen' | 'onShown' | 'onSorted'>
const given: Pick<
  Props,
  'shown' | 'columnsOf' | 'sorted' | 'sortOf' | 'mostFirst' | 'renderCellField' | 'renderCard'
> = {
  shown: ['name'],
  columnsOf: () => [],
  sorted: { sort: 'created' },
  sortOf: (by) => (by === 'field:made' ? 'field:made' : 'created'),
  mostFirst: ['created'],
  renderCellField: () => null,
  renderCard: () => null,
}
// What the rows get is not looked at here.
const rows = { keys: {}, list: { rows: [] } } as unknown as Rows

test.each(['contacts', 'companies', 'deals'] as const)(
  'the header of %s adds a field to them, shows its column, and sorts by it',
  (record) => {
    const onShown = vi.fn()
    const onSorted = vi.fn()
    render(
      <MantineProvider env="test">
        <Table screen={record} onShown={onShown} onSorted={onSorted} {...given} {...rows} />
      </MantineProvider>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Add field' }))
    fireEvent.click(screen.getByRole('button', { name: `Add to ${record}` }))
    expect(onShown.mock.calls[0]?.[0]({ col: ['name'] })).toEqual({ col: ['name', 'field:made'] })
    expect(screen.getByText('Newest: field:made')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Sort' }))
    expect(onSorted.mock.calls[0]?.[0]({ sort: 'created' })).toMatchObject({ sort: 'field:made' })
  },
)
