import { ActionIcon } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { counted } from '#domain/counted.ts'
import { useTaskCounts } from './counts/queries.ts'

/** What opens the task feed. */
export function TaskFeedButton(props: ComponentProps<'button'>) {
  const { counts } = useTaskCounts()
  return (
    <ActionIcon
      size="lg"
      aria-label={counts ? `Task feed, ${counted(counts.total, 'task')}` : 'Task feed'}
      title="Task feed"
      aria-haspopup="dialog"
      {...props}
    >
      <IconChecklist size={18} stroke={1.5} aria-hidden />
    </ActionIcon>
  )
}
