import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { columnWidths, narrowest, ResizeHandle, resized, widest } from './column-widths.tsx'

const columns = [
  { key: 'name', header: 'Name', width: 100, grow: 3 },
  { key: 'email', header: 'Email', width: 100, grow: 1 },
  { key: 'notes', header: 'Notes', width: 100, grow: 1 },
]

test('what remains is shared by the columns that have no width of their own', () => {
  expect(columnWidths(columns, 400, {})).toEqual([160, 120, 120])
  expect(columnWidths(columns, 400, { name: 150 })).toEqual([150, 125, 125])
  expect(columnWidths(columns, 400, { name: 150, email: 90, notes: 80 })).toEqual([150, 90, 80])
  expect(columnWidths(columns, 200, { email: 300 })).toEqual([100, 300, 100])
})

test('the columns before the one that is resized keep their place, those after it give way', () => {
  const set = resized(columns, [160, 120, 120], {}, { index: 1, width: 180 })
  expect(set).toEqual({ name: 160, email: 180 })
  expect(columnWidths(columns, 460, set)).toEqual([160, 180, 120])
  expect(resized(columns, [160, 120, 120], {}, { index: 0, width: 5 })).toEqual({ name: narrowest })
  expect(resized(columns, [1, 1, 1], {}, { index: 0, width: 5000 })).toEqual({ name: widest })
})

function shown() {
  const on = { onDrag: vi.fn(), onResize: vi.fn(), onReset: vi.fn() }
  render(<ResizeHandle header="Email" width={120} {...on} />)
  const handle = screen.getByRole('separator', { name: 'Width of Email' })
  // jsdom knows no pointer capture.
  handle.setPointerCapture = () => {}
  return { on, handle }
}

test('by keyboard: arrows change the width, Enter sets it back', () => {
  const { on, handle } = shown()
  fireEvent.keyDown(handle, { key: 'ArrowRight' })
  expect(on.onResize).toHaveBeenLastCalledWith(136)
  fireEvent.keyDown(handle, { key: 'ArrowLeft' })
  expect(on.onResize).toHaveBeenLastCalledWith(104)
  fireEvent.keyDown(handle, { key: 'Enter' })
  expect(on.onReset).toHaveBeenCalledTimes(1)
})

test('by pointer: it follows, and counts when it is let go; a click alone changes nothing', () => {
  const { on, handle } = shown()
  fireEvent.pointerDown(handle, { button: 0, clientX: 500 })
  fireEvent.pointerMove(handle, { clientX: 530 })
  expect(on.onDrag).toHaveBeenLastCalledWith(150)
  expect(on.onResize).not.toHaveBeenCalled()
  fireEvent.pointerUp(handle, { clientX: 530 })
  expect(on.onResize).toHaveBeenLastCalledWith(150)
  fireEvent.pointerDown(handle, { button: 0, clientX: 500 })
  fireEvent.pointerUp(handle, { clientX: 500 })
  expect(on.onResize).toHaveBeenCalledTimes(1)
  fireEvent.doubleClick(handle)
  expect(on.onReset).toHaveBeenCalledTimes(1)
})
