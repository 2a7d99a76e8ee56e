import { ActionIcon, Indicator } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { shownNumber } from '#domain/figures.ts'
import { WaitingMark } from '#features/connections/index.ts'
import { lazyPart, openedPart } from '#ui/lazy-part.tsx'
import { useTaskClock, useTaskCounts } from './counts/queries.ts'
import { useReminderSetting } from './reminders/reminder-setting.ts'
import { TaskFeedButton } from './task-feed-button.tsx'

const TaskFeed = openedPart(async () => (await import('./task-feed.tsx')).TaskFeed, {
  loading: () => <TaskFeedButton />,
})
const NotificationsPanel = openedPart(
  async () => (await import('./notifications-panel.tsx')).NotificationsPanel,
)
const Reminders = lazyPart(async () => (await import('./reminders/reminders.tsx')).Reminders)

/** The task buttons of the top bar: feed and notifications. */
export function TaskButtons() {
  const { counts } = useTaskCounts()
  useTaskClock()
  const isReminding = useReminderSetting() === 'on'
  const { pathname } = useLocation()
  const [isFeedWanted, setIsFeedWanted] = useState(false)
  // Stays mounted after the first opening, for the closing animation.
  const [isPanelWanted, setIsPanelWanted] = useState(false)
  // The screen on which it was opened: it closes when a link leads to another.
  const [panelAt, setPanelAt] = useState<string | null>(null)
  const isUrgent = Boolean(counts && counts.urgent > 0)
  return (
    <>
      {isReminding && <Reminders />}
      <Indicator
        label={counts && shownNumber(counts.total)}
        color={isUrgent ? 'red' : 'iris'}
        size={16}
        offset={4}
        disabled={!counts || counts.total === 0}
        data-urgent={isUrgent}
      >
        {isFeedWanted ? (
          <TaskFeed onClose={() => setIsFeedWanted(false)} />
        ) : (
          <TaskFeedButton
            onClick={() => setIsFeedWanted(true)}
            onPointerEnter={TaskFeed.preload}
            onFocus={TaskFeed.preload}
          />
        )}
      </Indicator>
      <span style={{ position: 'relative', display: 'inline-flex' }}>
        <ActionIcon
          size="lg"
          aria-label="Notifications"
          title="Notifications"
          aria-haspopup="dialog"
          onPointerEnter={NotificationsPanel.preload}
          onFocus={NotificationsPanel.preload}
          onClick={() => {
            setIsPanelWanted(true)
            setPanelAt(pathname)
          }}
        >
          <IconBell size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
        <WaitingMark />
      </span>
      {isPanelWanted && (
        <NotificationsPanel isOpen={panelAt === pathname} onClose={() => setPanelAt(null)} />
      )}
    </>
  )
}
