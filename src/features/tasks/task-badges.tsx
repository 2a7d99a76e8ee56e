import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import { dayOf } from '#domain/dates.ts'
import {
  dueLabel,
  priorities,
  priorityLook,
  priorityNames,
  shownDue,
  shownTime,
  type TaskStatus,
  taskStatus,
} from '#domain/task.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { TintBadge } from '#ui/tint-badge.tsx'
import type { Task } from './queries.ts'
import classes from './tasks.module.css'

/** The current status of a task, which changes with the clock. */
export function useTaskStatus(task: Task): TaskStatus {
  return taskStatus(task, useNow())
}

export function PriorityBadge({ priority }: { priority: string }) {
  const { color, icon } = priorityLook(priority)
  const known = priorities.find((each) => each === priority)
  const Icon = icon === 'warning' ? IconAlertTriangle : IconClock
  return (
    <TintBadge color={color} icon={<Icon size={12} stroke={2} aria-hidden data-icon={icon} />}>
      {known ? priorityNames[known] : priority}
    </TintBadge>
  )
}

export function StatusBadge({ status }: { status: TaskStatus }) {
  if (status === 'completed') return <TintBadge color="green">Completed</TintBadge>
  if (status === 'overdue') return <TintBadge color="red">Overdue</TintBadge>
  return null
}

type DueProps = {
  task: Task
  /** 'Today' or 'Due Today'. */
  form: 'short' | 'long'
}

/** The due date of a task, or when it was completed. */
export function Due({ task, form }: DueProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  if (task.completed_at) {
    return (
      <span className={classes.due}>
        Completed <time dateTime={task.completed_at}>{shownTime(task.completed_at, timeZone)}</time>
      </span>
    )
  }
  const { due_date, due_all_day } = task
  if (!due_date) return <span className={classes.due}>No due date</span>
  const shown = shownDue({ due_date, due_all_day }, timeZone)
  const label = dueLabel(due_date, now, timeZone, form)
  return (
    <span className={classes.due} data-overdue={label === 'Overdue' || undefined}>
      {/* Not if the label is the date itself. */}
      {!shown.startsWith(label) && (
        <>
          <span>{label}</span>
          <span aria-hidden> · </span>
        </>
      )}
      <time dateTime={due_all_day ? dayOf(due_date, timeZone) : due_date}>{shown}</time>
    </span>
  )
}
