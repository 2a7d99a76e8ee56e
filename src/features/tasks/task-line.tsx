import { WaitingMark } from '#features/waiting/index.ts'
import { EditButton } from '#ui/edit-button.tsx'
import { TickBox } from '#ui/tick-box.tsx'
import type { Task } from './queries.ts'
import { SnoozeMenu } from './snooze-menu.tsx'
import { Due, PriorityBadge, useTaskStatus } from './task-badges.tsx'
import { TaskEmailButton } from './task-email-button.tsx'
import classes from './task-line.module.css'
import { TaskLinks } from './task-links.tsx'
import { TaskTitle } from './task-title.tsx'
import { useTaskActions } from './use-task-actions.ts'

type TaskLineProps = {
  task: Task
  /** Undefined where the task can only be completed. */
  onEdit?: () => void
  /** Set in selection mode. */
  choice?: { isChosen: boolean; onToggle: () => void } | null
  /** The id of the record whose page shows it: no link to it. */
  without?: string
}

/** A task in one or two lines: in the agenda, the feed, the panel and on record pages. */
export function TaskLine({ task, onEdit, choice = null, without }: TaskLineProps) {
  const status = useTaskStatus(task)
  const { complete } = useTaskActions()
  const { title, completed } = task
  return (
    <div className={classes.frame}>
      <div
        className={classes.line}
        data-status={status}
        data-chosen={choice?.isChosen || undefined}
      >
        {choice ? (
          <TickBox
            isSmall
            aria-label={`Select ${title}`}
            checked={choice.isChosen}
            onChange={choice.onToggle}
          />
        ) : (
          <TickBox
            isSmall
            isDone
            aria-label={completed ? `Reopen ${title}` : `Complete ${title}`}
            checked={completed}
            onChange={() => complete(task, !completed)}
          />
        )}
        <div className={classes.words}>
          <div className={classes.title}>
            {onEdit ? (
              <TaskTitle title={title} onEdit={onEdit} />
            ) : (
              <span dir="auto" title={title}>
                {title}
              </span>
            )}
          </div>
          <div className={classes.about}>
            <Due task={task} form="short" />
            <PriorityBadge priority={task.priority} />
            <WaitingMark id={task.id} />
            <TaskLinks task={task} {...(without ? { without } : {})} />
          </div>
        </div>
        {onEdit && !completed && !choice && !without && <TaskEmailButton task={task} />}
        {onEdit && !completed && !choice && <SnoozeMenu task={task} />}
        {onEdit && <EditButton name={title} onEdit={onEdit} />}
      </div>
    </div>
  )
}
