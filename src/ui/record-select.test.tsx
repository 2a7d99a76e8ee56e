import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RecordSelect } from './record-select.tsx'

type Choice = { id: string; label: string }

const acme = { id: '1', label: 'Acme' }
const acmeLtd = { id: '3', label: 'Acme Ltd' }
const bolt = { id: '2', label: 'Bolt' }
const all = [acme, acmeLtd, bolt]
const onChoose = vi.fn()
const onSave = vi.fn()
const open = vi.fn()
const make = vi.fn<(typed: string) => Promise<Choice | null>>()
const searches: string[] = []
/** Searches wait for `answer` while this is true. */
let isSlow = false
let hasFailed = false
let answer = () => {}

/** As the backend and `domain` would: by part of the name. */
function useChoices(search: string) {
  const [answered, setAnswered] = useState(search)
  searches.push(search)
  answer = () => act(() => setAnswered(search))
  const isLoading = isSlow && answered !== search
  const found = (text: string) => all.filter(({ label }) => label.toLowerCase().includes(text))
  const choices = hasFailed ? [] : found((isLoading ? answered : search).toLowerCase())
  const exact = choices.filter(({ label }) => label.toLowerCase() === search.toLowerCase())
  return { choices, exact: exact[0] ?? null, isLoading, hasFailed }
}

const creation = { label: 'Create company', open, make }
const field = { label: 'Company', onChoose, useChoices }
const element = (chosen: Choice | null) => (
  <MantineProvider env="test">
    <RecordSelect {...field} chosen={chosen} />
  </MantineProvider>
)

/** A form that keeps what is chosen, as those of the records do. */
function Form({ canCreate = true }: { canCreate?: boolean }) {
  const [chosen, setChosen] = useState<Choice | null>(null)
  return (
    <MantineProvider env="test">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSave(chosen?.label ?? null)
        }}
      >
        <RecordSelect
          {...field}
          chosen={chosen}
          onChoose={(choice) => {
            onChoose(choice)
            setChosen(choice)
          }}
          {...(canCreate ? { creation } : {})}
        />
        <button type="submit">Save</button>
      </form>
    </MantineProvider>
  )
}

