import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CollectionChoice } from './collection-choice.tsx'

const cafes = { id: '1', name: 'Big Cafés', contacts: 3 }
const cafe = { id: '2', name: 'Café', contacts: 1 }
const onChoose = vi.fn()
const onCreate = vi.fn()

const element = (isLoading = false) => (
  <MantineProvider env="test">
    <CollectionChoice
      collections={isLoading ? [] : [cafes, cafe]}
      isLoading={isLoading}
      hasFailed={false}
      onChoose={onChoose}
      onCreate={onCreate}
    />
  </MantineProvider>
)
const opener = () => screen.getByRole('button', { name: 'Add to collection' })
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search collections' })
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const press = (key: string) => fireEvent.keyDown(field(), { key, code: key })

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function open(isLoading = false) {
  const { rerender } = render(element(isLoading))
  fireEvent.click(opener())
  act(() => vi.runAllTimers())
  return rerender
}

test('Enter takes the first that is found, the likeliest first', () => {
  open()
  press('Enter')
  expect(onChoose).not.toHaveBeenCalled()
  type('cafe')
  press('Enter')
  expect(onChoose.mock.calls).toEqual([[cafe]])
  expect(onCreate).not.toHaveBeenCalled()
})

test('Enter on what nothing is found for creates it', () => {
  open()
  type(' Bars ')
  press('Enter')
  expect(onCreate.mock.calls).toEqual([['Bars']])
  expect(onChoose).not.toHaveBeenCalled()
})

test('Enter before the collections are known waits for them', () => {
  const rerender = open(true)
  type('big')
  press('Enter')
  expect(onCreate).not.toHaveBeenCalled()
  rerender(element())
  expect(onChoose.mock.calls).toEqual([[cafes]])
})

test('Tab takes only what is called so, and what is typed is there when it is opened again', () => {
  open()
  type('big')
  press('Tab')
  expect(onChoose).not.toHaveBeenCalled()
  fireEvent.click(opener())
  fireEvent.click(opener())
  expect(field().value).toBe('big')
  type('CAFE')
  press('Tab')
  expect(onChoose.mock.calls).toEqual([[cafe]])
})
