import { Tabs } from '@mantine/core'
import { useState } from 'react'
import { useTaskCounts } from './counts/queries.ts'
import { RecentTasks } from './recent-tasks.tsx'
import type { TaskTab } from './task-view.ts'

/** What the task button opens: the newest tasks, by tab. */
export function TaskFeed() {
  const { counts } = useTaskCounts()
  const [tab, setTab] = useState<TaskTab>('all')
  const tabs: { tab: TaskTab; name: string; total: number }[] = [
    { tab: 'all', name: 'All', total: counts?.total ?? 0 },
    { tab: 'pending', name: `Pending (${counts?.pending ?? 0})`, total: counts?.pending ?? 0 },
    { tab: 'completed', name: `Done (${counts?.completed ?? 0})`, total: counts?.completed ?? 0 },
    { tab: 'overdue', name: `Overdue (${counts?.overdue ?? 0})`, total: counts?.overdue ?? 0 },
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
            {each.name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {open && (
        <Tabs.Panel value={open.tab} mah={420} style={{ overflowY: 'auto' }}>
          <RecentTasks tab={open.tab} total={open.total} />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}
