import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useStaleClickGuard } from './stale-clicks.ts'

const ticked: string[] = []

function List({ ids }: { ids: string[] }) {
  const element = useRef<HTMLUListElement>(null)
  useStaleClickGuard(element, ids)
  return (
    <ul ref={element}>
      {ids.map((id) => (
        <li key={id} data-row={id}>
          <input
            type="checkbox"
            aria-label={id}
            checked={false}
            onChange={() => void ticked.push(id)}
          />
        </li>
      ))}
    </ul>
  )
}

const box = (id: string) => screen.getByRole('checkbox', { name: id })
const place = { clientX: 100, clientY: 200 }
const click = (id: string, at = place) => fireEvent.click(box(id), { detail: 1, ...at })
const moveOver = (id: string, at = place) => fireEvent.pointerMove(box(id), at)

beforeEach(() => {
  ticked.length = 0
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** The row that a click has completed gives way to the next, after an answer that took this long. */
function replaced(after = 50) {
  const { rerender } = render(<List ids={['report', 'other']} />)
  moveOver('report')
  vi.advanceTimersByTime(300)
  click('report')
  expect(ticked).toEqual(['report'])
  vi.advanceTimersByTime(after)
  rerender(<List ids={['next report', 'other']} />)
  vi.advanceTimersByTime(100)
}

test.each([50, 5000])('a second click on the same spot, %i ms later, reaches no row', (after) => {
  replaced(after)
  expect(click('next report')).toBe(false)
  // Nor does a third, or one of a hand that trembles.
  moveOver('next report', { clientX: 103, clientY: 202 })
  click('next report', { clientX: 103, clientY: 202 })
  expect(ticked).toEqual(['report'])
})

test('who has seen the new row ticks it: after a moment, or with a pointer that was moved there', () => {
  replaced()
  vi.advanceTimersByTime(700)
  click('next report')
  expect(ticked).toEqual(['report', 'next report'])
  cleanup()
  ticked.length = 0
  replaced()
  const elsewhere = { clientX: 100, clientY: 240 }
  moveOver('other', elsewhere)
  click('other', elsewhere)
  expect(ticked).toEqual(['report', 'other'])
})

test('a second click on a row that stays is a click, and so is a key', () => {
  const { rerender } = render(<List ids={['report']} />)
  click('report')
  rerender(<List ids={['report', 'next report']} />)
  click('report')
  expect(ticked).toEqual(['report', 'report'])
  rerender(<List ids={['next report']} />)
  fireEvent.click(box('next report'), { detail: 0 })
  expect(ticked).toEqual(['report', 'report', 'next report'])
})
