import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { DealMarks } from './deal-marks.tsx'
import type { Deal } from './queries.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** Only what the marks look at. */
function deal(values: Partial<Deal>): Deal {
  return {
    outcome: 'open',
    next_task: null,
    stage_since: '2026-10-25T12:00:00Z',
    stalls_at: '2026-11-08T12:00:00Z',
    ...values,
  } as Deal
}

const marks = () => screen.queryAllByRole('img').map((mark) => [mark.ariaLabel, mark.title])

test('an open deal shows what it lacks in words, not by a colour alone', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-15T13:00:00Z') })
  const { rerender } = render(<DealMarks deal={deal({})} />)
  const both = ['No next step', 'Stalled: 21 days in this stage']
  expect(marks()).toEqual(both.map((words) => [words, words]))
  rerender(<DealMarks deal={deal({ outcome: 'won' })} />)
  expect(marks()).toEqual([])
})

test('on a card, whose tooltips no finger reaches, the words are shown', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-15T13:00:00Z') })
  const { container } = render(<DealMarks deal={deal({})} isLong />)
  expect(container.textContent).toBe('No next stepStalled: 21 days in this stage')
})
