import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { FormEvent } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { type OwnKind, ownFields } from '#domain/fields/own.ts'
import { fieldColumns } from './field-columns.tsx'
import { FieldDetails } from './field-details.tsx'
import { OptionInput } from './option-input.tsx'

afterEach(cleanup)

const options = [
  { id: '~aaaaaaa', name: 'iPhone', color: 'blue' },
  { id: '~bbbbbbb', name: 'Large', color: 'red' },
]

const kinds: OwnKind[] = ['choice', 'several choices', 'yes/no', 'number']
const own = ownFields(
  kinds.map((kind, position) => ({
    id: kind,
    record: 'contacts',
    name: `The ${kind}`,
    kind,
    options: kind.includes('choice') ? options : [],
    position,
    is_hidden: false,
  })),
  'contacts',
)

const filled = {
  custom: {
    choice: '~bbbbbbb',
    'several choices': ['~aaaaaaa', '~bbbbbbb'],
    'yes/no': false,
    number: 0,
  },
}

function cells(row: object): (string | null)[] {
  const shown = kinds.map((kind) => `field:${kind}`)
  const columns = fieldColumns({ fields: own, shown, sorts: shown, timeZone: 'UTC' })
  const { container, unmount } = render(
    <MantineProvider>
      {columns.map(({ key, cell }) => (
        <p key={key}>{cell(row)}</p>
      ))}
    </MantineProvider>,
  )
  const texts = [...container.querySelectorAll('p')].map(({ textContent }) => textContent)
  unmount()
  return texts
}

test('columns show options by their names, and no is no dash', () => {
  expect(cells(filled)).toEqual(['Large', 'iPhoneLarge', 'No', '0'])
  expect(cells({ custom: {} })).toEqual(['-', '-', '-', '-'])
  // Removed in another window.
  expect(cells({ custom: { choice: '~zzzzzzz' } })[0]).toBe('-')
})

function details(custom: object) {
  const choose = vi.fn()
  const field = () => ({
    value: '',
    check: () => null,
    save: async () => null,
    put: async () => null,
    choose,
  })
  render(
    <MantineProvider env="test">
      <FieldDetails fields={own} record={{ custom }} field={field} onTakeTheirs={() => {}} />
    </MantineProvider>,
  )
  return choose
}

test('several choices are saved once, when the menu closes, in the order of the options', async () => {
  const choose = details({})
  fireEvent.click(screen.getByRole('button', { name: /^Edit The several choices/ }))
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Large' }))
  fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'iPhone' }))
  expect(choose).not.toHaveBeenCalled()
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: /^Edit The several choices/ }))
  })
  expect(choose.mock.calls).toEqual([[['~aaaaaaa', '~bbbbbbb']]])
})

test('a choice can be taken away, and no is another answer than none', async () => {
  const choose = details(filled.custom)
  fireEvent.click(screen.getByRole('button', { name: /^Edit The yes.no/ }))
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Empty' }))
  fireEvent.click(screen.getByRole('button', { name: /^Edit The choice/ }))
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'iPhone' }))
  expect(choose.mock.calls).toEqual([[null], ['~aaaaaaa']])
})

test.each([
  ['choice', 'c', 'Option', null],
  ['choice', null, 'Option C', 'c'],
  ['choice', 'a', 'option c', 'c'],
  ['choice', null, 'nothing of it', null],
  ['several choices', ['a'], 'option c', ['a', 'c']],
] as const)(
  'a %s of %j that is left with "%s" typed becomes %j',
  (kind, value, typed, expected) => {
    const choices = [...'abcdefghi']
    const choiceNames = Object.fromEntries(choices.map((id) => [id, `Option ${id.toUpperCase()}`]))
    const field = { kind, label: 'Segment', choices, choiceNames }
    const onChange = vi.fn()
    render(
      <MantineProvider env="test">
        <OptionInput
          field={field}
          label="Segment"
          name="segment"
          value={value}
          onChange={onChange}
        />
      </MantineProvider>,
    )
    const input = screen.getByRole('combobox', { name: 'Segment' })
    act(() => input.focus())
    fireEvent.change(input, { target: { value: typed } })
    act(() => input.blur())
    expect(onChange.mock.calls.map(([next]) => next)).toEqual(expected === null ? [] : [expected])
  },
)

test.each(['choice', 'several choices'] as const)(
  'text that no option of a %s contains stays when the field is left, and the form is not saved with it',
  (kind) => {
    const choices = [...'abcdefghi']
    const field = { kind, label: 'Segment', choices }
    const onSubmit = vi.fn((event: FormEvent) => event.preventDefault())
    render(
      <MantineProvider env="test">
        <form onSubmit={onSubmit}>
          <OptionInput
            field={field}
            label="Segment"
            name="segment"
            value={null}
            onChange={() => {}}
          />
        </form>
      </MantineProvider>,
    )
    const input: HTMLInputElement = screen.getByRole('combobox', { name: 'Segment' })
    const form = input.form
    if (!form) throw new Error('It is in no form.')
    act(() => input.focus())
    fireEvent.change(input, { target: { value: 'Gold' } })
    fireEvent.submit(form)
    expect(onSubmit).not.toHaveBeenCalled()
    expect(screen.getByText('No option named “Gold”.')).toBeTruthy()
    act(() => input.blur())
    expect(input.value).toBe('Gold')
    fireEvent.submit(form)
    expect(onSubmit).not.toHaveBeenCalled()
    act(() => input.focus())
    expect(input.value).toBe('Gold')
    fireEvent.change(input, { target: { value: '' } })
    act(() => input.blur())
    expect(screen.queryByText('No option named “Gold”.')).toBeNull()
    fireEvent.submit(form)
    expect(onSubmit).toHaveBeenCalledOnce()
  },
)
