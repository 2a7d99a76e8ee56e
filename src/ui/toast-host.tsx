import '@mantine/notifications/styles.layer.css'
import { Button, Group, Text } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import classes from './toast.module.css'
import type { Toast } from './toast.tsx'

const readingTime = 5000
/** Long enough to decide, and for what went wrong to be read twice. */
const decidingTime = 10_000

export default function Toasts() {
  return <Notifications position="bottom-right" className={classes.toasts ?? ''} />
}

export function show({ title, message, action, isError = false }: Toast): void {
  const id = notifications.show({
    // One failure that several requests met is told once.
    ...(isError ? { id: `${title} ${message}` } : {}),
    title,
    message: action ? (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text inherit>{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          onClick={() => {
            notifications.hide(id)
            action.onClick()
          }}
        >
          {action.label}
        </Button>
      </Group>
    ) : (
      message
    ),
    color: isError ? 'red' : 'iris',
    autoClose: isError || action ? decidingTime : readingTime,
    closeButtonProps: { 'aria-label': 'Close notification' },
  })
}
