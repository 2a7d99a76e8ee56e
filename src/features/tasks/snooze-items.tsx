import { Menu } from '@mantine/core'
import { dayOf, shortWeekday } from '#domain/dates.ts'
import { type Snooze, snoozesOf } from '#domain/snooze.ts'
import { shownDue } from '#domain/task.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import { RowMenu } from '#ui/row-menu.tsx'
import type { Unfolded } from '#ui/unfolded.tsx'
import type { NewDue } from './due-date-dialog.tsx'
import type { Task } from './queries.ts'
import classes from './tasks.module.css'

const names: Record<Snooze, string> = {
  'later today': 'Later today',
  tomorrow: 'Tomorrow',
  'next week': 'Next week',
  'a day later': 'A day later',
  'a week later': 'A week later',
}

type SnoozeItemsProps = Unfolded & {
  task: Task
  onSnooze: (due: NewDue) => void
  onPick: () => void
}

/** What a task can be put off to, as a menu. */
export function SnoozeItems({ task, onSnooze, onPick, ...menu }: SnoozeItemsProps) {
  const timeZone = useTimeZone()
  const weekStart = useWeekStart()
  const now = useNow()
  function whenOf(snooze: Snooze, due: NewDue): string {
    const shown = shownDue(due, timeZone)
    if (snooze === 'later today') return shown
    return `${shortWeekday(dayOf(due.due_date, timeZone))}, ${shown}`
  }
  return (
    <RowMenu width="max-content" {...menu}>
      {snoozesOf(task, { now, timeZone, weekStart }).map(({ snooze, due }) => (
        <Menu.Item
          key={snooze}
          rightSection={<span className={classes.when}>{whenOf(snooze, due)}</span>}
          onClick={() => onSnooze(due)}
        >
          {names[snooze]}
        </Menu.Item>
      ))}
      <Menu.Item onClick={onPick}>Pick a date…</Menu.Item>
    </RowMenu>
  )
}
