import { IconClockPause } from '@tabler/icons-react'
import { useState } from 'react'
import { openedPart } from '#ui/lazy-part.tsx'
import { MenuButton } from '#ui/menu-button.tsx'
import type { Task } from './queries.ts'
import { DueDateDialog } from './task-dialog-parts.ts'
import { useSnoozeTask } from './writes/queries.ts'

const SnoozeItems = openedPart(async () => (await import('./snooze-items.tsx')).SnoozeItems)

export function SnoozeMenu({ task }: { task: Task }) {
  const snooze = useSnoozeTask()
  const [isPicking, setIsPicking] = useState(false)
  return (
    <>
      <MenuButton
        label={`Snooze ${task.title}`}
        title="Snooze"
        icon={<IconClockPause size={16} stroke={1.5} aria-hidden />}
        part={SnoozeItems}
      >
        {(menu) => (
          <SnoozeItems
            {...menu}
            task={task}
            // The mutation reports a failure and rolls back.
            onSnooze={(due) => void snooze({ task, due }).catch(() => {})}
            onPick={() => setIsPicking(true)}
          />
        )}
      </MenuButton>
      {isPicking && (
        <DueDateDialog
          title="Snooze task"
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
