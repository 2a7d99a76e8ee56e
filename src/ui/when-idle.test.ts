import { afterEach, expect, test, vi } from 'vitest'
import { whenIdle } from './when-idle.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** As a browser that is never idle does it: nothing, unless it was told how long one may wait. */
function neverIdle(run: IdleRequestCallback, options?: IdleRequestOptions): number {
  if (options?.timeout !== undefined) {
    setTimeout(() => run({ didTimeout: true, timeRemaining: () => 0 }), options.timeout)
  }
  return 1
}

test.each([
  { browser: 'that is never idle', requestIdleCallback: neverIdle },
  { browser: 'that cannot tell' },
])('in a browser $browser it runs after a second', (globals) => {
  vi.useFakeTimers()
  if (globals.requestIdleCallback) vi.stubGlobal('requestIdleCallback', globals.requestIdleCallback)
  const run = vi.fn()
  whenIdle(run)
  vi.advanceTimersByTime(999)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledOnce()
})
