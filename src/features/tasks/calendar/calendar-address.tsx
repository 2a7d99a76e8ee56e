import { Button, Group, Text, TextInput } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyButton } from '#ui/copy-button.tsx'
import classes from './calendar.module.css'

type CalendarAddressProps = {
  /** The explanation above the address. */
  about: ReactNode
  token: string
  isReplacing: boolean
  isRevoking: boolean
  onReplace: () => void
  onRevoke: () => void
}

/** Focuses the element on mount, because the pressed button is gone. */
export function focusWhenShown(node: HTMLElement | null): void {
  node?.focus({ preventScroll: true })
}

/** The calendar address, with buttons to copy, open, replace and revoke it. */
export function CalendarAddress(props: CalendarAddressProps) {
  const { about, token, isReplacing, isRevoking, onReplace, onRevoke } = props
  const address = `${window.location.origin}/calendar/${token}.ics`
  return (
    <>
      <div className={classes.content}>
        {about}
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
          In your calendar app, add a calendar from a URL and paste this address. Anyone with it can
          read your open tasks and deals, so keep it private.
        </Text>
        {isLoopback(window.location.hostname) && (
          <Text size="sm" c="dimmed">
            Solo CRM is open at {window.location.hostname}, so this address only works on this
            computer.
          </Text>
        )}
      </div>
      <div className={classes.foot}>
        <Button variant="default" aria-disabled={isReplacing} onClick={onReplace}>
          {isReplacing ? 'Creating...' : 'Create new address'}
        </Button>
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          aria-disabled={isRevoking}
          onClick={onRevoke}
        >
          {isRevoking ? 'Revoking...' : 'Revoke'}
        </Button>
        <Button
          component="a"
          className={classes.main ?? ''}
          // Calendar programs open webcal: addresses.
          href={address.replace(/^https?:/, 'webcal:')}
          leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
        >
          Open in calendar app
        </Button>
      </div>
    </>
  )
}

/** Whether a host name means the local machine, which a calendar service cannot reach. */
function isLoopback(hostname: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(hostname)
}
