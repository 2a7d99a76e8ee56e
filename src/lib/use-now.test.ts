import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tick, useNow } from './use-now.ts'

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-18T23:59:50Z') }))
afterEach(() => void vi.useRealTimers())

test('what shows the time changes by itself, past midnight too', () => {
  const { result } = renderHook(useNow)
  expect(new Date(result.current).getUTCDate()).toBe(18)
  act(() => void vi.advanceTimersByTime(15_000))
  expect(new Date(result.current).getUTCDate()).toBe(19)
})

test('it changes at once when a task becomes overdue, and when the window is looked at again', () => {
  const { result } = renderHook(useNow)
  vi.setSystemTime(new Date('2026-11-19T08:00:00Z'))
  act(tick)
  expect(result.current).toBe(Date.parse('2026-11-19T08:00:00Z'))
  vi.setSystemTime(new Date('2026-11-19T09:00:00Z'))
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(result.current).toBe(Date.parse('2026-11-19T09:00:00Z'))
})
