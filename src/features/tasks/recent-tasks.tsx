import { Anchor, Text } from '@mantine/core'
import { type ReactNode, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { counted } from '#domain/counted.ts'
import { taskStatus } from '#domain/task.ts'
import { useList } from '#lib/use-list.ts'
import { useNow } from '#lib/use-now.ts'
import { ListBody } from '#ui/list-body.tsx'
import { useStaleClickGuard } from '#ui/stale-clicks.ts'
import { LoadingState } from '#ui/states.tsx'
import { taskList } from './queries.ts'
import { TaskLine } from './task-line.tsx'
import { type TaskTab, tabView } from './task-view.ts'

/** The empty texts of the tabs in feed and panel. */
const emptyTexts: Record<TaskTab, string> = {
  all: 'No tasks yet',
  pending: 'No pending tasks',
  completed: 'No done tasks',
  overdue: 'No overdue tasks',
}

/** Feed and panel show at most this many tasks. */
const most = 10

type RecentTasksProps = {
  tab: TaskTab
  /** How many there are under this tab. */
  total: number
  /** How many tasks are overdue. */
  overdue: number
  /** Called when a link is pressed, also one to the current screen. */
  onLeave: () => void
}

/** The newest tasks of a tab, from the same cache as the tasks screen. */
export function RecentTasks({ tab, total, overdue, onLeave }: RecentTasksProps) {
  const view = useMemo(() => tabView(tab), [tab])
  const list = useList(taskList, view)
  const now = useNow()
  const element = useRef<HTMLUListElement>(null)
  const shown = useMemo(() => list.rows.slice(0, most), [list.rows])
  useStaleClickGuard(element, shown)
  const shownOverdue = shown.filter((task) => taskStatus(task, now) === 'overdue').length
  // Overdue tasks that are too old to be among those shown.
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
      // No further pages here.
      hidesLoading
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

/** A link to tasks that are not shown. */
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
