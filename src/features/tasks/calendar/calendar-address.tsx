import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { CopyButton } from '#ui/copy-button.tsx'

type CalendarAddressProps = {
  token: string
  isReplacing: boolean
  isRevoking: boolean
  onReplace: () => void
  onRevoke: () => void
}

/** What was pressed is gone when this comes: the keyboard goes on here. */
export function focusWhenShown(node: HTMLElement | null): void {
  node?.focus({ preventScroll: true })
}

/** The address, the ways to hand it to a calendar program, and the ways to end it. */
export function CalendarAddress(props: CalendarAddressProps) {
  const { token, isReplacing, isRevoking, onReplace, onRevoke } = props
  const address = `${window.location.origin}/calendar/${token}.ics`
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          ref={focusWhenShown}
          label="Calendar address"
          value={address}
          readOnly
          flex={1}
          miw={0}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={address} label="Copy" />
      </Group>
      <Text size="sm" c="dimmed">
        In your calendar, choose to add one by its address (“From URL”, “Subscribe”), and paste it
        there. Whoever has the address can read your open tasks and deals, so keep it to yourself.
        {isOnlyHere() &&
          ' It works on this computer alone: the server is not reached under another name.'}
      </Text>
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <Button variant="default" aria-disabled={isReplacing} onClick={onReplace}>
            {isReplacing ? 'Creating...' : 'Make a new address'}
          </Button>
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            aria-disabled={isRevoking}
            onClick={onRevoke}
          >
            {isRevoking ? 'Revoking...' : 'Revoke'}
          </Button>
        </Group>
        <Button
          component="a"
          // The name under which programs that show calendars take such addresses.
          href={address.replace(/^https?:/, 'webcal:')}
          leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
        >
          Open in calendar app
        </Button>
      </Group>
    </Stack>
  )
}

function isOnlyHere(): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(window.location.hostname)
}
