import { Alert, Button, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { confirmAction } from './confirm.tsx'
import { CopyField } from './copy-field.tsx'
import classes from './private-address-dialog.module.css'

type PrivateAddressDialogProps = {
  title: string
  /** What the address is called within a sentence: 'calendar address'. */
  name: string
  /** What it is for. */
  about: string
  /** How it is used, and what it shows to whoever has it. */
  hint: string
  /** What happens to programs that use it when there is a new one, and when there is none. */
  whenReplaced: string
  whenRevoked: string
  /** Null where there is none, undefined while that is not known. */
  address: string | null | undefined
  /** Why it could not be loaded. */
  problem: string | null
  isCreating: boolean
  isRevoking: boolean
  /** The main button beside those that replace and revoke. */
  action?: ReactNode
  /** Creates the address, or replaces the one that is there. */
  onCreate: () => void
  onRevoke: () => void
  onRetry: () => void
  onClose: () => void
}

/** A private address from which another program reads: created, copied, replaced and revoked. */
export function PrivateAddressDialog(props: PrivateAddressDialogProps) {
  const { title, name, about, address, problem, isCreating, isRevoking, onCreate, onClose } = props
  const [isAsking, setIsAsking] = useState(false)
  const isBusy = isCreating || isRevoking

  async function ask(question: Parameters<typeof confirmAction>[0]): Promise<boolean> {
    if (isBusy) return false
    setIsAsking(true)
    const isSure = await confirmAction(question)
    setIsAsking(false)
    return isSure
  }
  return (
    <Modal
      opened
      onClose={onClose}
      // Not while the question is open over it.
      closeOnEscape={!isAsking}
      trapFocus={!isAsking}
      title={title}
      size={520}
      yOffset="12dvh"
      classNames={{ body: classes.body ?? '' }}
    >
      <div className={classes.content}>
        <Text c="dimmed">{about}</Text>
        {address ? (
          <Address name={name} address={address} hint={props.hint} />
        ) : problem !== null ? (
          <LoadFailure name={name} message={problem} onRetry={props.onRetry} />
        ) : address === null ? (
          <Button
            ref={focusWhenShown}
            style={{ alignSelf: 'flex-start' }}
            aria-disabled={isBusy}
            onClick={() => !isBusy && onCreate()}
          >
            {isCreating ? 'Creating...' : `Create ${name}`}
          </Button>
        ) : (
          <Skeleton height={32} role="status" aria-label={`Loading your ${name}...`} />
        )}
      </div>
      {address && <Foot {...props} ask={ask} />}
    </Modal>
  )
}

/** Focuses the element on mount, because the pressed button is gone. */
function focusWhenShown(node: HTMLElement | null): void {
  node?.focus({ preventScroll: true })
}

function Address({ name, address, hint }: { name: string; address: string; hint: string }) {
  const { hostname } = window.location
  return (
    <>
      <CopyField
        ref={focusWhenShown}
        label={name.charAt(0).toUpperCase() + name.slice(1)}
        value={address}
      />
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      {isLoopback(hostname) && (
        <Text size="sm" c="dimmed">
          Solo CRM is open at {hostname}, so this address only works on this computer.
        </Text>
      )}
    </>
  )
}

/** Whether a host name means the local machine, which no other program can reach. */
function isLoopback(hostname: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(hostname)
}

type FootProps = PrivateAddressDialogProps & {
  ask: (question: Parameters<typeof confirmAction>[0]) => Promise<boolean>
}

function Foot({ ask, isCreating, isRevoking, action, onCreate, onRevoke, ...words }: FootProps) {
  async function replace(): Promise<void> {
    const isSure = await ask({
      title: 'Create new address?',
      body: `The old address stops working immediately. ${words.whenReplaced}`,
      confirm: 'Create new address',
    })
    if (isSure) onCreate()
  }
  async function revoke(): Promise<void> {
    const isSure = await ask({
      title: 'Revoke the address?',
      body: words.whenRevoked,
      confirm: 'Revoke',
      isDangerous: true,
    })
    if (isSure) onRevoke()
  }
  return (
    <div className={classes.foot}>
      <Button variant="default" aria-disabled={isCreating} onClick={replace}>
        {isCreating ? 'Creating...' : 'Create new address'}
      </Button>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        aria-disabled={isRevoking}
        onClick={revoke}
      >
        {isRevoking ? 'Revoking...' : 'Revoke'}
      </Button>
      {action && <div className={classes.main}>{action}</div>}
    </div>
  )
}

type LoadFailureProps = { name: string; message: string; onRetry: () => void }

function LoadFailure({ name, message, onRetry }: LoadFailureProps) {
  return (
    <Alert
      color="red"
      variant="light"
      bg="color-mix(in srgb, var(--solo-danger) 8%, var(--solo-surface))"
      title={`Your ${name} could not be loaded`}
      icon={<IconAlertTriangle size={16} stroke={1.5} aria-hidden />}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="var(--mantine-color-text)">
          {message}
        </Text>
        <Button ref={focusWhenShown} variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}
