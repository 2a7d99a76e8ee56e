import { Menu } from '@mantine/core'
import { type Snooze, snoozedTo, snoozes } from '#domain/snooze.ts'
import { shownDue } from '#domain/task.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { type Task, useSnoozeTask } from './queries.ts'
import classes from './tasks.module.css'

const names: Record<Snooze, string> = {
  'later today': 'Later today',
  tomorrow: 'Tomorrow',
  'next week': 'Next week',
}

/** The entries that put a task off, each with the time it means. */
export function SnoozeItems({ task }: { task: Task }) {
  const timeZone = useTimeZone()
  const weekStart = useWeekStart()
  const snooze = useSnoozeTask()
  return snoozes.map((each) => {
    const due_date = snoozedTo(each, task.due_date, { now: Date.now(), timeZone, weekStart })
    return (
      <Menu.Item
        key={each}
        rightSection={<span className={classes.when}>{shownDue(due_date, timeZone)}</span>}
        onClick={() => snooze({ task, due_date }).catch(() => {})}
      >
        {names[each]}
      </Menu.Item>
    )
  })
}
