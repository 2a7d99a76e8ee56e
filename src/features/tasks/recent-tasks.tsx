import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useList } from '#lib/use-list.ts'
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
}

/** The newest tasks of a tab: what the tasks screen has read already is not read again. */
export function RecentTasks({ tab, total }: RecentTasksProps) {
  const view = useMemo(() => tabView(tab), [tab])
  const list = useList(taskList, view)
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
      <ul aria-label="Tasks" style={{ margin: 0, padding: 0, listStyle: 'none' }}>
        {list.rows.slice(0, most).map((task) => (
          <li key={task.id}>
            <TaskLine task={task} />
          </li>
        ))}
      </ul>
      {total > most && (
        <Text size="xs" c="dimmed" ta="center" py="sm">
          Showing {most} of {total} tasks
        </Text>
      )}
    </ListBody>
  )
}
