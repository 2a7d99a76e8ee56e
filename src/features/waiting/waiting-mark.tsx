import { VisuallyHidden } from '@mantine/core'
import { IconCloudUp } from '@tabler/icons-react'
import { useWaitingState } from '#lib/waiting-writes.ts'
import classes from './waiting-mark.module.css'

type WaitingMarkProps = {
  /** The id of the row that shows it. */
  id: string
  /** Shows the words beside the icon. */
  isLong?: boolean
}

/** At a record of which something is not sent yet; nothing at all others. */
export function WaitingMark({ id, isLong = false }: WaitingMarkProps) {
  const state = useWaitingState(id)
  if (!state) return null
  const words = state === 'stuck' ? 'Not sent' : 'Waiting to be sent'
  return (
    <span className={classes.mark} title={words} data-stuck={state === 'stuck' || undefined}>
      <IconCloudUp size={14} stroke={1.5} aria-hidden />
      {isLong ? words : <VisuallyHidden>{words}</VisuallyHidden>}
    </span>
  )
}