const input = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Company' })
const type = (value: string) => fireEvent.input(input(), { target: { value } })
const pick = (name: string) => fireEvent.click(screen.getByRole('option', { name }))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const highlighted = () => {
  const id = input().getAttribute('aria-activedescendant')
  return id ? document.getElementById(id)?.textContent : null
}
/** What the pause in the typing waits for. */
const pause = () => act(() => vi.advanceTimersByTime(200))
/** As the browser does: a key that nobody took saves the form. */
function enter(): void {
  const isFree = fireEvent.keyDown(input(), { key: 'Enter', code: 'Enter' })
  if (isFree) fireEvent.submit(screen.getByRole('button', { name: 'Save' }))
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
  searches.length = 0
  isSlow = false
  hasFailed = false
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** The field with the keyboard in it. */
function show(chosen: Choice | null) {
  const { rerender } = render(element(chosen))
  act(() => input().focus())
  return (next: Choice | null) => rerender(element(next))
}

/** The form with the keyboard in the field. */
function showForm(props: { canCreate?: boolean } = {}) {
  render(<Form {...props} />)
  act(() => input().focus())
}

test('a name that is known late shows when it comes, and the keyboard stays in the field', () => {
  const showNext = show({ ...acme, label: '' })
  const now = input()
  expect(now.value).toBe('')
  showNext(acme)
  expect(now.value).toBe('Acme')
  expect(document.activeElement).toBe(now)
  // Neither is a search.
  expect(new Set(searches)).toEqual(new Set(['']))
})

test('what was picked here has its name before that is told from outside', () => {
  const showNext = show(null)
  type('bo')
  pick('Bolt')
  expect(onChoose.mock.calls).toEqual([[bolt]])
  showNext({ ...bolt, label: '' })
  expect(input().value).toBe('Bolt')
  showNext(bolt)
  expect(input().value).toBe('Bolt')
})

test('emptied, it chooses nothing, and what is typed meanwhile stays however late that is known', () => {
  const showNext = show(acme)
  type('')
  expect(onChoose.mock.calls).toEqual([[null]])
  type('B')
  showNext(null)
  expect(input().value).toBe('B')
  type('Bo')
  expect(input().value).toBe('Bo')
})

test('what is chosen elsewhere takes the place of what was typed', () => {
  const showNext = show(null)
  type('Bo')
  showNext(bolt)
  expect(input().value).toBe('Bolt')
})

test('the first match is highlighted, and Enter takes it and does not save', () => {
  showForm()
  expect(highlighted()).toBeNull()
  type('acm')
  expect(highlighted()).toBeNull()
  pause()
  expect(highlighted()).toBe('Acme')
  enter()
  expect(onChoose.mock.calls).toEqual([[acme]])
  expect(input().value).toBe('Acme')
  expect(onSave).not.toHaveBeenCalled()
  enter()
  expect(onSave.mock.calls).toEqual([['Acme']])
})

test('the arrows move the highlight', () => {
  showForm()
  type('acm')
  pause()
  fireEvent.keyDown(input(), { key: 'ArrowDown', code: 'ArrowDown' })
  expect(highlighted()).toBe('Acme Ltd')
  enter()
  expect(onChoose.mock.calls).toEqual([[acmeLtd]])
})

test('Enter before the search has answered waits for it', () => {
  isSlow = true
  showForm()
  type('bol')
  enter()
  pause()
  enter()
  expect(onChoose).not.toHaveBeenCalled()
  expect(input().value).toBe('bol')
  answer()
  expect(onChoose.mock.calls).toEqual([[bolt]])
  expect(onSave).not.toHaveBeenCalled()
})

test('Enter on what nothing is found for opens the form of a new one, where there is one', () => {
  showForm()
  type('Zeta')
  pause()
  expect(highlighted()).toBe('Create company “Zeta”')
  enter()
  expect(open.mock.calls).toEqual([['Zeta']])
  expect(input().value).toBe('Zeta')
})

test('left, it takes only what is called so; anything else stays', () => {
  showForm()
  type('acm')
  pause()
  act(() => input().blur())
  expect(input().value).toBe('acm')
  expect(onChoose).not.toHaveBeenCalled()
  act(() => input().focus())
  type('ACME')
  // Left before the search has answered.
  act(() => input().blur())
  expect(input().value).toBe('ACME')
  pause()
  expect(onChoose.mock.calls).toEqual([[acme]])
  expect(input().value).toBe('Acme')
})

test('saving over a name that was not chosen asks, and goes on with the answer', () => {
  showForm()
  type('acme l')
  pause()
  press('Save')
  expect(onSave).not.toHaveBeenCalled()
  expect(screen.getByText('Which company is “acme l”?')).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Use Acme Ltd')
  press('Use Acme Ltd')
  expect(onSave.mock.calls).toEqual([['Acme Ltd']])
  expect(document.activeElement).toBe(input())
})

test('saving takes what is called so without a question, however late that is known', () => {
  isSlow = true
  showForm()
  type('bolt')
  press('Save')
  expect(screen.getByText('Searching for “bolt”...')).toBeTruthy()
  pause()
  answer()
  expect(onSave.mock.calls).toEqual([['Bolt']])
})

test('a new one is made at once, and a failure leaves everything as it was', async () => {
  showForm()
  type('Zeta')
  pause()
  press('Save')
  expect(screen.getByText('No company named “Zeta”.')).toBeTruthy()
  make.mockResolvedValueOnce(null)
  await act(async () => press('Create Zeta'))
  expect(input().value).toBe('Zeta')
  expect(onSave).not.toHaveBeenCalled()
  make.mockResolvedValueOnce({ id: '9', label: 'Zeta' })
  await act(async () => press('Create Zeta'))
  expect(make.mock.calls).toEqual([['Zeta'], ['Zeta']])
  expect(onSave.mock.calls).toEqual([['Zeta']])
})

test('what is typed while a new one is being made stays', async () => {
  let made = (_: Choice) => {}
  make.mockReturnValueOnce(
    new Promise((resolve) => {
      made = resolve
    }),
  )
  showForm()
  type('Zeta')
  pause()
  press('Save')
  press('Create Zeta')
  act(() => input().focus())
  type('Zeta AG')
  await act(async () => made({ id: '9', label: 'Zeta' }))
  expect(input().value).toBe('Zeta AG')
  expect(onChoose).not.toHaveBeenCalled()
  expect(onSave).not.toHaveBeenCalled()
})

test('the cross takes away what was typed, and does not save', () => {
  showForm()
  type('Zeta')
  pause()
  press('Save')
  fireEvent.click(screen.getByLabelText('Clear Company'))
  expect(input().value).toBe('')
  expect(screen.queryByRole('button', { name: 'Create Zeta' })).toBeNull()
  expect(onSave).not.toHaveBeenCalled()
})

test('a search that failed has not found nothing: the list says so, and Enter makes no new one', () => {
  hasFailed = true
  showForm()
  type('acm')
  pause()
  expect(highlighted()).toBeNull()
  enter()
  expect(open).not.toHaveBeenCalled()
  expect(screen.getByText('Search for “acm” failed.')).toBeTruthy()
  cleanup()
  showForm({ canCreate: false })
  type('acm')
  pause()
  expect(screen.getByText('Search failed.')).toBeTruthy()
})

test('where nothing is found and nothing can be made, the text stays until it is given up', () => {
  showForm({ canCreate: false })
  type('Zeta')
  pause()
  enter()
  expect(screen.getByText('No company named “Zeta”.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Use|Create/ })).toBeNull()
  expect(input().value).toBe('Zeta')
  press('Leave empty')
  expect(onSave.mock.calls).toEqual([[null]])
})

test('whoever goes on in the field after the question saves when he wants to', () => {
  showForm()
  type('acm')
  pause()
  press('Save')
  act(() => input().focus())
  type('bo')
  expect(screen.queryByRole('button', { name: 'Leave empty' })).toBeNull()
  pause()
  enter()
  expect(onChoose.mock.calls).toEqual([[bolt]])
  expect(onSave).not.toHaveBeenCalled()
})

test('without a form it asks when it is left, and what was chosen can stay', () => {
  show(bolt)
  type('acm')
  pause()
  act(() => input().blur())
  expect(screen.getByText('Which company is “acm”?')).toBeTruthy()
  press('Keep Bolt')
  expect(input().value).toBe('Bolt')
  expect(onChoose.mock.calls).toEqual([[bolt]])
})

test('Escape closes the list and keeps what is typed', () => {
  showForm()
  type('acm')
  pause()
  fireEvent.keyDown(input(), { key: 'Escape', code: 'Escape' })
  expect(input().value).toBe('acm')
  expect(input().getAttribute('aria-expanded')).toBe('false')
  enter()
  expect(onSave).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Use Acme' })).toBeTruthy()
})
