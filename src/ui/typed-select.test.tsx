import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { expect, test, vi } from 'vitest'
import { TypedSelect } from './typed-select.tsx'
import { hasTypedText } from './use-leave-question.ts'

const data = ['Budget', 'City', 'Country', 'Industry', 'Owner', 'Region', 'Segment', 'Size', 'Web']

function show(value: string | null, find?: ComponentProps<typeof TypedSelect>['find']) {
  const [onChoose, onSubmit] = [vi.fn(), vi.fn((event: Event) => event.preventDefault())]
  const { container } = render(
    <MantineProvider env="test">
      <form onSubmit={(event) => onSubmit(event.nativeEvent)}>
        <TypedSelect
          label="Field"
          noun="field"
          data={data.map((label) => ({ value: label.toLowerCase(), label }))}
          value={value}
          onChoose={onChoose}
          {...(find ? { find } : {})}
        />
      </form>
    </MantineProvider>,
  )
  const input = screen.getByRole('combobox', { name: 'Field' })
  const type = (text: string) => {
    act(() => input.focus())
    fireEvent.click(input)
    fireEvent.change(input, { target: { value: text } })
  }
  const submit = () => container.querySelector('form')?.requestSubmit()
  return { onChoose, onSubmit, input, type, submit }
}

test('Enter takes the first match instead of saving the form', () => {
  const { onChoose, input, type } = show(null)
  type('seg')
  const isLeftToForm = fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' })
  expect(isLeftToForm).toBe(false)
  expect(onChoose.mock.calls.map(([choice]) => choice.label)).toEqual(['Segment'])
})

test('leaving takes it as well, and not the one that was chosen before', () => {
  const { onChoose, input, type } = show('budget')
  type('seg')
  act(() => input.blur())
  expect(onChoose.mock.calls.map(([choice]) => choice.label)).toEqual(['Segment'])
})

test('what is typed may mean an option by another name: the list and leaving go by it', () => {
  const { onChoose, input, type } = show('budget', (options, text) =>
    options.filter(({ value }) => value === 'web' && 'homepage'.includes(text)),
  )
  type('homep')
  const options = screen.getAllByRole('option', { hidden: true })
  expect(options.map(({ textContent }) => textContent)).toEqual(['Web'])
  act(() => input.blur())
  expect(onChoose.mock.calls.map(([choice]) => choice.label)).toEqual(['Web'])
})

test('a form is not saved over text that matches nothing', async () => {
  const { onChoose, onSubmit, type, submit } = show('budget')
  type('nothing like it')
  submit()
  expect(await screen.findByText('No field named “nothing like it”.')).toBeTruthy()
  expect([onSubmit.mock.calls.length, onChoose.mock.calls.length]).toEqual([0, 0])
})

test('the first letters of an option are asked about before the screen is left by a key', () => {
  const { input, type } = show('budget')
  act(() => input.focus())
  fireEvent.click(input)
  expect(hasTypedText()).toBe(false)
  type('seg')
  expect(hasTypedText()).toBe(true)
  type('Budget')
  expect(hasTypedText()).toBe(false)
  type('seg')
  act(() => input.blur())
  expect(hasTypedText()).toBe(false)
})
