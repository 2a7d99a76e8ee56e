import { type ReactNode, useCallback, useMemo } from 'react'
import { agendaDay, agendaHeading, agendaOrder } from '#domain/task-days.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { grouped } from '#lib/grouped.ts'
import { useNow } from '#lib/use-now.ts'
import { usePlace } from '#ui/kept-place.ts'
import { useListKeys } from '#ui/list-keys.ts'
import { listHint, type RowKeys } from '#ui/list-shortcuts.ts'
import { useWindowRows } from '#ui/virtual-rows.ts'
import type { Task } from '../queries.ts'
import classes from './agenda.module.css'
import { DraggableTask } from './draggable-task.tsx'
import { tasksByDay, unplannedTasks } from './tasks-by-day.ts'

type AgendaProps = {
  tasks: Task[]
  /** The days of a week, which have a heading also without a task. */
  week: string[] | null
  /** Shows completed tasks. */
  isDone: boolean
  /** The day under a dragged task. */
  target: string | null
  renderTask: (task: Task) => ReactNode
  keys: RowKeys<Task>
  onNearEnd: () => void
  /** Called with the places of the tasks on the screen. */
  onShown: (places: number[]) => void
  isOutdated: boolean
}

type Row = { key: string; day: string } & ({ heading: string; isEmpty: boolean } | { task: Task })

const kindOf = (row: Row | undefined) => (row && 'heading' in row ? 'heading' : 'task')

/** The tasks under a heading for each day; only those near the screen are rendered. */
export function Agenda(props: AgendaProps) {
  const { tasks, week, isDone, target, renderTask, keys, onNearEnd, onShown, isOutdated } = props
  const timeZone = useTimeZone()
  const now = useNow()
  const rows = useMemo(() => {
    if (week) return underDays(tasks, week, now, timeZone)
    return isDone ? underOneHeading(tasks) : withHeadings(tasks, now, timeZone)
  }, [tasks, week, isDone, now, timeZone])
  const { element, top } = usePlace<HTMLUListElement>()
  const shownTasks = useMemo(() => rows.flatMap((row) => ('task' in row ? [row.task] : [])), [rows])
  const { activeIndex, rowProps } = useListKeys({ element, rows: shownTasks, keys })
  const activeId = activeIndex === null ? null : shownTasks[activeIndex]?.id
  const { shown, height, measure, focusListeners } = useWindowRows({
    name: 'Agenda',
    keyOf: useCallback((index) => rows[index]?.key ?? String(index), [rows]),
    kindOf: (index) => kindOf(rows[index]),
    count: rows.length,
    rowHeight: 56,
    gap: 0,
    maxRows: 60,
    top,
    onNearEnd,
    onShown: (indices) =>
      onShown(
        indices.flatMap((index) => {
          const row = rows[index]
          return row && 'task' in row ? [tasks.indexOf(row.task)] : []
        }),
      ),
    kept: activeId ? rows.findIndex(({ key }) => key === activeId) : null,
  })
  return (
    <ul
      ref={element}
      aria-label="Agenda"
      aria-busy={isOutdated}
      {...listHint}
      className={classes.list}
      style={{ height }}
      {...focusListeners}
    >
      {shown.map(({ index, start }) => {
        const row = rows[index]
        if (!row) return null
        return (
          <li
            key={row.key}
            ref={measure}
            data-index={index}
            data-kind={kindOf(row)}
            data-day={row.day}
            data-target={(target !== null && target === row.day) || undefined}
            {...('task' in row ? rowProps(row.key) : {})}
            className={classes.row}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {'heading' in row ? (
              <div className={classes.day}>
                <h2 className={classes.heading}>{row.heading}</h2>
                {row.isEmpty && <span className={classes.empty}>No tasks</span>}
              </div>
            ) : (
              <DraggableTask task={row.task}>{renderTask(row.task)}</DraggableTask>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/**
 * Groups by day, not by position, so that a task with an optimistic new date moves to its new heading at once.
 */
function withHeadings(tasks: Task[], now: number, timeZone: string): Row[] {
  const byDay = grouped(tasks, (task) => agendaDay(task, now, timeZone))
  const inOrder = byDay.toSorted(([one], [other]) => agendaOrder(one, other))
  return inOrder.flatMap(([day, ofDay]) => group(day, ofDay, now, timeZone))
}

/** All days of a week, also those that are over and those without a task; then what is to be put on one of them. */
function underDays(tasks: Task[], week: string[], now: number, timeZone: string): Row[] {
  const byDay = new Map(tasksByDay(tasks, timeZone))
  const days = week.map((day) => ({ day, tasks: byDay.get(day) ?? [] }))
  return [...days, ...unplannedTasks(tasks, week, now, timeZone)].flatMap((each) =>
    group(each.day, each.tasks, now, timeZone),
  )
}

function group(day: string, tasks: Task[], now: number, timeZone: string): Row[] {
  const heading = agendaHeading(day, now, timeZone)
  return [
    { key: `heading ${day}`, day, heading, isEmpty: tasks.length === 0 },
    ...tasks.map((task) => ({ key: task.id, day, task })),
  ]
}

/** Completed tasks have no due headings. */
function underOneHeading(tasks: Task[]): Row[] {
  const day = 'completed'
  const rows = tasks.map((task) => ({ key: task.id, day, task }))
  return [{ key: 'heading completed', day, heading: 'Completed', isEmpty: false }, ...rows]
}
