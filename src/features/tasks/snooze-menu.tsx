import { ActionIcon, Menu } from '@mantine/core'
import { IconClockPause } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { type Snooze, snoozesOf } from '#domain/snooze.ts'
import { shownDue } from '#domain/task.ts'
import { useTimeZone, useWeekStart } from '#features/preferences/index.ts'
import { useNow } from '#lib/use-now.ts'
import type { NewDue } from './due-date-dialog.tsx'
import type { Task } from './queries.ts'
import { DueDateDialog } from './task-dialog-parts.ts'
import classes from './tasks.module.css'
import { useSnoozeTask } from './writes/queries.ts'

const names: Record<Snooze, string> = {
  'later today': 'Later today',
  tomorrow: 'Tomorrow',
  'next week': 'Next week',
  'a day later': 'A day later',
  'a week later': 'A week later',
}

export function SnoozeMenu({ task }: { task: Task }) {
  const snooze = useSnoozeTask()
  const [isPicking, setIsPicking] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  const wasPicking = useRef(false)
  // The menu item that opened the dialog is gone when it closes.
  useEffect(() => {
    if (wasPicking.current && !isPicking) target.current?.focus({ preventScroll: true })
    wasPicking.current = isPicking
  }, [isPicking])
  return (
    <>
      <Menu
        position="bottom-end"
        shadow="md"
        // Above the other cards, but inside a landmark.
        portalProps={{ target: '#main' }}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <ActionIcon ref={target} aria-label={`Snooze ${task.title}`} title="Snooze">
            <IconClockPause size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <SnoozeItems task={task} onSnooze={(due) => void snooze({ task, due }).catch(() => {})} />
          <Menu.Item onClick={() => setIsPicking(true)}>Pick a date…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isPicking && (
        <DueDateDialog
          title="Snooze Task"
          about={task.title}
          submitLabel="Snooze"
          due={task}
          onSet={(due) => snooze({ task, due })}
          onClose={() => setIsPicking(false)}
        />
      )}
    </>
  )
}

type SnoozeItemsProps = { task: Task; onSnooze: (due: NewDue) => void }

/** Mounted only while the menu is open, so that a closed menu does not follow the clock. */
function SnoozeItems({ task, onSnooze }: SnoozeItemsProps) {
  const timeZone = useTimeZone()
  const weekStart = useWeekStart()
  const now = useNow()
  return snoozesOf(task, { now, timeZone, weekStart }).map(({ snooze, due }) => (
    <Menu.Item
      key={snooze}
      rightSection={<span className={classes.when}>{shownDue(due, timeZone)}</span>}
      onClick={() => onSnooze(due)}
    >
      {names[snooze]}
    </Menu.Item>
  ))
}
