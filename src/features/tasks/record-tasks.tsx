import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import { type Linked, openForm } from '#features/forms/index.ts'
import { useList } from '#lib/use-list.ts'
import { RecordSection } from '#ui/record-section.tsx'
import { useStaleClickGuard } from '#ui/stale-clicks.ts'
import { type Task, taskList } from './queries.ts'
import { TaskDialog } from './task-dialog-parts.ts'
import { TaskLine } from './task-line.tsx'
import type { TaskView } from './task-view.ts'

type RecordTasksProps = {
  record: 'contact' | 'company' | 'deal'
  linked: Linked
}

const most = 20

/** The tasks on a record's page, open ones first. */
export function RecordTasks({ record, linked }: RecordTasksProps) {
  const [isDone, setIsDone] = useState(false)
  const view = useMemo<TaskView>(
    () =>
      isDone
        ? { filter: { [record]: linked.id, status: 'completed' }, sort: 'due', descending: true }
        : { filter: { [record]: linked.id, status: 'pending' }, sort: 'due', descending: false },
    [record, linked.id, isDone],
  )
  const list = useList(taskList, view)
  const [task, setTask] = useState<Task | null>(null)
  const element = useRef<HTMLDivElement>(null)
  useStaleClickGuard(element, list.rows)
  const more = (list.total ?? 0) - most
  // Other tasks are read when the completed ones are asked for.
  const [wasRead, setWasRead] = useState(false)
  if (!list.isLoading && !wasRead) setWasRead(true)
  return (
    <RecordSection
      title="Tasks"
      isLoading={!wasRead}
      count={list.total === undefined ? undefined : shownNumber(list.total)}
      action={
        <Group gap={4} wrap="nowrap">
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => setIsDone((is) => !is)}
          >
            {isDone ? 'Show open' : 'Show completed'}
          </Button>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
            onClick={() => openForm({ form: 'task', [record]: linked })}
          >
            Add task
          </Button>
        </Group>
      }
    >
      {list.rows.length === 0 && !list.isLoading && (
        <Text size="sm" c="dimmed">
          {list.problem
            ? 'The tasks could not be loaded.'
            : isDone
              ? 'No completed tasks'
              : 'No open tasks'}
        </Text>
      )}
      <div ref={element}>
        {list.rows.slice(0, most).map((each) => (
          <div key={each.id} data-row={each.id}>
            <TaskLine task={each} without={linked.id} onEdit={() => setTask(each)} />
          </div>
        ))}
      </div>
      {more > 0 && (
        <Text size="xs" c="dimmed" py="sm">
          and {counted(more, 'other task')}
        </Text>
      )}
      {task && <TaskDialog task={task} onClose={() => setTask(null)} />}
    </RecordSection>
  )
}
