import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'

type AddressNoticeProps = {
  notice: string | null
  onDismiss: () => void
}

/** A notice about values of the address that were ignored. */
export function AddressNotice({ notice, onDismiss }: AddressNoticeProps) {
  if (!notice) return null
  return (
    <Alert
      variant="default"
      mb="md"
      role="status"
      withCloseButton
      closeButtonLabel="Dismiss"
      icon={<IconInfoCircle size={16} stroke={1.5} aria-hidden />}
      onClose={onDismiss}
    >
      {notice}
    </Alert>
  )
}
