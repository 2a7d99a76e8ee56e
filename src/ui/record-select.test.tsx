import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RecordSelect } from './record-select.tsx'

const acme = { id: '1', label: 'Acme' }
const bolt = { id: '2', label: 'Bolt' }
const onChoose = vi.fn()
const searches: string[] = []

function useChoices(search: string) {
  searches.push(search)
  return { choices: [acme, bolt], isLoading: false }
}

const element = (chosen: typeof acme | null) => (
  <MantineProvider env="test">
    <RecordSelect label="Company" chosen={chosen} onChoose={onChoose} useChoices={useChoices} />
  </MantineProvider>
)
const input = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Company' })
const type = (value: string) => fireEvent.input(input(), { target: { value } })
const pick = (name: string) => fireEvent.click(screen.getByRole('option', { name }))

beforeEach(() => {
  onChoose.mockClear()
  searches.length = 0
})
afterEach(cleanup)

/** The field with the keyboard in it. */
function open(chosen: typeof acme | null) {
  const { rerender } = render(element(chosen))
  act(() => input().focus())
  return (next: typeof acme | null) => rerender(element(next))
}

test('a name that is known late shows when it comes, and the keyboard stays in the field', () => {
  const show = open({ ...acme, label: '' })
  const field = input()
  expect(field.value).toBe('')
  show(acme)
  expect(field.value).toBe('Acme')
  expect(document.activeElement).toBe(field)
  // Neither is a search.
  expect(new Set(searches)).toEqual(new Set(['']))
})

test('what was picked here has its name before that is told from outside', () => {
  const show = open(null)
  type('bo')
  pick('Bolt')
  expect(onChoose.mock.calls).toEqual([[bolt]])
  show({ ...bolt, label: '' })
  expect(input().value).toBe('Bolt')
  show(bolt)
  expect(input().value).toBe('Bolt')
})

test('emptied, it chooses nothing, and what is typed meanwhile stays however late that is known', () => {
  const show = open(acme)
  type('')
  expect(onChoose.mock.calls).toEqual([[null]])
  type('B')
  show(null)
  expect(input().value).toBe('B')
  type('Bo')
  expect(input().value).toBe('Bo')
})

test('what is typed and not chosen goes when the field is left, or the same is picked again', () => {
  open(acme)
  type('Bo')
  pick('Acme')
  expect(input().value).toBe('Acme')
  type('Bo')
  act(() => input().blur())
  expect(input().value).toBe('Acme')
  expect(onChoose).not.toHaveBeenCalled()
})
