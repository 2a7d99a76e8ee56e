import { ActionIcon } from '@mantine/core'
import { IconInfoCircle, IconX } from '@tabler/icons-react'
import classes from './address-notice.module.css'

type AddressNoticeProps = {
  notice: string | null
  onDismiss: () => void
}

/** A notice about values of the address that were ignored. */
export function AddressNotice({ notice, onDismiss }: AddressNoticeProps) {
  if (!notice) return null
  return (
    <div role="status" className={classes.notice}>
      <IconInfoCircle size={16} stroke={1.5} aria-hidden />
      <span>{notice}</span>
      <ActionIcon size={22} aria-label="Dismiss" onClick={onDismiss}>
        <IconX size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
    </div>
  )
}
