import { useEffect, useId, useMemo, useRef } from 'react'
import { clockTime, dayOf } from '#domain/dates.ts'
import { shownNumber } from '#domain/figures.ts'
import { agendaHeading } from '#domain/task-days.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { WaitingMark } from '#features/waiting/index.ts'
import { useNow } from '#lib/use-now.ts'
import { useListKeys } from '#ui/list-keys.ts'
import { listHint, type RowKeys } from '#ui/list-shortcuts.ts'
import { isPressed } from '#ui/shortcut.ts'
import { TickBox } from '#ui/tick-box.tsx'
import { usePlace, useScrollerRows } from '#ui/virtual-rows.ts'
import type { Task } from '../queries.ts'
import { PriorityBadge, useTaskStatus } from '../task-badges.tsx'
import { TaskTitle } from '../task-title.tsx'
import { useTaskActions } from '../use-task-actions.ts'
import { DraggableTask } from './draggable-task.tsx'
import { tasksByDay } from './tasks-by-day.ts'
import classes from './week.module.css'

type WeekProps = {
  tasks: Task[]
  week: string[]
  /** The day under a dragged task. */
  target: string | null
  onEdit: (task: Task) => void
  keys: RowKeys<Task>
  isOutdated: boolean
}

/** Seven days side by side, each a list of its own. */
export function Week({ tasks, week, target, onEdit, keys, isOutdated }: WeekProps) {
  const timeZone = useTimeZone()
  const byDay = useMemo(() => new Map(tasksByDay(tasks, timeZone)), [tasks, timeZone])
  const inOrder = useMemo(() => week.flatMap((day) => byDay.get(day) ?? []), [week, byDay])
  const { element, top } = usePlace<HTMLDivElement>()
  const { activeIndex, rowProps } = useListKeys({ element, rows: inOrder, keys })
  const activeId = activeIndex === null ? null : (inOrder[activeIndex]?.id ?? null)
  useSidewaysKeys(element)
  return (
    <div
      ref={element}
      className={classes.week}
      aria-busy={isOutdated}
      style={{ height: `max(320px, calc(100dvh - ${top}px - 24px))` }}
    >
      {week.map((day) => (
        <Day
          key={day}
          day={day}
          tasks={byDay.get(day) ?? []}
          isTarget={target === day}
          activeId={activeId}
          rowProps={rowProps}
          onEdit={onEdit}
        />
      ))}
    </div>
  )
}

/** Left and right go to the next day with a task. */
function useSidewaysKeys(element: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const week = element.current
    function press(event: KeyboardEvent): void {
      const step = sidewaysStep(event)
      const column = event.target instanceof Element && event.target.closest('[data-day]')
      if (step === 0 || !column || event.defaultPrevented) return
      const columns = [...(week?.querySelectorAll('[data-day]') ?? [])]
      let next = columns.indexOf(column) + step
      while (columns[next] && !columns[next]?.querySelector('[data-row-link]')) next += step
      event.preventDefault()
      columns[next]?.querySelector<HTMLElement>('[data-row-link]')?.focus()
    }
    week?.addEventListener('keydown', press)
    return () => week?.removeEventListener('keydown', press)
  }, [element])
}

function sidewaysStep(event: KeyboardEvent): number {
  if (isPressed(event, { keys: ['ArrowRight'], does: '' })) return 1
  return isPressed(event, { keys: ['ArrowLeft'], does: '' }) ? -1 : 0
}

type DayProps = {
  day: string
  tasks: Task[]
  isTarget: boolean
  activeId: string | null
  rowProps: (id: string) => object
  onEdit: (task: Task) => void
}

const gap = 6

function Day({ day, tasks, isTarget, activeId, rowProps, onEdit }: DayProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  const heading = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const active = tasks.findIndex(({ id }) => id === activeId)
  const each = useMemo(
    () => ({ heightOf: () => 84, keyOf: (index: number) => tasks[index]?.id ?? String(index) }),
    [tasks],
  )
  const { measure, shown, height, focusListeners } = useScrollerRows({
    count: tasks.length,
    each,
    gap,
    maxRows: 40,
    scroller,
    placeKey: `tasks of ${day}`,
    kept: active >= 0 ? active : null,
    onNearEnd: noMore,
  })
  const isToday = day === dayOf(now, timeZone)
  return (
    <section
      aria-labelledby={heading}
      className={classes.day}
      data-day={day}
      data-today={isToday || undefined}
      data-target={isTarget || undefined}
    >
      <header className={classes.head}>
        <h2 id={heading} className={classes.heading}>
          {agendaHeading(day, now, timeZone)}
        </h2>
        {tasks.length > 0 && <span className={classes.count}>{shownNumber(tasks.length)}</span>}
      </header>
      <div ref={scroller} className={classes.scroller} {...focusListeners}>
        <ul aria-labelledby={heading} {...listHint} className={classes.tasks} style={{ height }}>
          {shown.map(({ index, start }) => {
            const task = tasks[index]
            return (
              task && (
                <li
                  key={task.id}
                  ref={measure}
                  data-index={index}
                  aria-setsize={tasks.length}
                  aria-posinset={index + 1}
                  {...rowProps(task.id)}
                  style={{ top: start }}
                >
                  <DraggableTask task={task}>
                    <WeekTask task={task} onEdit={() => onEdit(task)} />
                  </DraggableTask>
                </li>
              )
            )
          })}
        </ul>
      </div>
    </section>
  )
}

/** All tasks of a week are read at once. */
function noMore(): void {}

function WeekTask({ task, onEdit }: { task: Task; onEdit: () => void }) {
  const status = useTaskStatus(task)
  const timeZone = useTimeZone()
  const { complete } = useTaskActions()
  const { title, completed, due_date, due_all_day } = task
  return (
    <article className={classes.task} data-status={status} aria-label={title}>
      <div className={classes.title}>
        <TickBox
          isSmall
          isDone
          aria-label={completed ? `Reopen ${title}` : `Complete ${title}`}
          checked={completed}
          onChange={() => complete(task, !completed)}
        />
        <TaskTitle title={title} onEdit={onEdit} />
      </div>
      <div className={classes.about}>
        <span className={classes.time}>
          {due_date && !due_all_day ? clockTime(due_date, timeZone) : 'All day'}
        </span>
        <PriorityBadge priority={task.priority} />
        <WaitingMark id={task.id} />
      </div>
      {status === 'overdue' && <span className={classes.late}>Overdue</span>}
    </article>
  )
}
