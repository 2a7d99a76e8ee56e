import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SearchField } from './search-field.tsx'

const onSearch = vi.fn()
const element = (value: string) => (
  <MantineProvider env="test">
    <SearchField value={value} placeholder="Search things..." onSearch={onSearch} />
  </MantineProvider>
)
const input = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search things' })
const type = (value: string) => fireEvent.change(input(), { target: { value } })
const pause = (ms: number) => act(() => vi.advanceTimersByTime(ms))

beforeEach(() => {
  vi.useFakeTimers()
  onSearch.mockClear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('one search a pause, with what was typed last', () => {
  render(element(''))
  type('a')
  pause(100)
  type('ad')
  pause(149)
  expect(onSearch).not.toHaveBeenCalled()
  pause(1)
  expect(onSearch.mock.calls).toEqual([['ad']])
})

test('Enter does not wait, and spaces around it are nothing', () => {
  render(element(''))
  type(' ada ')
  fireEvent.keyDown(input(), { key: 'Enter' })
  pause(1000)
  expect(onSearch.mock.calls).toEqual([['ada']])
})

test('who goes on to something else has searched before that, and only once', () => {
  render(element(''))
  type('ada')
  fireEvent.blur(input())
  expect(onSearch.mock.calls).toEqual([['ada']])
  pause(1000)
  expect(onSearch.mock.calls).toEqual([['ada']])
})

test('the value of its own search does not disturb the typing, another one replaces it', () => {
  const { rerender } = render(element(''))
  type('ad')
  pause(150)
  type('ada')
  rerender(element('ad'))
  expect(input().value).toBe('ada')
  rerender(element('before'))
  expect(input().value).toBe('before')
  pause(1000)
  expect(onSearch.mock.calls).toEqual([['ad']])
})

test('Escape and the cross clear it at once', () => {
  render(element('ada'))
  fireEvent.click(screen.getByRole('button', { name: 'Clear search', hidden: true }))
  expect(input().value).toBe('')
  expect(onSearch.mock.calls).toEqual([['']])
})
