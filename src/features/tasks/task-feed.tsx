import { Popover, Tabs } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { shownNumber } from '#domain/figures.ts'
import { useTaskCounts } from './counts/queries.ts'
import { RecentTasks } from './recent-tasks.tsx'
import { TaskFeedButton } from './task-feed-button.tsx'
import type { TaskTab } from './task-view.ts'

/** The button and what it opens. Loaded by the first click, so it opens on mount. */
export function TaskFeed() {
  const { pathname } = useLocation()
  // The screen on which it was opened: it closes when a link leads to another.
  const [openAt, setOpenAt] = useState<string | null>(pathname)
  const [isHere, setIsHere] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // This button replaces the one that was pressed: focus it, so that closing returns the focus here.
  useEffect(() => {
    button.current?.focus()
    setIsHere(true)
  }, [])
  // Back on that screen, it stays closed.
  if (openAt !== null && openAt !== pathname) setOpenAt(null)
  const isOpen = isHere && openAt === pathname
  return (
    <Popover
      width="min(400px, calc(100vw - 16px))"
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      opened={isOpen}
      onChange={(willOpen) => setOpenAt(willOpen ? pathname : null)}
    >
      <Popover.Target>
        <TaskFeedButton ref={button} onClick={() => setOpenAt(isOpen ? null : pathname)} />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Task feed">
        <NewestTasks onLeave={() => setOpenAt(null)} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** The newest tasks, by tab. */
function NewestTasks({ onLeave }: { onLeave: () => void }) {
  const { counts } = useTaskCounts()
  const [tab, setTab] = useState<TaskTab>('all')
  const tabs: { tab: TaskTab; name: string; total: number }[] = [
    { tab: 'all', name: 'All', total: counts?.total ?? 0 },
    { tab: 'pending', name: 'Pending', total: counts?.pending ?? 0 },
    { tab: 'completed', name: 'Done', total: counts?.completed ?? 0 },
    { tab: 'overdue', name: 'Overdue', total: counts?.overdue ?? 0 },
  ]
  const shown = tabs.filter((each) => each.tab !== 'overdue' || each.total > 0)
  const open = shown.find((each) => each.tab === tab) ?? shown[0]
  return (
    <Tabs
      value={open?.tab ?? 'all'}
      onChange={(value) => setTab(tabs.find((each) => each.tab === value)?.tab ?? 'all')}
      keepMounted={false}
    >
      <Tabs.List>
        {shown.map((each) => (
          <Tabs.Tab key={each.tab} value={each.tab} px={10}>
            {each.tab === 'all' ? each.name : `${each.name} (${shownNumber(each.total)})`}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {open && (
        <Tabs.Panel value={open.tab} mah={420} style={{ overflowY: 'auto' }}>
          <RecentTasks
            tab={open.tab}
            total={open.total}
            overdue={counts?.overdue ?? 0}
            onLeave={onLeave}
          />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}
