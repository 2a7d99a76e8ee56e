import { Button, Group, Modal, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { counted } from '#domain/counted.ts'
import { isStuckIn } from '#domain/waiting-writes.ts'
import type { Leaving } from '#lib/leave-waiting.ts'
import { useIsOffline } from '#lib/network.ts'
import { downloadWaiting } from '#lib/settle-waiting.ts'
import { useUnsent, wakeSender } from '#lib/waiting-writes.ts'
import { useFocusBack } from '#ui/use-focus-back.ts'

type LeaveQuestionProps = { leaving: Leaving; onLeave: () => void; onClose: () => void }

/**
 * Asks what becomes of unsent writes before the user signs out or deletes the account; Escape cancels. Nothing is dropped
 * here: leaving may still fail, and wipes the device only when it succeeds.
 */
export function LeaveQuestion({ leaving, ...answers }: LeaveQuestionProps) {
  useFocusBack()
  return leaving === 'sign out' ? <SignOut {...answers} /> : <DeleteAccount {...answers} />
}

type AnswersProps = Omit<LeaveQuestionProps, 'leaving'>

function onlyHere(count: number): string {
  return `${counted(count, 'change')} ${count === 1 ? 'is' : 'are'} only on this device.`
}

/** Offers no sending, because the account is deleted with all data: the writes can only be kept as a file. */
function DeleteAccount({ onLeave, onClose }: AnswersProps) {
  const { length } = useUnsent()
  return (
    <Modal opened onClose={onClose} title="Delete account with unsent changes?" centered>
      <Text c="dimmed">{onlyHere(length)} They are deleted with your account.</Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" data-autofocus onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="default"
          onClick={() => {
            downloadWaiting()
            onLeave()
          }}
        >
          Download and delete
        </Button>
        <Button color="red" onClick={onLeave}>
          Delete
        </Button>
      </Group>
    </Modal>
  )
}

/** It is sent, kept as a file, or given up. */
function SignOut({ onLeave, onClose }: AnswersProps) {
  const writes = useUnsent()
  const isOffline = useIsOffline()
  const [isSending, setIsSending] = useState(false)
  const stuck = writes.filter((write) => isStuckIn(writes, write)).length
  const isSent = isSending && writes.length === 0
  useEffect(() => {
    if (isSent) onLeave()
  }, [isSent, onLeave])
  const hasFailed = isSending && (isOffline || (writes.length > 0 && stuck === writes.length))
  function send(): void {
    setIsSending(true)
    wakeSender()
  }
  return (
    <Modal opened onClose={onClose} title="Sign out with unsent changes?" centered>
      <Text c="dimmed">
        {onlyHere(writes.length)} Signing out deletes your data from this device.
      </Text>
      <Text mt="sm" size="sm" role="status">
        {hasFailed && isOffline && 'You’re offline, so nothing was sent.'}
        {hasFailed &&
          !isOffline &&
          `${counted(stuck, 'change')} could not be sent. Close this to see why.`}
        {isSending && !hasFailed && 'Sending...'}
      </Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onLeave}>
          Discard
        </Button>
        <Button
          variant="default"
          onClick={() => {
            downloadWaiting()
            onLeave()
          }}
        >
          Download
        </Button>
        <Button data-autofocus disabled={isOffline} onClick={send}>
          Send
        </Button>
      </Group>
    </Modal>
  )
}
