import { Modal, Text } from '@mantine/core'
import type { ContactFilter } from '#domain/contact-filter.ts'

export type SendEmailDialogProps = {
  /** The contacts to write to. */
  filter: ContactFilter
  /** How many they are. */
  count: number
  onClose: () => void
  /** E-mails were noted on timelines, or the notes undone. */
  onSent?: () => void
}

/** Writes to contacts and hands over to the user's mail program. */
export function SendEmailDialog({ count, onClose }: SendEmailDialogProps) {
  return (
    <Modal opened onClose={onClose} title="Send email">
      <Text>{count} contacts</Text>
    </Modal>
  )
}
