import { useEffect, useId, useMemo, useRef } from 'react'
import { clockTime, dayInYear, dayOf } from '#domain/dates.ts'
import { shownNumber } from '#domain/figures.ts'
import { agendaHeading } from '#domain/task-days.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { WaitingMark } from '#features/waiting/index.ts'
import { useNow } from '#lib/use-now.ts'
import { usePlace } from '#ui/kept-place.ts'
import { useListKeys } from '#ui/list-keys.ts'
import { listHint, type RowKeys } from '#ui/list-shortcuts.ts'
import { isPressed } from '#ui/shortcut.ts'
import { TickBox } from '#ui/tick-box.tsx'
import { useScrollerRows } from '#ui/virtual-rows.ts'
import type { Task } from '../queries.ts'
import { PriorityBadge, useTaskStatus } from '../task-badges.tsx'
import { TaskTitle } from '../task-title.tsx'
import { useTaskActions } from '../use-task-actions.ts'
import { DraggableTask } from './draggable-task.tsx'
import type { TaskChoice } from './task-days.tsx'
import { tasksByDay, unplannedTasks } from './tasks-by-day.ts'
import classes from './week.module.css'

type WeekProps = {
  tasks: Task[]
  week: string[]
  /** The day under a dragged task. */
  target: string | null
  onEdit: (task: Task) => void
  /** Set in selection mode. */
  choiceOf: (task: Task) => TaskChoice | null
  keys: RowKeys<Task>
  isOutdated: boolean
}

/** Seven days side by side, each a list of its own; before them what is overdue or has no date, if anything is. */
export function Week(props: WeekProps) {
  const { tasks, week, target, onEdit, choiceOf, keys, isOutdated } = props
  const now = useNow()
  const timeZone = useTimeZone()
  const byDay = useMemo(() => new Map(tasksByDay(tasks, timeZone)), [tasks, timeZone])
  const unplanned = useMemo(
    () => unplannedTasks(tasks, week, now, timeZone),
    [tasks, week, now, timeZone],
  )
  const inOrder = useMemo(
    () => [
      ...unplanned.flatMap((group) => group.tasks),
      ...week.flatMap((day) => byDay.get(day) ?? []),
    ],
    [unplanned, week, byDay],
  )
  const { element, top } = usePlace<HTMLDivElement>()
  const { activeIndex, rowProps } = useListKeys({ element, rows: inOrder, keys })
  const activeId = activeIndex === null ? null : (inOrder[activeIndex]?.id ?? null)
  useSidewaysKeys(element)
  const common = { activeId, rowProps, onEdit, choiceOf }
  return (
    <div
      ref={element}
      className={classes.week}
      aria-busy={isOutdated}
      style={{ height: `max(320px, calc(100dvh - ${top}px - 24px))` }}
    >
      {unplanned.length > 0 && (
        <div className={classes.unplanned}>
          {unplanned.map((group) => (
            <Day key={group.day} {...common} {...group} isTarget={false} />
          ))}
        </div>
      )}
      {week.map((day) => (
        <Day
          key={day}
          {...common}
          day={day}
          tasks={byDay.get(day) ?? []}
          isTarget={target === day}
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
  choiceOf: (task: Task) => TaskChoice | null
}

const gap = 6

function Day({ day, tasks, isTarget, activeId, rowProps, onEdit, choiceOf }: DayProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  const heading = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const active = tasks.findIndex(({ id }) => id === activeId)
  const each = useMemo(
    () => ({ heightOf: () => 84, keyOf: (index: number) => tasks[index]?.id ?? String(index) }),
    [tasks],
  )
  const { rows, shown, height, focusListeners } = useScrollerRows({
    count: tasks.length,
    rowHeight: 84,
    each,
    gap,
    maxRows: 40,
    scroller,
    placeKey: `tasks of ${day}`,
    kept: active >= 0 ? active : null,
    onNearEnd: noMore,
  })
  const isToday = day === dayOf(now, timeZone)
  const when = day === 'overdue' || day === 'none' ? 'day' : 'time'
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
          <Heading words={agendaHeading(day, now, timeZone)} />
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
                  ref={rows.measureElement}
                  data-index={index}
                  aria-setsize={tasks.length}
                  aria-posinset={index + 1}
                  {...rowProps(task.id)}
                  style={{ top: start }}
                >
                  <DraggableTask task={task}>
                    <WeekTask
                      task={task}
                      onEdit={() => onEdit(task)}
                      choice={choiceOf(task)}
                      when={when}
                    />
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

/** 'Wednesday, Nov 18': in a narrow column it breaks before the date, never within it. */
function Heading({ words }: { words: string }) {
  const [name, date] = words.split(', ')
  if (!date) return words
  return (
    <>
      {name}, <span className={classes.date}>{date}</span>
    </>
  )
}

/** All tasks of a week are read at once. */
function noMore(): void {}

type WeekTaskProps = {
  task: Task
  onEdit: () => void
  choice: TaskChoice | null
  /** What the heading does not say. */
  when: 'day' | 'time'
}

function WeekTask({ task, onEdit, choice, when }: WeekTaskProps) {
  const status = useTaskStatus(task)
  const timeZone = useTimeZone()
  const { complete } = useTaskActions()
  const { title, completed, due_date, due_all_day } = task
  return (
    <article
      className={classes.task}
      data-status={status}
      data-chosen={choice?.isChosen || undefined}
      aria-label={title}
    >
      <div className={classes.title}>
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
        <TaskTitle title={title} onEdit={onEdit} />
      </div>
      <div className={classes.about}>
        <span className={classes.time}>
          {when === 'day'
            ? due_date && dayInYear(due_date, timeZone)
            : due_date && !due_all_day
              ? clockTime(due_date, timeZone)
              : 'All day'}
        </span>
        <PriorityBadge priority={task.priority} />
        <WaitingMark id={task.id} />
      </div>
      {status === 'overdue' && when === 'time' && <span className={classes.late}>Overdue</span>}
    </article>
  )
}
