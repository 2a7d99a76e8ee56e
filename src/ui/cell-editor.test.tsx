import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useRef } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test, vi } from 'vitest'
import { CellEditor, cellPencil, useEditedCells, useEditKeys } from './cell-editor.tsx'
import { EditableChoice } from './editable-choice.tsx'
import { EditableField } from './editable-field.tsx'

const row = { id: '1', name: 'Ada', city: 'London' }

type Save = (text: string) => Promise<{ theirs: string } | null>

function Table({ save }: { save: Save }) {
  const { cells, begin, end } = useEditedCells()
  const table = useRef<HTMLTableElement>(null)
  useEditKeys(table)
  return (
    <>
      <button type="button">Sidebar</button>
      <input aria-label="Search" />
      <table ref={table}>
        <tbody>
          <tr>
            {(['name', 'city'] as const).map((key) => (
              <td key={key}>
                <a href="#record">{row[key]}</a>
                <button
                  type="button"
                  {...cellPencil}
                  onClick={({ currentTarget }) => begin(row, key, currentTarget)}
                >
                  {`Edit ${key}`}
                </button>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {cells.map((cell) => (
        <CellEditor key={cell.key} cell={cell} onEnd={end}>
          <EditableField
            label={cell.name}
            value={cell.name === 'name' ? 'Ada' : 'London'}
            check={(text) => (text === '' ? 'Type something.' : null)}
            save={save}
            onTakeTheirs={() => {}}
          />
        </CellEditor>
      ))}
    </>
  )
}

function open(save: Save) {
  const router = createMemoryRouter([{ path: '*', element: <Table save={save} /> }])
  render(
    <MantineProvider>
      <RouterProvider router={router} />
    </MantineProvider>,
  )
}

const pencil = (name: string) => screen.getByRole('button', { name: `Edit ${name}` })
const field = (name: string) => screen.findByRole('textbox', { name })
const noField = (name: string) => expect(screen.queryByRole('textbox', { name })).toBeNull()

test('a pencil begins, Enter saves, and the focus is back where it was', async () => {
  const save = vi.fn<Save>(async () => null)
  open(save)
  fireEvent.click(pencil('name'))
  const input = await field('name')
  expect(document.activeElement).toBe(input)
  fireEvent.change(input, { target: { value: 'Grace' } })
  fireEvent.keyDown(input, { key: 'Enter' })
  await waitFor(() => noField('name'))
  expect(save).toHaveBeenCalledExactlyOnceWith('Grace')
  expect(document.activeElement).toBe(pencil('name'))
})

test('F2 begins with the first cell, Escape gives up; Tab saves and goes on to the next cell', async () => {
  const save = vi.fn<Save>(async () => null)
  open(save)
  const link = screen.getByRole('link', { name: 'Ada' })
  link.focus()
  fireEvent.keyDown(link, { key: 'F2' })
  const input = await field('name')
  fireEvent.change(input, { target: { value: 'Grace' } })
  fireEvent.keyDown(input, { key: 'Escape' })
  await waitFor(() => noField('name'))
  expect(save).not.toHaveBeenCalled()
  fireEvent.keyDown(pencil('name'), { key: 'F2' })
  const again = await field('name')
  fireEvent.change(again, { target: { value: 'Grace' } })
  await act(async () => void fireEvent.keyDown(again, { key: 'Tab' }))
  expect(save).toHaveBeenCalledExactlyOnceWith('Grace')
  const next = await field('city')
  expect(document.activeElement).toBe(next)
  await waitFor(() => noField('name'))
  fireEvent.keyDown(next, { key: 'Tab' })
  await waitFor(() => noField('city'))
  expect(save).toHaveBeenCalledTimes(1)
})

test('F2 edits from elsewhere on the page, but not from a text field', async () => {
  open(async () => null)
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search' }), { key: 'F2' })
  noField('name')
  const sidebar = screen.getByRole('button', { name: 'Sidebar' })
  sidebar.focus()
  fireEvent.keyDown(sidebar, { key: 'F2' })
  expect(document.activeElement).toBe(await field('name'))
})

test('what could not be saved is there again, with the reason', async () => {
  open(async () => {
    throw new Error('No connection')
  })
  fireEvent.click(pencil('city'))
  const input = await field('city')
  fireEvent.change(input, { target: { value: '' } })
  fireEvent.keyDown(input, { key: 'Enter' })
  await screen.findByText('Type something.')
  fireEvent.change(input, { target: { value: 'Rome' } })
  fireEvent.keyDown(input, { key: 'Enter' })
  await screen.findByText('Not saved.')
  expect((await field('city')).getAttribute('value')).toBe('Rome')
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  await waitFor(() => noField('city'))
})

function Choices({ onChoose }: { onChoose: (label: string, value: string) => void }) {
  const { cells, begin, end } = useEditedCells()
  const table = useRef<HTMLTableElement>(null)
  useEditKeys(table)
  return (
    <table ref={table}>
      <tbody>
        <tr>
          {['status', 'stage'].map((key) => (
            <td key={key}>
              <button
                type="button"
                {...cellPencil}
                onClick={({ currentTarget }) => begin(row, key, currentTarget)}
              >
                {`Edit ${key}`}
              </button>
            </td>
          ))}
        </tr>
      </tbody>
      {cells.map((cell) => (
        <CellEditor key={cell.key} cell={cell} onEnd={end}>
          <EditableChoice
            label={cell.name}
            value="New"
            values={['New', 'Qualified']}
            render={(value) => `${value} ${cell.name}`}
            onChoose={(value) => onChoose(cell.name, value)}
          />
        </CellEditor>
      ))}
    </table>
  )
}

const choice = (name: string) => screen.findByRole('menuitemradio', { name })

test('a choice opens its menu at once, and closes with it', async () => {
  const chosen = vi.fn()
  render(
    <MantineProvider>
      <Choices onChoose={chosen} />
    </MantineProvider>,
  )
  pencil('status').focus()
  fireEvent.click(pencil('status'))
  fireEvent.click(await choice('Qualified status'))
  expect(chosen).toHaveBeenCalledExactlyOnceWith('status', 'Qualified')
  await waitFor(() => expect(screen.queryByRole('menuitemradio')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(pencil('status')))
})

test('Tab in a menu takes what has the focus, and goes on to the next cell', async () => {
  const chosen = vi.fn()
  render(
    <MantineProvider>
      <Choices onChoose={chosen} />
    </MantineProvider>,
  )
  fireEvent.click(pencil('status'))
  const other = await choice('Qualified status')
  other.focus()
  fireEvent.keyDown(other, { key: 'Tab' })
  expect(chosen).toHaveBeenCalledExactlyOnceWith('status', 'Qualified')
  const next = await choice('New stage')
  await waitFor(() => expect(document.activeElement).toBe(next))
  expect(screen.queryByRole('menuitemradio', { name: 'New status' })).toBeNull()
  fireEvent.keyDown(next, { key: 'Tab', shiftKey: true })
  await choice('New status')
  expect(chosen).toHaveBeenCalledTimes(1)
})
