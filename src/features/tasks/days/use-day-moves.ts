import { useEffect, useEffectEvent, useState } from 'react'
import { dayOf } from '#domain/dates.ts'
import { daysAfter } from '#domain/local-time.ts'
import { agendaHeading, movedTo } from '#domain/task-days.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { hasDialog } from '#ui/has-dialog.ts'
import { isPressed } from '#ui/shortcut.ts'
import type { Task } from '../queries.ts'
import { useMoveTask } from './queries.ts'
import { taskDayShortcuts } from './task-day-shortcuts.ts'

type Point = { x: number; y: number }

/** Moving tasks to another day by dragging and by keys. */
export function useDayMoves(tasks: Task[]) {
  const move = useMoveTask()
  const timeZone = useTimeZone()
  const now = useNow()
  const [lifted, setLifted] = useState<Task | null>(null)
  const [target, setTarget] = useState<string | null>(null)

  function put(task: Task, day: string): void {
    if (task.due_date && dayOf(task.due_date, timeZone) === day) return
    const due = movedTo(day, task, { now, timeZone })
    // The mutation reports a failure and rolls back.
    move({ task, due, heading: agendaHeading(day, now, timeZone) }).catch(() => {})
  }
  function lift(id: string): void {
    setLifted(tasks.find((task) => task.id === id) ?? null)
  }
  function end(): void {
    setLifted(null)
    setTarget(null)
  }
  function drop(point: Point): void {
    const day = dayAt(point)
    if (lifted && day) put(lifted, day)
    end()
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || hasDialog()) return
    const later = isPressed(event, taskDayShortcuts.later)
    if (!later && !isPressed(event, taskDayShortcuts.earlier)) return
    const row = event.target instanceof Element && event.target.closest<HTMLElement>('[data-row]')
    const task = row ? tasks.find(({ id }) => id === row.dataset.row) : undefined
    if (!task || task.completed) return
    event.preventDefault()
    // A task without a date goes to today.
    const from = task.due_date ? dayOf(task.due_date, timeZone) : null
    put(task, from ? daysAfter(from, later ? 1 : -1) : dayOf(now, timeZone))
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return {
    lifted,
    target,
    lift,
    follow: (point: Point) => setTarget(dayAt(point)),
    drop,
    end,
  }
}

/** The day under a point; rows without a day, such as those that are overdue, take nothing. */
function dayAt({ x, y }: Point): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const day = element.closest<HTMLElement>('[data-day]')?.dataset.day
    if (day) return /^\d/.test(day) ? day : null
  }
  return null
}
