import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { shownNumber } from '#domain/figures.ts'
import { openForm } from '#features/forms/index.ts'
import { type Task, TaskDialog, TaskLine, useTasksSince } from '#features/tasks/index.ts'
import { RecordSection } from '#ui/record-section.tsx'
import { useStaleClickGuard } from '#ui/stale-clicks.ts'
import classes from './dashboard.module.css'
import { type AttentionDeal, type Figures, useNextTask } from './queries.ts'

type TodayTasksProps = Pick<Figures, 'overdue' | 'today' | 'attention'> & { readAt: number }

/** Overdue tasks of earlier days, and tasks that are due today; when all are done, what comes next. */
export function TodayTasks({ overdue, today, attention, readAt }: TodayTasksProps) {
  const [task, setTask] = useState<Task | null>(null)
  const late = useTasksSince(overdue.rows, readAt)
  const due = useTasksSince(today.rows, readAt)
  const element = useRef<HTMLDivElement>(null)
  useStaleClickGuard(
    element,
    useMemo(() => [...overdue.rows, ...today.rows], [overdue.rows, today.rows]),
  )
  const lines = (tasks: Task[]) =>
    tasks.map((each) => (
      <div key={each.id} data-row={each.id}>
        <TaskLine task={each} onEdit={() => setTask(each)} />
      </div>
    ))
  return (
    <RecordSection
      title="Today’s tasks"
      count={shownNumber(today.total)}
      action={
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
          onClick={() => openForm({ form: 'task' })}
        >
          Add task
        </Button>
      }
    >
      <div ref={element}>
        {overdue.total > 0 && (
          <>
            <h3 className={classes.group} data-late>
              Overdue
              <span className={classes.count}>{shownNumber(overdue.total)}</span>
            </h3>
            {lines(late)}
            <Rest count={overdue.total - overdue.rows.length} to="/app/tasks?tab=overdue" />
            <h3 className={classes.group}>Due today</h3>
          </>
        )}
        {lines(due)}
      </div>
      {today.total === 0 && (
        <Text size="sm" c="dimmed">
          Nothing due today
        </Text>
      )}
      {today.total + overdue.total === 0 && (
        <NextUp deal={attention.rows.find((each) => !each.has_next)} onEdit={setTask} />
      )}
      <Rest count={today.total - today.rows.length} to="/app/tasks?view=agenda" />
      {task && <TaskDialog task={task} onClose={() => setTask(null)} />}
    </RecordSection>
  )
}

type NextUpProps = { deal: AttentionDeal | undefined; onEdit: (task: Task) => void }

/** The next task, or a deal that has none. */
function NextUp({ deal, onEdit }: NextUpProps) {
  const { tasks, isPending, readAt } = useNextTask()
  const [next] = useTasksSince(tasks, readAt)
  return (
    <div className={classes.next}>
      {next && (
        <>
          <h3 className={classes.group}>Next up</h3>
          <TaskLine task={next} onEdit={() => onEdit(next)} />
        </>
      )}
      {!next && !isPending && deal && (
        <Text size="sm" pt="xs">
          {'No tasks planned. Next step for '}
          <Link to={`/app/deals/${deal.id}`}>
            <bdi>{deal.name}</bdi>
          </Link>
          {'?'}
        </Text>
      )}
    </div>
  )
}

function Rest({ count, to }: { count: number; to: string }) {
  if (count <= 0) return null
  return (
    <Link to={to} className={classes.rest}>
      {`and ${shownNumber(count)} more`}
    </Link>
  )
}
