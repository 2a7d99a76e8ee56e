import { Button, Group, Text, Title } from '@mantine/core'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { unreachable } from '#lib/errors.ts'
import type { MissingPartProps } from '#ui/lazy-part.tsx'
import { EmptyState, ErrorState } from '#ui/states.tsx'
import classes from './missing-part.module.css'

const updated =
  'A new version of Solo CRM is available. Save or copy your work, then reload the page.'

/** Shown for a part whose code could not be loaded. The rest of the screen stays. */
export function MissingPart({ problem, name, onRetry, onClose }: MissingPartProps) {
  if (onClose) return <MissingDialog problem={problem} onRetry={onRetry} onClose={onClose} />
  const title = `${name} could not be loaded`
  return problem === 'unreachable' ? (
    <ErrorState title={title} message={unreachable} onRetry={onRetry} />
  ) : (
    <EmptyState
      title={title}
      hint={updated}
      action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
    />
  )
}

type MissingDialogProps = Required<Pick<MissingPartProps, 'problem' | 'onRetry' | 'onClose'>>

/** Uses the browser's own dialog, because the code of ours may be what is missing. */
function MissingDialog({ problem, onRetry, onClose }: MissingDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const wayOn = useRef<HTMLButtonElement>(null)
  const titleId = useId()
  const [isTrying, setIsTrying] = useState(false)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    wayOn.current?.focus()
    // Closing before unmounting returns the focus.
    return () => shown?.close()
  }, [])
  async function tryAgain(): Promise<void> {
    setIsTrying(true)
    await onRetry()
    setIsTrying(false)
  }
  const isUnreachable = problem === 'unreachable'
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <Title order={2} id={titleId}>
        {isUnreachable ? 'No connection' : 'Solo CRM has been updated'}
      </Title>
      <Text c="dimmed" mt="sm" role="status">
        {isUnreachable ? unreachable : updated}
      </Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose} {...keepsEscape}>
          Close
        </Button>
        <Button
          ref={wayOn}
          loading={isTrying}
          onClick={isUnreachable ? tryAgain : () => window.location.reload()}
          {...keepsEscape}
        >
          {isUnreachable ? 'Try again' : 'Reload the page'}
        </Button>
      </Group>
    </dialog>
  )
}

/** Keeps Escape from closing the form below. */
const keepsEscape = { 'data-mantine-stop-propagation': true }
