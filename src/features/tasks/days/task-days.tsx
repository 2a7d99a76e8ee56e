import { DragDropProvider, DragOverlay } from '@dnd-kit/react'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useMemo } from 'react'
import { dragPlugins, dragSensors } from '#ui/drag-settings.ts'
import type { RowKeys } from '#ui/list-shortcuts.ts'
import type { Task } from '../queries.ts'
import { Agenda } from './agenda.tsx'
import { DayZones } from './day-zones.tsx'
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

// A title is a button that may be dragged all the same.
const sensors = dragSensors('button:not([data-row-link]), input, a')

/** Tasks by day, as an agenda or a week. They are dragged to another day. */
export function TaskDays(props: TaskDaysProps) {
  const { week, unplanned, onNearEnd } = props
  const tasks = useMemo(() => {
    const ids = new Set(props.tasks.map(({ id }) => id))
    return [...props.tasks, ...unplanned.filter(({ id }) => !ids.has(id))]
  }, [props.tasks, unplanned])
  const { lifted, target, lift, follow, drop, end } = useDayMoves(tasks)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  // The days of a week stand side by side, so all of them are read.
  useEffect(() => {
    if (week) onNearEnd()
  }, [week, onNearEnd])
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={dragPlugins}
      onDragStart={({ operation }) => lift(String(operation.source?.id))}
      onDragMove={({ to, operation }) => follow(to ?? operation.position.current)}
      onDragEnd={({ canceled, nativeEvent, operation }) => {
        if (canceled) return end()
        // The last pointer move may not have been reported yet.
        const isPointer = nativeEvent instanceof PointerEvent
        drop(
          isPointer
            ? { x: nativeEvent.clientX, y: nativeEvent.clientY }
            : operation.position.current,
        )
      }}
    >
      {week && !isNarrow ? (
        <Week {...props} tasks={tasks} week={week} target={target} />
      ) : (
        <Agenda {...props} tasks={tasks} week={week} target={target} />
      )}
      {lifted && !week && <DayZones target={target} />}
      <DragOverlay dropAnimation={null}>
        {lifted ? (
          <div className={classes.held} aria-hidden>
            <bdi>{lifted.title}</bdi>
          </div>
        ) : null}
      </DragOverlay>
    </DragDropProvider>
  )
}
