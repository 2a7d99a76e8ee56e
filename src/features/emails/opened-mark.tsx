import { Button, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import classes from './emails.module.css'
import type { Mark } from './use-opened.ts'

type OpenedMarkProps = { mark: Mark; onAgain: () => void }

/** Shows that a message was opened, and whether it was logged. */
export function OpenedMark({ mark, onAgain }: OpenedMarkProps) {
  return (
    <span className={classes.mark} role="status">
      {mark === 'opened' && (
        <>
          <IconCheck size={16} stroke={1.5} aria-hidden />
          Opened
        </>
      )}
      {mark === 'failed' && (
        <>
          <Text span size="sm" c="red">
            Not logged
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={onAgain}>
            Log again
          </Button>
        </>
      )}
    </span>
  )
}
