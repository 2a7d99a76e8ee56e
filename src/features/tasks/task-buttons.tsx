import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { IconBell, IconChecklist } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { counted } from '#domain/counted.ts'
import { LoadingState } from '#ui/states.tsx'
import { useTaskClock, useTaskCounts } from './counts/queries.ts'
import { useReminderWish } from './reminders/reminder-wish.ts'

const loadFeed = () => import('./task-feed.tsx')
const TaskFeed = lazy(async () => ({ default: (await loadFeed()).TaskFeed }))
const loadPanel = () => import('./notifications-panel.tsx')
const NotificationsPanel = lazy(async () => ({
  default: (await loadPanel()).NotificationsPanel,
}))
const Reminders = lazy(async () => ({
  default: (await import('./reminders/reminders.tsx')).Reminders,
}))

/** The two buttons of the top bar that lead to the tasks from every screen. */
export function TaskButtons() {
  const { counts } = useTaskCounts()
  useTaskClock()
  const isReminding = useReminderWish() === 'on'
  const { pathname } = useLocation()
  // What is open, and on which screen: a link in it leads away from it too.
  const [open, setOpen] = useState<{ part: 'feed' | 'panel'; at: string } | null>(null)
  const openPart = open?.at === pathname ? open.part : null
  // Once it has been opened it stays, to slide out again.
  const [isPanelWanted, setIsPanelWanted] = useState(false)
  const isUrgent = Boolean(counts && counts.urgent > 0)
  return (
    <>
      {isReminding && (
        <Suspense>
          <Reminders />
        </Suspense>
      )}
      <Indicator
        label={counts?.total.toLocaleString('en-US')}
        color={isUrgent ? 'red' : 'iris'}
        size={16}
        offset={4}
        disabled={!counts || counts.total === 0}
        data-urgent={isUrgent}
      >
        <Popover
          width="min(400px, calc(100vw - 16px))"
          position="bottom-end"
          shadow="md"
          trapFocus
          returnFocus
          opened={openPart === 'feed'}
          onChange={(isOpen) => setOpen(isOpen ? { part: 'feed', at: pathname } : null)}
        >
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={counts ? `Task feed, ${counted(counts.total, 'task')}` : 'Task feed'}
              title="Task feed"
              onPointerEnter={loadFeed}
              onFocus={loadFeed}
              onClick={() => setOpen(openPart === 'feed' ? null : { part: 'feed', at: pathname })}
            >
              <IconChecklist size={18} stroke={1.5} aria-hidden />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown p={0} aria-label="Task feed">
            <Suspense fallback={<LoadingState text="Loading tasks..." />}>
              <TaskFeed />
            </Suspense>
          </Popover.Dropdown>
        </Popover>
      </Indicator>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Notifications"
        title="Notifications"
        aria-haspopup="dialog"
        onPointerEnter={loadPanel}
        onFocus={loadPanel}
        onClick={() => {
          setIsPanelWanted(true)
          setOpen({ part: 'panel', at: pathname })
        }}
      >
        <IconBell size={18} stroke={1.5} aria-hidden />
      </ActionIcon>
      {isPanelWanted && (
        <Suspense>
          <NotificationsPanel isOpen={openPart === 'panel'} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  )
}
