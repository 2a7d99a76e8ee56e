import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { saveOnKeys, savesOnKeys } from './form-keys.ts'

const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
const onChoose = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())

beforeEach(() => {
  onSubmit.mockClear()
  onChoose.mockClear()
  render(
    <div role="dialog">
      <form noValidate onKeyDownCapture={saveOnKeys} onSubmit={onSubmit}>
        <textarea aria-label="Notes" />
        <input aria-label="Choice" onKeyDown={onChoose} />
        <div role="dialog">
          <input aria-label="Of a form above" />
        </div>
        <button type="submit" {...savesOnKeys}>
          Save
        </button>
      </form>
    </div>,
  )
})
afterEach(cleanup)

const press = (label: string, held: object) =>
  fireEvent.keyDown(screen.getByLabelText(label), { key: 'Enter', ...held })

test('saves with Control or Command, from a field that breaks lines', () => {
  press('Notes', {})
  press('Notes', { shiftKey: true })
  expect(onSubmit).not.toHaveBeenCalled()
  press('Notes', { ctrlKey: true })
  press('Notes', { metaKey: true })
  expect(onSubmit).toHaveBeenCalledTimes(2)
})

test('a field where Enter chooses is not asked', () => {
  press('Choice', { ctrlKey: true })
  expect(onSubmit).toHaveBeenCalledOnce()
  expect(onChoose).not.toHaveBeenCalled()
})

test('a dialog over the form saves something else', () => {
  press('Of a form above', { ctrlKey: true })
  expect(onSubmit).not.toHaveBeenCalled()
})

test('the button says by which keys', () => {
  const button = screen.getByRole('button', { name: 'Save' })
  expect(button.getAttribute('aria-keyshortcuts')).toBe('Control+Enter Meta+Enter')
  expect(button.title).toMatch(/^(Ctrl|⌘) \+ Enter$/)
})
