import { Alert, Paper, Progress, SimpleGrid, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import { completionRate } from '#domain/task.ts'
import type { StoredCounts } from './counts/queries.ts'

/** The four cards above the tasks. */
export function TaskStats({ counts }: { counts: StoredCounts | undefined }) {
  const rate = counts && completionRate(counts)
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing={12} mb="md">
      <Stat name="Total Tasks" value={counts?.total} />
      <Stat name="Pending" value={counts?.pending} />
      <Stat name="Completed" value={counts?.completed} />
      <Stat name="Completion Rate" value={rate} unit="%">
        <Progress value={rate ?? 0} size="xs" mt={8} aria-label="Completion Rate" />
      </Stat>
    </SimpleGrid>
  )
}

type StatProps = {
  name: string
  value: number | undefined
  unit?: string
  children?: React.ReactNode
}

function Stat({ name, value, unit = '', children }: StatProps) {
  return (
    <Paper withBorder p="md" role="group" aria-label={name}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz={20} fw={600} lh="28px" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value === undefined ? '–' : `${value.toLocaleString('en-US')}${unit}`}
      </Text>
      {children}
    </Paper>
  )
}

/** Stands there while anything is overdue. */
export function OverdueBanner({ count, onShow }: { count: number; onShow: () => void }) {
  if (count === 0) return null
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      bg="color-mix(in srgb, var(--solo-danger) 8%, var(--solo-surface))"
      title="Overdue Tasks"
      styles={{ title: { color: 'var(--mantine-color-error)' } }}
      icon={<IconAlertTriangle size={16} stroke={1.5} aria-hidden />}
    >
      <Text size="sm" c="var(--mantine-color-text)">
        You have {counted(count, 'overdue task')}.{' '}
        <Text
          component="button"
          type="button"
          inherit
          c="var(--mantine-color-error)"
          td="underline"
          bg="none"
          bd={0}
          p={0}
          style={{ cursor: 'pointer' }}
          onClick={onShow}
        >
          Show them
        </Text>
      </Text>
    </Alert>
  )
}
