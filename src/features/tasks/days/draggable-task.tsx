import { createContext, type ReactNode, use } from 'react'
import { useDraggableRef } from '#ui/draggables.ts'
import type { Task } from '../queries.ts'
import classes from './task-days.module.css'

/** The id of the task that is being dragged. */
export const LiftedTaskContext = createContext<string | null>(null)

/** A task that can be dragged to another day; a completed one stays. */
export function DraggableTask({ task, children }: { task: Task; children: ReactNode }) {
  const ref = useDraggableRef(task.id, task.completed)
  const isLifted = use(LiftedTaskContext) === task.id
  return (
    <div
      ref={ref}
      className={classes.draggable}
      data-free={!task.completed || undefined}
      data-lifted={isLifted || undefined}
    >
      {children}
    </div>
  )
}
