import { Anchor, Text } from '@mantine/core'
import { type ReactNode, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { counted } from '#domain/counted.ts'
import { taskStatus } from '#domain/task.ts'
import { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { useStaleClickGuard } from '#ui/stale-clicks.ts'
import { ListBody } from '#ui/list-body.tsx'
import { LoadingState } from '#ui/states.tsx'
import { taskList } from './queries.ts'
import { TaskLine } from './task-line.tsx'
import { type TaskTab, tabView } from './task-view.ts'

/** What the tabs of feed and panel are called in the sentence that says there is nothing in them. */
const emptyTexts: Record<TaskTab, string> = {
  all: 'No tasks yet',
  pending: 'No pending tasks',
  completed: 'No done tasks',
  overdue: 'No overdue tasks',
}

/** The feed and the panel are a glance, not a list. */
const most = 10

type RecentTasksProps = {
  tab: TaskTab
  /** How many there are under this tab. */
  total: number
  /** How many tasks are overdue. */
  overdue: number
  /** A link leads away from the glance, also to the screen on which it was opened. */
  onLeave: () => void
}

/** The newest tasks of a tab: what the tasks screen has read already is not read again. */
export function RecentTasks({ tab, total, overdue, onLeave }: RecentTasksProps) {
  const view = useMemo(() => tabView(tab), [tab])
  const list = useList(taskList, view)
  const now = useNow()
  const element = useRef<HTMLUListElement>(null)
  const shown = useMemo(() => list.rows.slice(0, most), [list.rows])
  useStaleClickGuard(element, shown)
  const shownOverdue = shown.filter((task) => taskStatus(task, now) === 'overdue').length
  // They are older than what is shown, and so they would be missed.
  const missing = tab === 'all' || tab === 'pending' ? overdue - shownOverdue : 0
  return (
    <ListBody
      list={list}
      name="tasks"
      skeleton={<LoadingState text="Loading tasks..." />}
      empty={
        <Text c="dimmed" ta="center" py="lg">
          {emptyTexts[tab]}
        </Text>
      }
      // A glance shows no more than it has.
      tellsMore
    >
      {missing > 0 && (
        <Note tab="overdue" color="var(--mantine-color-error)" onLeave={onLeave}>
          {counted(missing, 'overdue task')} not shown
        </Note>
      )}
      <ul ref={element} aria-label="Tasks" style={{ margin: 0, padding: 0, listStyle: 'none' }}>
        {shown.map((task) => (
          <li key={task.id} data-row={task.id}>
            <TaskLine task={task} />
          </li>
        ))}
      </ul>
      {total > most && (
        <Note tab={tab} color="dimmed" onLeave={onLeave}>
          Showing {most} of {counted(total, 'task')}
        </Note>
      )}
    </ListBody>
  )
}

type NoteProps = { tab: TaskTab; color: string; onLeave: () => void; children: ReactNode }

/** What is not shown, with the way to it. */
function Note({ tab, color, onLeave, children }: NoteProps) {
  return (
    <Text size="xs" ta="center">
      <Anchor
        component={Link}
        to={tab === 'all' ? '/app/tasks' : `/app/tasks?tab=${tab}`}
        onClick={onLeave}
        inherit
        underline="always"
        c={color}
        display="block"
        py="sm"
      >
        {children}
      </Anchor>
    </Text>
  )
}
