import { MantineProvider } from '@mantine/core'
import { cleanup, render } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import type { Task } from '#features/tasks/index.ts'
import type { AttentionDeal, Figures } from './queries.ts'
import { TodayTasks } from './today-tasks.tsx'

const next = vi.hoisted(() => ({ tasks: [] as unknown[], isPending: false, readAt: 0 }))
vi.mock('./queries.ts', () => ({ useNextTask: () => next }))
vi.mock('#features/tasks/index.ts', () => ({
  TaskDialog: () => null,
  TaskLine: ({ task }: { task: Task }) => `${task.title} `,
  useTasksSince: (tasks: Task[]) => tasks,
}))
afterEach(cleanup)

const task = (title: string) => ({ id: title, title }) as Task
const some = (...rows: Task[]) => ({ total: rows.length, rows })
const deal = { id: 'd', name: 'Pilot', has_next: false } as AttentionDeal
const stalled = { ...deal, name: 'Stalled', has_next: true }

test.each([
  ['the next task', [task('Call')], [], [], 'Next upCall '],
  ['a deal without one', [], [], [], 'No tasks planned. Next step for Pilot?'],
  ['what is overdue, and nothing further', [task('Call')], [task('Late')], [], 'Late '],
  ['what is left for today, and nothing further', [task('Call')], [], [task('Due')], 'Due '],
])('when today is done it says %s', (_, after, overdue, today, expected) => {
  next.tasks = after
  const attention: Figures['attention'] = { total: 2, rows: [stalled, deal] }
  const { container } = render(
    <MantineProvider env="test">
      <MemoryRouter>
        <TodayTasks
          overdue={some(...overdue)}
          today={some(...today)}
          attention={attention}
          readAt={0}
        />
      </MemoryRouter>
    </MantineProvider>,
  )
  const { textContent } = container
  expect(textContent).toContain(expected)
  expect(textContent?.includes('Next')).toBe(expected.includes('Next'))
})
