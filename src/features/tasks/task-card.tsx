import { Button } from '@mantine/core'
import { IconRepeat, IconTrash } from '@tabler/icons-react'
import { WaitingMark } from '#features/waiting/index.ts'
import { EditButton } from '#ui/edit-button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { TickBox } from '#ui/tick-box.tsx'
import type { Task } from './queries.ts'
import { repeatInWords } from './repeat-words.ts'
import { SnoozeMenu } from './snooze-menu.tsx'
import { Due, PriorityBadge, StatusBadge, useTaskStatus } from './task-badges.tsx'
import { TaskEmailButton } from './task-email-button.tsx'
import { TaskLinks } from './task-links.tsx'
import { TaskTitle } from './task-title.tsx'
import classes from './tasks.module.css'
import { useTaskActions } from './use-task-actions.ts'

/** The estimated height in pixels, until a card is measured. */
export const taskCardHeight = 196

type TaskCardProps = {
  task: Task
  onEdit: () => void
  /** Called when the user points at Edit. */
  onPointAtEdit: () => void
  /** Set in selection mode. */
  choice: { isChosen: boolean; onToggle: () => void } | null
}

export function TaskCard({ task, onEdit, onPointAtEdit, choice }: TaskCardProps) {
  const status = useTaskStatus(task)
  const { complete, remove } = useTaskActions()
  const { title, description, completed } = task
  return (
    <article
      className={classes.card}
      data-status={status}
      data-chosen={choice?.isChosen || undefined}
      aria-label={title}
    >
      <div className={classes.head}>
        {choice ? (
          <TickBox
            aria-label={`Select ${title}`}
            checked={choice.isChosen}
            onChange={choice.onToggle}
          />
        ) : (
          <TickBox
            isDone
            aria-label={completed ? `Reopen ${title}` : `Complete ${title}`}
            checked={completed}
            onChange={() => complete(task, !completed)}
          />
        )}
        <h2 className={classes.title}>
          <TaskTitle title={title} onEdit={onEdit} onPointAtEdit={onPointAtEdit} />
        </h2>
      </div>
      <p className={classes.description} dir="auto" title={description?.slice(0, 1000)}>
        {description}
      </p>
      <div className={classes.badges}>
        <PriorityBadge priority={task.priority} />
        <StatusBadge status={status} />
        <WaitingMark id={task.id} isLong />
        {task.repeat && (
          <span className={classes.repeat} title={repeatInWords(task)}>
            <IconRepeat size={14} stroke={1.5} aria-hidden />
            <span>{repeatInWords(task)}</span>
          </span>
        )}
      </div>
      <div className={classes.links}>
        <TaskLinks task={task} />
      </div>
      <div className={classes.foot}>
        <Due task={task} form="long" />
        {!completed && <TaskEmailButton task={task} />}
        {completed ? (
          <Button
            variant="subtle"
            color="gray"
            px={8}
            fz="sm"
            aria-label={`Reopen task ${title}`}
            onClick={() => complete(task, false)}
          >
            Reopen
          </Button>
        ) : (
          <SnoozeMenu task={task} />
        )}
        <EditButton name={title} onEdit={onEdit} onPointAtEdit={onPointAtEdit} />
        <IconButton aria-label={`Delete ${title}`} title="Delete" onClick={() => remove(task)}>
          <IconTrash size={16} stroke={1.5} aria-hidden />
        </IconButton>
      </div>
    </article>
  )
}
