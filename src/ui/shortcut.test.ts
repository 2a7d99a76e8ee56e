import { cleanup, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { ariaKeys, isPressed, isTyping, keyCaps, useShortcut } from './shortcut.ts'

const press = (key: string, held: Partial<KeyboardEvent> = {}) => ({
  key,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...held,
})
const on = (...keys: string[]) => ({ keys, does: '' })

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('Mod is Control or Command, and no key fires with one it does not name', () => {
  const save = on('Mod+Enter')
  expect(isPressed(press('Enter', { ctrlKey: true }), save)).toBe(true)
  expect(isPressed(press('Enter', { metaKey: true }), save)).toBe(true)
  expect(isPressed(press('Enter'), save)).toBe(false)
  expect(isPressed(press('Enter', { ctrlKey: true, altKey: true }), save)).toBe(false)
  expect(isPressed(press('x', { ctrlKey: true }), on('X'))).toBe(false)
  expect(isPressed(press('ArrowUp', { altKey: true }), on('Alt+ArrowUp'))).toBe(true)
  expect(isPressed(press('ArrowUp', { altKey: true }), on('ArrowUp'))).toBe(false)
  expect(isPressed(press('ArrowUp'), on('Alt+ArrowUp'))).toBe(false)
  expect(isPressed(press('ArrowDown', { shiftKey: true }), on('ArrowDown'))).toBe(false)
  expect(isPressed(press('ArrowDown', { shiftKey: true }), on('Shift+ArrowDown'))).toBe(true)
})

test('any of the keys will do; capitals locked on change nothing; a sign may need Shift', () => {
  expect(isPressed(press('J'), on('ArrowDown', 'J'))).toBe(true)
  expect(isPressed(press('j'), on('ArrowDown', 'J'))).toBe(true)
  expect(isPressed(press(' '), on('X', 'Space'))).toBe(true)
  expect(isPressed(press('?', { shiftKey: true }), on('?'))).toBe(true)
  expect(isPressed(press('?'), on('?'))).toBe(true)
})

test('the attribute names both keyboards, the caps the one at hand', () => {
  expect(ariaKeys(on('Mod+K'))).toBe('Control+K Meta+K')
  expect(ariaKeys(on('Delete', 'Backspace'))).toBe('Delete Backspace')
  const platform = vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')
  expect(keyCaps('Mod+K')).toEqual(['⌘', 'K'])
  platform.mockReturnValue('Linux x86_64')
  expect(keyCaps('Mod+Enter')).toEqual(['Ctrl', 'Enter'])
  expect(keyCaps('Shift+ArrowDown')).toEqual(['Shift', '↓'])
})

test('typing is in fields, not on a box to tick', () => {
  const made = (html: string) => {
    document.body.innerHTML = html
    return document.body.firstElementChild
  }
  for (const field of ['<input>', '<input type="date">', '<textarea>', '<select>']) {
    expect(isTyping(made(field)), field).toBe(true)
  }
  for (const other of ['<input type="checkbox">', '<button>', '<a href="/">']) {
    expect(isTyping(made(other)), other).toBe(false)
  }
})

test('in a field only keys with Mod fire; under a dialog none, but to close what they opened', () => {
  // Other files share this page.
  onTestFinished(() => document.body.replaceChildren())
  const run = vi.fn()
  const { rerender } = renderHook(
    ({ isOpen }) => {
      useShortcut(on('Mod+K'), () => run('drawer'), { isOpen })
      useShortcut(on('/'), () => run('search'))
    },
    { initialProps: { isOpen: false } },
  )
  document.body.innerHTML = '<textarea></textarea>'
  const field = document.body.firstElementChild as Element
  fireEvent.keyDown(field, { key: '/' })
  expect(run).not.toHaveBeenCalled()
  // The browser has one of its own.
  expect(fireEvent.keyDown(field, { key: 'k', ctrlKey: true })).toBe(false)
  expect(run.mock.calls).toEqual([['drawer']])
  fireEvent.keyDown(field, { key: 'k', ctrlKey: true, repeat: true })
  expect(run).toHaveBeenCalledOnce()

  run.mockClear()
  document.body.innerHTML = '<div role="dialog"><button></button></div>'
  const button = document.querySelector('button') as Element
  expect(fireEvent.keyDown(button, { key: 'k', metaKey: true })).toBe(false)
  expect(run).not.toHaveBeenCalled()
  rerender({ isOpen: true })
  fireEvent.keyDown(button, { key: 'k', metaKey: true })
  expect(run.mock.calls).toEqual([['drawer']])
})
