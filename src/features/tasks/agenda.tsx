import { type ReactNode, useMemo } from 'react'
import { type AgendaBucket, agendaBucket } from '#domain/task.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
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
  renderTask: (task: Task) => ReactNode
  onNearEnd: () => void
  isOutdated: boolean
}

type Row = { key: string } & ({ heading: string } | { task: Task })

/** The tasks by when they are due, under headings; only those near the screen are in the document. */
export function Agenda({ tasks, renderTask, onNearEnd, isOutdated }: AgendaProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  const rows = useMemo(() => withHeadings(tasks, now, timeZone), [tasks, now, timeZone])
  const { element, top } = usePlace<HTMLUListElement>()
  const { shown, height, measure, focusListeners } = useWindowRows({
    name: 'Agenda',
    count: rows.length,
    rowHeight: 56,
    gap: 0,
    maxRows: 60,
    top,
    onNearEnd,
  })
  return (
    <ul
      ref={element}
      aria-label="Agenda"
      aria-busy={isOutdated}
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

function withHeadings(tasks: Task[], now: number, timeZone: string): Row[] {
  const rows: Row[] = []
  let last: AgendaBucket | null = null
  for (const task of tasks) {
    const bucket = agendaBucket(task, now, timeZone)
    if (bucket !== last) rows.push({ key: `heading ${bucket}`, heading: headings[bucket] })
    last = bucket
    rows.push({ key: task.id, task })
  }
  return rows
}
