import { ActionIcon, Indicator } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { useTaskClock, useTaskCounts } from './counts/queries.ts'
import { useReminderWish } from './reminders/reminder-wish.ts'
import { TaskFeedButton } from './task-feed-button.tsx'

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
  const [isFeedWanted, setIsFeedWanted] = useState(false)
  // Once it has been opened it stays, to slide out again.
  const [isPanelWanted, setIsPanelWanted] = useState(false)
  // On which screen it was opened: a link in it leads away from it too.
  const [panelAt, setPanelAt] = useState<string | null>(null)
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
        {isFeedWanted ? (
          <Suspense fallback={<TaskFeedButton />}>
            <TaskFeed />
          </Suspense>
        ) : (
          <TaskFeedButton
            onClick={() => setIsFeedWanted(true)}
            onPointerEnter={loadFeed}
            onFocus={loadFeed}
          />
        )}
      </Indicator>
      <ActionIcon
        size="lg"
        aria-label="Notifications"
        title="Notifications"
        aria-haspopup="dialog"
        onPointerEnter={loadPanel}
        onFocus={loadPanel}
        onClick={() => {
          setIsPanelWanted(true)
          setPanelAt(pathname)
        }}
      >
        <IconBell size={18} stroke={1.5} aria-hidden />
      </ActionIcon>
      {isPanelWanted && (
        <Suspense>
          <NotificationsPanel isOpen={panelAt === pathname} onClose={() => setPanelAt(null)} />
        </Suspense>
      )}
    </>
  )
}
