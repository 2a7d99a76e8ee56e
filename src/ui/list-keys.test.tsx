import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useListKeys } from './list-keys.ts'
import type { RowKeys } from './list-shortcuts.ts'

type Row = { id: string }
type ListProps = { ids: string[]; columns?: number; keys?: RowKeys<Row> }

function List({ ids, columns = 1, keys = {} }: ListProps) {
  const element = useRef<HTMLUListElement>(null)
  const rows = ids.map((id) => ({ id }))
  const { rowProps } = useListKeys({ element, rows, columns, keys })
  return (
    <ul ref={element}>
      {ids.map((id) => (
        <li key={id} {...rowProps(id)}>
          <a href="/somewhere" data-row-link>
            {id}
          </a>
          <button type="button">More for {id}</button>
        </li>
      ))}
    </ul>
  )
}

/** The place in the history that a test stands at. */
let place = 0

const page = (props: ListProps) => (
  <MemoryRouter initialEntries={[{ pathname: '/', key: `place ${place}` }]}>
    <input aria-label="Field" />
    <button type="button">Elsewhere</button>
    <List {...props} />
  </MemoryRouter>
)
const five = ['a', 'b', 'c', 'd', 'e']
const link = (name: string) => screen.getByRole('link', { name })
const focused = () => document.activeElement?.textContent
const focusOn = (element: HTMLElement) => act(() => element.focus())
function press(key: string, held = {}): boolean {
  return !fireEvent.keyDown(document.activeElement ?? document.body, { key, ...held })
}

beforeEach(() => {
  place += 1
  Element.prototype.scrollIntoView = vi.fn()
})
afterEach(cleanup)

test('up and down, by arrows or letters, with nothing focused first', () => {
  render(page({ ids: five }))
  press('ArrowDown')
  expect(focused()).toBe('a')
  press('j')
  press('ArrowDown')
  expect(focused()).toBe('c')
  press('k')
  expect(focused()).toBe('b')
  press('End')
  expect(focused()).toBe('e')
  press('ArrowDown')
  expect(focused()).toBe('e')
  press('Home')
  expect(focused()).toBe('a')
  press('ArrowUp')
  expect(focused()).toBe('a')
})

test('cards side by side are walked by where they stand', () => {
  render(page({ ids: five, columns: 3 }))
  press('ArrowDown')
  press('ArrowRight')
  press('ArrowRight')
  expect(focused()).toBe('c')
  // The line below is shorter.
  press('ArrowDown')
  expect(focused()).toBe('e')
  press('ArrowUp')
  expect(focused()).toBe('b')
  press('ArrowLeft')
  press('ArrowUp')
  expect(focused()).toBe('a')
})

test('no key fires in a field, with another key held, or under a dialog', () => {
  const onEdit = vi.fn()
  render(page({ ids: five, keys: { onEdit } }))
  focusOn(screen.getByLabelText('Field'))
  expect(press('j')).toBe(false)
  expect(press('ArrowDown')).toBe(false)
  focusOn(link('b'))
  expect(press('e', { ctrlKey: true })).toBe(false)
  expect(press('j', { metaKey: true })).toBe(false)
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  document.body.append(dialog)
  expect(press('e')).toBe(false)
  dialog.remove()
  expect(onEdit).not.toHaveBeenCalled()
  expect(focused()).toBe('b')
  expect(press('e')).toBe(true)
  expect(onEdit).toHaveBeenCalledExactlyOnceWith({ id: 'b' })
})

test('arrows stay with another control, letters enter the list from it', () => {
  render(page({ ids: five }))
  focusOn(screen.getByRole('button', { name: 'Elsewhere' }))
  expect(press('ArrowDown')).toBe(false)
  expect(press('j')).toBe(true)
  expect(focused()).toBe('a')
})

test('a key acts on the row that has the focus; Space keeps its meaning on a button', () => {
  const keys = { onRemove: vi.fn(), onSelect: vi.fn(), onTick: vi.fn() }
  render(page({ ids: five, keys }))
  expect(press('Delete')).toBe(false)
  focusOn(link('c'))
  press('Backspace')
  press('c')
  press(' ')
  expect(keys.onRemove).toHaveBeenCalledExactlyOnceWith({ id: 'c' })
  expect(keys.onTick).toHaveBeenCalledExactlyOnceWith({ id: 'c' })
  expect(keys.onSelect).toHaveBeenCalledExactlyOnceWith({ id: 'c' })
  focusOn(screen.getByRole('button', { name: 'More for d' }))
  expect(press(' ')).toBe(false)
  expect(press('Enter')).toBe(false)
  press('x')
  expect(keys.onSelect).toHaveBeenLastCalledWith({ id: 'd' })
  // Nothing here can be edited.
  expect(press('e')).toBe(false)
})

