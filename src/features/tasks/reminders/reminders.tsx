import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { dayOf } from '#domain/dates.ts'
import { nextDue } from '#domain/reminder.ts'
import { shownDue } from '#domain/task.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { showToast } from '#ui/toast.tsx'
import { type Task, taskList, taskPages } from '../queries.ts'
import { announceDue } from './announce.ts'

const hour = 3_600_000
/** Sorts before every id. */
const firstId = '00000000-0000-0000-0000-000000000000'
const none: Task[] = []

/** The tasks due from an hour ago until tomorrow, soonest first. */
function useTasksDueSoon(now: number, timeZone: string): Task[] {
  const filter = {
    status: 'pending',
    due_to: dayOf(now + 24 * hour, timeZone),
    time_zone: timeZone,
  }
  const { data } = useQuery({
    queryKey: [...taskList.key, 'due soon', filter],
    async queryFn({ signal }) {
      const after = { key: new Date(Date.now() - hour).toISOString(), id: firstId }
      const args = { filter, sort: 'due', descending: false, after, page_size: 60 }
      return (await taskPages.read(args, signal)).rows
    },
    meta: { failed: taskList.failed },
  })
  return data ?? none
}

/** Shows a notification for every task when it is due, while the app is open. */
export function Reminders() {
  const timeZone = useTimeZone()
  const now = useNow()
  const tasks = useTasksDueSoon(now, timeZone)
  const navigate = useNavigate()
  useEffect(() => {
    function remind(task: Task): void {
      const { due_date, due_all_day } = task
      const body = due_date ? `Due ${shownDue({ due_date, due_all_day }, timeZone)}` : ''
      try {
        // With the tag, several tabs show one notification.
        const notification = new Notification(task.title, { body, tag: task.id })
        notification.onclick = () => {
          window.focus()
          notification.close()
          navigate('/app/tasks')
        }
      } catch {
        // Some phones grant the permission but throw here: show a toast.
        showToast({ title: task.title, message: body })
      }
    }
    announceDue(tasks, timeZone, remind)
    const next = nextDue(tasks, now, timeZone)
    if (next === null) return
    const timer = setTimeout(
      () => announceDue(tasks, timeZone, remind),
      Math.max(0, next - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [tasks, now, timeZone, navigate])
  return null
}
