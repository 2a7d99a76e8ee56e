import { Drawer, Group, Paper, SimpleGrid, Tabs, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { shownNumber } from '#domain/figures.ts'
import { Proposals, SwitchedOffWebhooks } from '#features/connections/index.ts'
import { NewLeads } from '#features/leads/index.ts'
import { MailboxNotice } from '#features/mail/index.ts'
import { useTaskCounts } from './counts/queries.ts'
import { RecentTasks } from './recent-tasks.tsx'
import { ReminderSwitch } from './reminders/reminder-switch.tsx'
import type { TaskTab } from './task-view.ts'

const tabs: { tab: TaskTab; name: string }[] = [
  { tab: 'all', name: 'All' },
  { tab: 'pending', name: 'Pending' },
  { tab: 'overdue', name: 'Overdue' },
  { tab: 'completed', name: 'Done' },
]

type NotificationsPanelProps = { isOpen: boolean; onClose: () => void }

/** The panel of the bell: counters and newest tasks. */
export function NotificationsPanel({ isOpen, onClose }: NotificationsPanelProps) {
  // Opened one render after mounting: only then does Mantine remember the focus to return.
  const [isHere, setIsHere] = useState(false)
  useEffect(() => setIsHere(true), [])
  return (
    <Drawer.Root opened={isHere && isOpen} onClose={onClose} position="right" size={420}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Body p="md">
          {/* No header element: the page has one already. */}
          <Group justify="space-between" wrap="nowrap">
            <Drawer.Title fz={16} fw={600}>
              Notifications
            </Drawer.Title>
            <Drawer.CloseButton aria-label="Close" />
          </Group>
          <PanelContent onLeave={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function PanelContent({ onLeave }: { onLeave: () => void }) {
  const { counts } = useTaskCounts()
  const [tab, setTab] = useState<TaskTab>('all')
  const totals: Record<TaskTab, number> = {
    all: counts?.total ?? 0,
    pending: counts?.pending ?? 0,
    overdue: counts?.overdue ?? 0,
    completed: counts?.completed ?? 0,
  }
  return (
    <>
      <Text c="dimmed" size="sm" mb="md">
        Stay on top of your tasks
      </Text>
      <SimpleGrid cols={2} spacing={8} mb="md">
        <Counter name="Overdue" value={counts?.overdue} isAlarming />
        <Counter name="Due Today" value={counts?.due_today} />
        <Counter name="Pending" value={counts?.pending} />
        <Counter name="Completed" value={counts?.completed} />
      </SimpleGrid>
      <ReminderSwitch />
      <NewLeads onLeave={onLeave} />
      <Proposals />
      <MailboxNotice onLeave={onLeave} />
      <SwitchedOffWebhooks onLeave={onLeave} />
      <Tabs
        value={tab}
        onChange={(value) => setTab(tabs.find((each) => each.tab === value)?.tab ?? 'all')}
        keepMounted={false}
      >
        <Tabs.List grow>
          {tabs.map(({ tab: each, name }) => (
            <Tabs.Tab key={each} value={each}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <RecentTasks tab={tab} total={totals[tab]} overdue={totals.overdue} onLeave={onLeave} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

type CounterProps = { name: string; value: number | undefined; isAlarming?: boolean }

function Counter({ name, value, isAlarming = false }: CounterProps) {
  return (
    <Paper withBorder p="sm" role="group" aria-label={name}>
      <Text
        fz={20}
        fw={600}
        lh="28px"
        style={{ fontVariantNumeric: 'tabular-nums' }}
        {...(isAlarming && value ? { c: 'var(--mantine-color-error)' } : {})}
      >
        {value === undefined ? '–' : shownNumber(value)}
      </Text>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
    </Paper>
  )
}
