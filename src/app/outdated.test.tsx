import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useCrash } from './outdated.ts'

const missing = new TypeError('Failed to fetch dynamically imported module: /assets/deals.js')

afterEach(() => {
  cleanup()
  window.sessionStorage.clear()
  vi.unstubAllGlobals()
})

function answer(how: () => Promise<unknown>) {
  const asked = vi.fn(how)
  vi.stubGlobal('fetch', asked)
  return asked
}

const nobody = () => Promise.reject(new TypeError('Failed to fetch'))

test('a part that is missing because nobody answers is told, and the page stays', async () => {
  const asked = answer(nobody)
  const { result } = renderHook(() => useCrash(missing))
  expect(result.current.crash).toBe('pending')
  await waitFor(() => expect(result.current.crash).toBe('unreachable'))
  await act(async () => result.current.tryAgain())
  expect(asked).toHaveBeenCalledTimes(2)
  expect(result.current.crash).toBe('unreachable')
  expect(window.sessionStorage.length).toBe(0)
})

test('a part that is missing right after a reload is a crash', async () => {
  answer(() => Promise.resolve())
  window.sessionStorage.setItem('solo-reloaded-at', String(Date.now()))
  const { result } = renderHook(() => useCrash(missing))
  await waitFor(() => expect(result.current.crash).toBe('broken'))
})

test('any other error is a crash at once', () => {
  const asked = answer(nobody)
  const { result } = renderHook(() => useCrash(new Error('x is undefined')))
  expect(result.current.crash).toBe('broken')
  expect(asked).not.toHaveBeenCalled()
})
