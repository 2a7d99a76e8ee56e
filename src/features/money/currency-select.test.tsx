import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { CurrencySelect } from './currency-select.tsx'

afterEach(cleanup)

function typed(text: string) {
  const onChange = vi.fn()
  render(
    <MantineProvider env="test">
      <CurrencySelect label="Currency" value="USD" onChange={onChange} />
    </MantineProvider>,
  )
  const input: HTMLInputElement = screen.getByRole('combobox', { name: 'Currency' })
  act(() => input.focus())
  fireEvent.click(input)
  // What is typed takes the place of what stands there.
  expect(input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0)).toBe(input.value)
  fireEvent.change(input, { target: { value: text } })
  act(() => input.blur())
  return { input, onChange }
}

test.each([
  ['eur', 'EUR'],
  ['CHF', 'CHF'],
  // A crown has these letters too.
  ['ron', 'RON'],
  ['british p', 'GBP'],
])('a field that is left with "%s" typed chooses %s', (text, code) => {
  expect(typed(text).onChange.mock.calls).toEqual([[code]])
})

test('what is no currency stays, and is asked about', () => {
  const { input, onChange } = typed('taler')
  expect(onChange).not.toHaveBeenCalled()
  expect(input.value).toBe('taler')
  expect(screen.getByText('No currency named “taler”.')).toBeTruthy()
})
