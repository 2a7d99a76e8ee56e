import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useMemo } from 'react'
import { DragArea } from '#ui/drag-area-part.ts'
import { DraggablesProvider, useDraggableStore } from '#ui/draggables.ts'
import type { RowKeys } from '#ui/list-shortcuts.ts'
import type { Task } from '../queries.ts'
import { Agenda } from './agenda.tsx'
import { DayZones } from './day-zones.tsx'
import { LiftedTaskContext } from './draggable-task.tsx'
import classes from './task-days.module.css'
import { useDayMoves } from './use-day-moves.ts'
import { Week } from './week.tsx'

export type TaskChoice = { isChosen: boolean; onToggle: () => void }

type TaskDaysProps = {
  tasks: Task[]
  /** The seven days of a week; null for the agenda. */
  week: string[] | null
  /** Beside a week: tasks that are to be put on one of its days, overdue or without a date. */
  unplanned: Task[]
  /** Shows completed tasks. */
  isDone: boolean
  renderTask: (task: Task) => ReactNode
  onEdit: (task: Task) => void
  choiceOf: (task: Task) => TaskChoice | null
  keys: RowKeys<Task>
  onNearEnd: () => void
  onShown: (places: number[]) => void
  isOutdated: boolean
}

/** Tasks by day, as an agenda or a week. They are dragged to another day. */
export function TaskDays(props: TaskDaysProps) {
  const { week, unplanned, onNearEnd } = props
  const tasks = useMemo(() => {
    const ids = new Set(props.tasks.map(({ id }) => id))
    return [...props.tasks, ...unplanned.filter(({ id }) => !ids.has(id))]
  }, [props.tasks, unplanned])
  const { lifted, target, lift, follow, drop, end } = useDayMoves(tasks)
  const draggables = useDraggableStore()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  // The days of a week stand side by side, so all of them are read.
  useEffect(() => {
    if (week) onNearEnd()
  }, [week, onNearEnd])
  return (
    <DraggablesProvider value={draggables}>
      <LiftedTaskContext value={lifted?.id ?? null}>
        {week && !isNarrow ? (
          <Week {...props} tasks={tasks} week={week} target={target} />
        ) : (
          <Agenda {...props} tasks={tasks} week={week} target={target} />
        )}
      </LiftedTaskContext>
      {lifted && !week && <DayZones target={target} />}
      <DragArea
        // A title is a button that may be dragged all the same.
        except="button:not([data-row-link]), input, a"
        onStart={lift}
        onMove={follow}
        onDrop={drop}
        onCancel={end}
        held={
          lifted && (
            <div className={classes.held} aria-hidden>
              <bdi>{lifted.title}</bdi>
            </div>
          )
        }
      />
    </DraggablesProvider>
  )
}
