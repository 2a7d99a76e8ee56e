import { type ReactNode, useCallback, useMemo } from 'react'
import { type AgendaBucket, agendaBucket, agendaBuckets } from '#domain/task.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { useListKeys } from '#ui/list-keys.ts'
import { listHint, type RowKeys } from '#ui/list-shortcuts.ts'
import { usePlace, useWindowRows } from '#ui/virtual-rows.ts'
import classes from './agenda.module.css'
import type { Task } from './queries.ts'

const headings: Record<AgendaBucket, string> = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'Next seven days',
  later: 'Later',
  none: 'No date',
}

type AgendaProps = {
  tasks: Task[]
  /** Shows completed tasks. */
  isDone: boolean
  renderTask: (task: Task) => ReactNode
  keys: RowKeys<Task>
  onNearEnd: () => void
  isOutdated: boolean
}

type Row = { key: string } & ({ heading: string } | { task: Task })

const kindOf = (row: Row | undefined) => (row && 'heading' in row ? 'heading' : 'task')

/** The tasks by due date under headings; only those near the screen are rendered. */
export function Agenda({ tasks, isDone, renderTask, keys, onNearEnd, isOutdated }: AgendaProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  const rows = useMemo(
    () => (isDone ? underOneHeading(tasks) : withHeadings(tasks, now, timeZone)),
    [tasks, isDone, now, timeZone],
  )
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
            {...('task' in row ? rowProps(row.key) : {})}
            className={classes.row}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {'heading' in row ? (
              <h2 className={classes.heading}>{row.heading}</h2>
            ) : (
              renderTask(row.task)
            )}
          </li>
        )
      })}
    </ul>
  )
}

/**
 * Groups by heading, not by position, so that a task with an optimistic new date moves to its new heading at once.
 */
function withHeadings(tasks: Task[], now: number, timeZone: string): Row[] {
  const placed = tasks.map((task) => ({ task, bucket: agendaBucket(task, now, timeZone) }))
  return agendaBuckets.flatMap((bucket): Row[] => {
    const found = placed.filter((each) => each.bucket === bucket)
    if (found.length === 0) return []
    const heading = { key: `heading ${bucket}`, heading: headings[bucket] }
    return [heading, ...found.map(({ task }) => ({ key: task.id, task }))]
  })
}

/** Completed tasks have no due headings. */
function underOneHeading(tasks: Task[]): Row[] {
  const rows = tasks.map((task) => ({ key: task.id, task }))
  return [{ key: 'heading completed', heading: 'Completed' }, ...rows]
}
