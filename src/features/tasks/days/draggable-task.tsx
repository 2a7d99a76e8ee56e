import { useDraggable } from '@dnd-kit/react'
import type { ReactNode } from 'react'
import type { Task } from '../queries.ts'
import classes from './task-days.module.css'

/** A task that can be dragged to another day; a completed one stays. */
export function DraggableTask({ task, children }: { task: Task; children: ReactNode }) {
  const { ref, isDragging } = useDraggable({ id: task.id, disabled: task.completed })
  return (
    <div
      ref={ref}
      className={classes.draggable}
      data-free={!task.completed || undefined}
      data-lifted={isDragging || undefined}
    >
      {children}
    </div>
  )
}