test('of a row that is selected, Delete deletes the selection', () => {
  const onRemove = vi.fn()
  const onClick = vi.fn()
  render(page({ ids: five, keys: { onRemove, isSelected: ({ id }) => id === 'b' } }))
  const bar = document.createElement('button')
  bar.dataset.removesSelection = 'true'
  bar.addEventListener('click', onClick)
  document.body.append(bar)
  focusOn(link('b'))
  press('Delete')
  expect(onClick).toHaveBeenCalledOnce()
  expect(onRemove).not.toHaveBeenCalled()
  bar.remove()
})

test('Shift with an arrow selects on the way, and unselects on the way back', () => {
  const selected = new Set<string>()
  const onSelect = ({ id }: Row) => void (selected.delete(id) || selected.add(id))
  const isSelected = ({ id }: Row) => selected.has(id)
  render(page({ ids: five, keys: { onSelect, isSelected } }))
  focusOn(link('b'))
  press('ArrowDown', { shiftKey: true })
  press('ArrowDown', { shiftKey: true })
  expect([...selected]).toEqual(['b', 'c', 'd'])
  expect(focused()).toBe('d')
  press('ArrowUp', { shiftKey: true })
  expect([...selected]).toEqual(['b', 'c'])
})

test('when the row with the focus goes, the next one has it; when another goes, nothing moves', () => {
  const { rerender } = render(page({ ids: five }))
  focusOn(link('b'))
  rerender(page({ ids: ['a', 'c', 'd', 'e'] }))
  expect(focused()).toBe('c')
  rerender(page({ ids: ['c', 'd', 'e'] }))
  expect(focused()).toBe('c')
  focusOn(link('e'))
  rerender(page({ ids: ['c', 'd'] }))
  expect(focused()).toBe('d')
})

test('Tab reaches the controls of the active row alone, and of all while there is none', () => {
  render(page({ ids: five }))
  const reached = () =>
    [...document.querySelectorAll<HTMLElement>('li a, li button')]
      .filter(({ tabIndex }) => tabIndex === 0)
      .map(({ textContent }) => textContent)
  expect(reached()).toHaveLength(10)
  focusOn(link('b'))
  expect(reached()).toEqual(['b', 'More for b'])
  press('j')
  expect(reached()).toEqual(['c', 'More for c'])
})

test('who comes back finds the row again, unless the keyboard is elsewhere by then', () => {
  const { unmount } = render(page({ ids: five }))
  focusOn(link('d'))
  unmount()
  const again = render(page({ ids: five }))
  expect(focused()).toBe('d')
  again.unmount()
  const { rerender } = render(page({ ids: [] }))
  focusOn(screen.getByLabelText('Field'))
  rerender(page({ ids: five }))
  expect(document.activeElement).toBe(screen.getByLabelText('Field'))
})

test('a second click where another row has taken the place of the first reaches none', () => {
  const pressed = vi.fn()
  const { rerender } = render(page({ ids: ['a', 'b'] }))
  document.addEventListener('click', pressed)
  const more = (id: string) => screen.getByRole('button', { name: `More for ${id}` })
  const there = { clientX: 5, clientY: 5, detail: 1 }
  fireEvent.click(more('a'), there)
  rerender(page({ ids: ['c', 'b'] }))
  fireEvent.click(more('c'), there)
  document.removeEventListener('click', pressed)
  expect(pressed).toHaveBeenCalledOnce()
})

test('a key that is held down does not go on with the next row', () => {
  const onTick = vi.fn()
  render(page({ ids: five, keys: { onTick } }))
  focusOn(link('b'))
  press('c')
  press('c', { repeat: true })
  expect(onTick).toHaveBeenCalledOnce()
})

test('Control+A on a row selects all that are loaded, and is left to the page elsewhere', () => {
  const onSelectLoaded = vi.fn()
  render(page({ ids: five, keys: { onSelectLoaded } }))
  focusOn(screen.getByRole('button', { name: 'Elsewhere' }))
  expect(press('a', { ctrlKey: true })).toBe(false)
  focusOn(link('b'))
  expect(press('a', { ctrlKey: true })).toBe(true)
  expect(onSelectLoaded).toHaveBeenCalledTimes(1)
  cleanup()
  // A list without checkboxes.
  render(page({ ids: five }))
  focusOn(link('b'))
  expect(press('a', { ctrlKey: true })).toBe(false)
})
