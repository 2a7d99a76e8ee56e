import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Day } from './day.tsx'
import type { Figures } from './queries.ts'

vi.mock('#features/history/index.ts', () => ({ RecentActivity: () => 'activity ' }))
vi.mock('#features/mail/index.ts', () => ({
  PeopleWrittenTo: () => null,
  RepliesWaiting: () => 'replies ',
}))
vi.mock('./attention.tsx', () => ({ Attention: () => 'attention ' }))
vi.mock('./goal.tsx', () => ({ Goal: () => 'goal ' }))
vi.mock('./samples-bar.tsx', () => ({ SamplesBar: () => 'samples ' }))
vi.mock('./today-tasks.tsx', () => ({ TodayTasks: () => 'today ' }))
afterEach(cleanup)

// All that decides about the order.
const figures = {
  ...{ contacts: { total: 1 }, companies: { total: 0 }, deals: { total: 0 } },
  ...{ has_tasks: true, has_samples: true },
} as Figures

test.each([
  [
    'on a wide screen the goal stands above the day',
    null,
    'samples goal today replies attention activity ',
  ],
  [
    'on the phone today and what needs attention come first',
    'figures ',
    'today replies attention samples goal figures activity ',
  ],
])('%s', (_, overview, expected) => {
  const { container } = render(
    <Day figures={figures} readAt={0}>
      {overview}
    </Day>,
  )
  expect(container.textContent).toBe(expected)
})
