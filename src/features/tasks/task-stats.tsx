import { Alert, Progress, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import { completionRate } from '#domain/task.ts'
import { noFigure, StatCard, StatCards } from '#ui/stat-card.tsx'
import type { StoredCounts } from './counts/queries.ts'

/** The four cards above the tasks. */
export function TaskStats({ counts }: { counts: StoredCounts | undefined }) {
  const rate = counts && completionRate(counts)
  return (
    <StatCards>
      <StatCard name="Total Tasks" value={shown(counts?.total)} />
      <StatCard name="Pending" value={shown(counts?.pending)} />
      <StatCard name="Completed" value={shown(counts?.completed)} />
      <StatCard name="Completion Rate" value={shown(rate, '%')}>
        <Progress value={rate ?? 0} size="xs" mt={8} aria-label="Completion Rate" />
      </StatCard>
    </StatCards>
  )
}

function shown(figure: number | undefined, unit = ''): string {
  return figure === undefined ? noFigure : `${shownNumber(figure)}${unit}`
}

/** Shown while tasks are overdue. */
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
