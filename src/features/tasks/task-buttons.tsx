import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { IconBell, IconChecklist } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { LoadingState } from '#ui/states.tsx'
import { useTaskCounts } from './queries.ts'

const loadFeed = () => import('./task-feed.tsx')
const TaskFeed = lazy(async () => ({ default: (await loadFeed()).TaskFeed }))
const loadPanel = () => import('./notifications-panel.tsx')
const NotificationsPanel = lazy(async () => ({
  default: (await loadPanel()).NotificationsPanel,
}))

/** The two buttons of the top bar that lead to the tasks from every screen. */
export function TaskButtons() {
  const counts = useTaskCounts().data
  const [isPanelOpen, setIsPanelOpen] = useState(false)
  const total = counts?.total ?? 0
  return (
    <>
      <Popover width={400} position="bottom-end" shadow="md" trapFocus returnFocus>
        <Indicator
          label={total > 999 ? '999+' : total}
          color={counts && counts.urgent > 0 ? 'red' : 'iris'}
          size={16}
          offset={4}
          disabled={total === 0}
          data-urgent={Boolean(counts && counts.urgent > 0)}
        >
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Task feed, ${total} tasks`}
              title="Task feed"
              onPointerEnter={loadFeed}
              onFocus={loadFeed}
            >
              <IconChecklist size={18} stroke={1.5} aria-hidden />
            </ActionIcon>
          </Popover.Target>
        </Indicator>
        <Popover.Dropdown p={0} aria-label="Task feed">
          <Suspense fallback={<LoadingState text="Loading tasks..." />}>
            <TaskFeed />
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Notifications"
        title="Notifications"
        aria-haspopup="dialog"
        onPointerEnter={loadPanel}
        onFocus={loadPanel}
        onClick={() => setIsPanelOpen(true)}
      >
        <IconBell size={18} stroke={1.5} aria-hidden />
      </ActionIcon>
      {isPanelOpen && (
        <Suspense>
          <NotificationsPanel onClose={() => setIsPanelOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
