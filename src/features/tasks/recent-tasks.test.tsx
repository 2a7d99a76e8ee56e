import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listKeys } from '#lib/list-source.ts'
import type { Task } from './queries.ts'
import { RecentTasks } from './recent-tasks.tsx'
import { tasksKey } from './task-key.ts'
import { type TaskTab, tabView } from './task-view.ts'

const onLeave = vi.fn()

beforeEach(() => vi.clearAllMocks())
afterEach(cleanup)

/** The newest of a tab: so many, and so many of them overdue. */
function tasks(count: number, overdue: number, completed = false): Task[] {
  return Array.from({ length: count }, (_, n) => ({
    id: String(n),
    title: `Task ${n}`,
    description: null,
    priority: 'medium',
    due_date: n < overdue ? '2020-01-01T00:00:00Z' : null,
    due_all_day: false,
    completed,
    completed_at: null,
    deal_id: null,
    contact_id: null,
    company_id: null,
    repeat: null,
    repeat_days: null,
    repeat_every: null,
    repeat_start: null,
    repeated_from: null,
    created_at: '2026-11-15T00:00:00Z',
    updated_at: '2026-11-15T00:00:00Z',
    deal_name: null,
    company_name: null,
    contact: null,
  }))
}

type Shown = { rows: Task[]; total: number; overdue: number }

/** The links below and above the tasks, as they read and where they lead. */
function notes(tab: TaskTab, { rows, total, overdue }: Shown): [string | null, string | null][] {
  cleanup()
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  const view = tabView(tab)
  client.setQueryData([...listKeys.pages(tasksKey), view], {
    pages: [{ rows, next: null }],
    pageParams: [null],
  })
  client.setQueryData([...listKeys.counts(tasksKey), view.filter], total)
  client.setQueryData(['preferences'], { time_zone: 'UTC', week_starts_on: 1 })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <RecentTasks tab={tab} total={total} overdue={overdue} onLeave={onLeave} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
}

test('more than ten: how many there are, as figures are written, and the way to them under this tab', () => {
  expect(notes('all', { rows: tasks(60, 0), total: 1103, overdue: 0 })).toEqual([
    ['Showing 10 of 1,103 tasks', '/app/tasks'],
  ])
  expect(screen.getAllByRole('listitem')).toHaveLength(10)
  expect(notes('completed', { rows: tasks(11, 0, true), total: 11, overdue: 0 })).toEqual([
    ['Showing 10 of 11 tasks', '/app/tasks?tab=completed'],
  ])
  expect(notes('pending', { rows: tasks(10, 0), total: 10, overdue: 0 })).toEqual([])
})

test('overdue tasks that are older than what is shown: how many, and the way to them', () => {
  const shown = { rows: tasks(60, 2), total: 1103, overdue: 1003 }
  const more = 'Showing 10 of 1,103 tasks'
  const missing = ['1,001 overdue tasks not shown', '/app/tasks?tab=overdue']
  expect(notes('all', shown)).toEqual([missing, [more, '/app/tasks']])
  expect(notes('pending', shown)).toEqual([missing, [more, '/app/tasks?tab=pending']])
  const [one] = notes('all', { ...shown, overdue: 3 })
  expect(one).toEqual(['1 overdue task not shown', '/app/tasks?tab=overdue'])
  // All of them stand there.
  expect(notes('all', { ...shown, overdue: 2 })).toEqual([[more, '/app/tasks']])
})

test('the tabs of overdue and of done tasks do not tell of others', () => {
  const overdue = { rows: tasks(60, 60), total: 1003, overdue: 1003 }
  expect(notes('overdue', overdue)).toEqual([
    ['Showing 10 of 1,003 tasks', '/app/tasks?tab=overdue'],
  ])
  expect(notes('completed', { rows: tasks(3, 0, true), total: 3, overdue: 5 })).toEqual([])
})

test('a click on either leaves the glance', () => {
  notes('all', { rows: tasks(60, 2), total: 1103, overdue: 3 })
  for (const link of screen.getAllByRole('link')) fireEvent.click(link)
  expect(onLeave).toHaveBeenCalledTimes(2)
})
